// `w4check vote`: the same generated calls on several devices, their outputs against each other
// (docs/vote.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace w4 {

struct VoteCommand {
  std::string devices = "gfx1151,gfx1201,host";  // two or more, comma separated
  int64_t cases = 10'000;
  uint64_t seed = 1;
  int64_t largest = 0;  // multiply-adds of a case; 0: as they are drawn
  int jobs = 1;
  std::optional<double> timeout;  // as ExecuteOptions has it
  std::string json;               // file; "-": standard output; empty: none
};

void add_vote(CLI::App& app, VoteCommand& c);

// Exit code: 0 nothing red and nothing unexplained; 1 something is, or no two devices ran a case; 2
// usage; 3 the harness failed; 130 interrupted.
int vote_command(const VoteCommand& c);

}  // namespace w4
