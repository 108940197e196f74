// w4oracles [small]: runs every oracle on every fault and prints docs/oracles.md.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "oracles/comparison.h"
#include "oracles/document.h"

int main(int argc, char** argv) {
  if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    fmt::print(
        "w4oracles [small]: runs every oracle on every fault and prints the page docs/oracles.md:\n"
        "minutes, with small a part of it in seconds. ci/oracle_table.sh writes the page.\n"
        "Exit codes: 0 printed, 1 a clean kernel did not run, 2 usage.\n");
    return 0;
  }
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
