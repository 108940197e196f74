// `w4check explain LINE`: why a case is not green, by hypotheses (verify/explain).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct ExplainCommand {
  std::vector<std::string> words;  // the case line, in one argument or in several
  std::string json;                // file; "-": standard output; empty: none
  double seconds = 120;
  bool in_process = false;  // native code too: what the command runs in a process of its own
};

// Adds `explain`; parsing sets `c`.
void add_explain(CLI::App& app, ExplainCommand& c);

// Exit code: 0 nothing to explain, 1 explained or described, 2 usage, 3 harness error.
int explain_command(const ExplainCommand& c);

// The table of hypotheses, for `w4check list hypotheses`.
void list_hypotheses();

}  // namespace w4
