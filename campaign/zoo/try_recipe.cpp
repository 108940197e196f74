#include "campaign/zoo/try_recipe.h"

#include <nlohmann/json.hpp>

#include "campaign/zoo/module_audit.h"
#include "campaign/zoo/one_question.h"
#include "oracles/upstream_recipe.h"
#include "results/text.h"

namespace w4::zoo {

using nlohmann::json;

std::string recipe_answer(const std::string& module_path) {
  Context context;
  RecipeOptions options;
  if (context.module(module_path)) options.selection = selection_of(module_path);
  const auto all = run_upstream_recipe(module_path, context, options);
  if (!all) return json{{"error", printable_utf8(all.error().text)}}.dump();
  std::string first;
  for (const RecipeTest& t : all->tests) {
    if (first.empty() && t.status == RecipeTest::Status::failed) first = t.name;
  }
  return json{{"tests", all->tests.size()},
              {"failed", all->count(RecipeTest::Status::failed)},
              {"not_run", all->count(RecipeTest::Status::not_run)},
              {"first", first}}
      .dump();
}

Result<Tried> try_recipe(const std::string& module_path, double seconds) {
  const auto said = one_question("--recipe", module_path, seconds);
  if (!said) return std::unexpected(said.error());
  if (said->contains("error")) return fail("{}", said->value("error", ""));
  return Tried{said->value("tests", int64_t{0}), said->value("failed", int64_t{0}),
               said->value("not_run", int64_t{0}), said->value("first", "")};
}

}  // namespace w4::zoo
