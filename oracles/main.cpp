// w4oracles [small]: runs every oracle on every fault and prints docs/oracles.md.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "oracles/comparison.h"
#include "oracles/document.h"

int main(int argc, char** argv) {
  const bool small = argc == 2 && std::string_view(argv[1]) == "small";
  if (argc > 2 || (argc == 2 && !small)) {
    fmt::print(stderr, "w4oracles: legal: no argument, or small for a part of it in seconds\n");
    return 2;
  }
  const auto runs =
      w4::run_oracles(small ? w4::small_plan() : w4::full_plan(),
                      [](std::string_view line) { fmt::print(stderr, "{}\n", line); });
  if (!runs) {
    fmt::print(stderr, "w4oracles: {}\n", runs.error().text);
    return 1;
  }
  fmt::print("{}", w4::document(*runs));
  return 0;
}
