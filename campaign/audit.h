// `w4check audit`: what can be proved about the whole table of kernels without running a case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

// What the command line said; every audit reads the fields of its own options.
struct AuditCommand {
  std::string what;          // the audit's name, as in `w4check audit WHAT`
  std::string kernel, arch;  // only these; empty: all
  // figures
  std::vector<std::string> lines, devices;  // cases and devices; empty: the default ones
  bool every_tile = false;
  // code
  std::vector<std::string> modules;  // files to look into instead of this program
  std::string json;                  // file; "-": standard output; empty: none
  // figures, code
  std::string db;  // store to file the result in; empty: none
  // selection, and its modules
  std::string table;  // file of rules; empty: the built-in selection
};

// Whether the first word after `audit` names one; otherwise the error to show.
std::optional<std::string> wrong_audit(std::string_view word);

// Adds `audit` and one subcommand of it for each audit; parsing sets `c`.
void add_audit(CLI::App& app, AuditCommand& c);

// Exit code: 0 proved, 1 something is wrong and named.
int audit_command(const AuditCommand& c);

}  // namespace w4
