#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "campaign/command_line.h"
#include "campaign/commands.h"

namespace w4 {
namespace {

int dispatch(const Command& command) {
  struct Visitor {
    int operator()(const ListCommand& c) const { return list_command(c); }
    int operator()(const RunCommand& c) const { return run_command(c); }
    int operator()(const RerunCommand& c) const { return rerun_command(c); }
    int operator()(const ReportCommand& c) const { return report_command(c); }
    int operator()(const WorkerCommand&) const { return worker_command(); }
  };
  return std::visit(Visitor{}, command);
}

}  // namespace

int usage_error(const std::string& text) {
  fmt::print(stderr, "w4check: {}\n", text);
  return kUsage;
}

}  // namespace w4

int main(int argc, char** argv) {
  try {
    const auto read = w4::read_command_line(argc, argv);
    if (const auto* code = std::get_if<w4::ExitCode>(&read)) return *code;
    return w4::dispatch(std::get<w4::Command>(read));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "w4check: harness error: %s\n", e.what());
    return w4::kHarnessError;
  }
}
