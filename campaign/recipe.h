// `w4check recipe`: what the tests that vLLM has for its hybrid W4A16 kernel say of a module
// (oracles/upstream_recipe.h).
#pragma once

#include <string>

#include "oracles/upstream_recipe.h"

namespace CLI {
class App;
}

namespace w4 {

struct RecipeCommand {
  std::string module = "builtin";
  RecipeOptions options;
  std::string json;         // file; "-": standard output; empty: none
  bool in_process = false;  // native code too: what the command runs in a process of its own
};

// Adds `recipe`; parsing sets `c`.
void add_recipe(CLI::App& app, RecipeCommand& c);

// Exit code: 0 every test passes, 1 some fail or none could run, 2 usage, 3 harness error.
int recipe_command(const RecipeCommand& c);

}  // namespace w4
