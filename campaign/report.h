// `w4check report`: a run of a store as HTML (docs/report.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace w4 {

struct ReportCommand {
  std::string db, out;
  std::optional<int64_t> run;
  double analyse = 60;  // seconds for failures not looked into yet; 0: none
};

void add_report(CLI::App& app, ReportCommand& c);

// Exit code: 0 written, 2 usage (also: no such store or run), 3 cannot write.
int report_command(const ReportCommand& c);

}  // namespace w4
