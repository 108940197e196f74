// What upstream's own tests (oracles/upstream_recipe.h) say of a mutant.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace w4::zoo {

// In a worker: the counts of the recipe's tests on a module, as JSON.
std::string recipe_answer(const std::string& module_path);

struct Tried {
  int64_t tests = 0, failed = 0, not_run = 0;
  std::string first;  // name of the first that fails
};

// Errors: the worker dies, or gives no answer within `seconds`.
Result<Tried> try_recipe(const std::string& module_path, double seconds);

}  // namespace w4::zoo
