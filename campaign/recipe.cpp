#include "campaign/recipe.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "intake/open_module.h"
#include "results/text.h"

namespace w4 {
namespace {

using Status = RecipeTest::Status;

std::string_view name_of(Status s) {
  return s == Status::passed ? "passed" : s == Status::failed ? "FAILED" : "not run";
}

void print(FILE* to, const RecipeResult& all) {
  for (const RecipeTest& t : all.tests) {
    fmt::print(to, "{:<7} {}\n", name_of(t.status), t.name);
    if (t.status == Status::passed) continue;
    fmt::print(to, "        {}\n", printable_utf8(t.why));
    if (t.status == Status::failed) {
      fmt::print(to, "        judged instead: w4check rerun '{}'\n", to_string(t.line));
    }
  }
  fmt::print(to, "{} tests: {} passed, {} failed, {} not run\n", all.tests.size(),
             all.count(Status::passed), all.count(Status::failed), all.count(Status::not_run));
}

nlohmann::json json_of(const RecipeCommand& c, const RecipeResult& all) {
  nlohmann::json tests = nlohmann::json::array();
  for (const RecipeTest& t : all.tests) {
    tests.push_back({{"name", t.name},
                     {"status", t.status == Status::failed ? "failed" : name_of(t.status)},
                     {"why", printable_utf8(t.why)},
                     {"line", to_string(t.line)}});
  }
  return {{"module", printable_utf8(c.module)},
          {"device", c.options.device},
          {"seed", c.options.seed},
          {"passed", all.count(Status::passed)},
          {"failed", all.count(Status::failed)},
          {"not_run", all.count(Status::not_run)},
          {"tests", std::move(tests)}};
}

int recipe_here(const RecipeCommand& c) {
  JsonAside out(c.json, c.in_process);
  if (!out.error().empty()) return usage_error(out.error());
  Context context;
  RecipeOptions options = c.options;
  options.stop = interrupted;
  if (c.module == kBuiltIn) options.selection = &builtin_selection();
  const auto all = run_upstream_recipe(c.module == kBuiltIn ? "" : c.module, context, options);
  if (!all) return usage_error(printable_utf8(all.error().text));
  print(out.people(), *all);
  if (!out.write(json_of(c, *all).dump())) return kHarnessError;
  if (interrupted() && !all->caught()) return kInterrupted;
  return all->caught() || all->count(Status::passed) == 0 ? kRed : kGreen;
}

}  // namespace

void add_recipe(CLI::App& app, RecipeCommand& c) {
  CLI::App* recipe = app.add_subcommand(
      "recipe",
      "What the 83 tests that vLLM has for its hybrid W4A16 kernel say of a module: allclose on "
      "their shapes and data");
  const auto option = [&](const char* name, auto& to, const char* text, const char* value) {
    return recipe->add_option(name, to, text)->option_text(value);
  };
  option("--module", c.module,
         "Module: builtin (default), a manifest, a shared object (as the key module= takes it)",
         "PATH");
  option("--apply", c.options.apply,
         "Kernel that stands for the hybrid op, 68 of the tests (default: hybrid)", "NAME");
  option("--direct", c.options.direct,
         "Kernel that stands for the decode op called by itself, 10 of them (default: decode)",
         "NAME");
  recipe
      ->add_option_function<std::string>(
          "--zp",
          [&c](const std::string& text) {
            c.options.zp = text == "unpacked" ? ZpMode::unpacked : ZpMode::packed;
          },
          "Zero points: packed (default: the op's contract) or unpacked (the tests as they were "
          "merged); where the kernel declares only one of them, that one")
      ->check(CLI::IsMember({"packed", "unpacked"}))
      ->option_text("ENCODING");
  option("--device", c.options.device, "Emulated arch, host, hip or cuda (default: gfx1151)",
         "NAME");
  option("--seed", c.options.seed, "Seed of the data (default: 0)", "N");
  recipe->add_flag("--fail-fast", c.options.fail_fast, "Stop at the first test that fails");
  option("--json", c.json, "Write the tests as JSON to FILE, or - for standard output", "FILE");
  recipe->add_flag("--in-process", c.in_process)->group("");
  recipe->footer(
      "docs/recipe.md says what is run, what is not, and what the tests miss.\n"
      "Exit codes: 0 every test that could run passes, 1 some fail or none could run, 2 usage, 3 "
      "harness error, 130 interrupted.");
}

int recipe_command(const RecipeCommand& c) {
  catch_interrupts();
  if (c.in_process) return as_own_process([&] { return recipe_here(c); });
  const bool native =
      (c.module != kBuiltIn && !c.module.ends_with(".json")) || is_native_device(c.options.device);
  if (!native) return recipe_here(c);
  const RecipeOptions& o = c.options;
  std::vector<std::string> words{"recipe",
                                 "--in-process",
                                 "--module=" + c.module,
                                 "--device=" + o.device,
                                 "--apply=" + o.apply,
                                 "--direct=" + o.direct,
                                 o.zp == ZpMode::packed ? "--zp=packed" : "--zp=unpacked",
                                 fmt::format("--seed={}", o.seed)};
  if (o.fail_fast) words.emplace_back("--fail-fast");
  if (!c.json.empty()) words.push_back("--json=" + c.json);
  return in_own_process("recipe", std::move(words), 600);
}

}  // namespace w4
