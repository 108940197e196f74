// `w4check shrink LINE`: a failing case line to a smaller one that fails alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct ShrinkCommand {
  std::vector<std::string> words;  // of the line
  int64_t cases = 2000;            // limits: runs,
  double seconds = 120;            // time; 0: none
  std::optional<double> timeout;   // of one case: as ExecuteOptions has it
  std::optional<int> threads;
};

void add_shrink(CLI::App& app, ShrinkCommand& c);

// Prints the smaller line, then its verdict. Exit code: 0 printed, also where a limit ended the
// search; 2 nothing to shrink; 130 interrupted, with the smallest line so far.
int shrink_command(const ShrinkCommand& c);

}  // namespace w4
