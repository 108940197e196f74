#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "campaign/capture/evidence.h"
#include "campaign/command_line.h"
#include "campaign/commands.h"
#include "rdna/captured.h"

namespace w4 {
namespace {

int dispatch(const Command& command) {
  struct Visitor {
    int operator()(const ListCommand& c) const { return list_command(c); }
    int operator()(const RunCommand& c) const { return run_command(c); }
    int operator()(const RerunCommand& c) const { return rerun_command(c); }
    int operator()(const ReportCommand& c) const { return report_command(c); }
    int operator()(const BenchCommand& c) const { return bench_command(c); }
    int operator()(const AuditCommand& c) const { return audit_command(c); }
    int operator()(const ShrinkCommand& c) const { return shrink_command(c); }
    int operator()(const WorkerCommand& c) const { return worker_command(c); }
    int operator()(const ExplainCommand& c) const { return explain_command(c); }
    int operator()(const PairCommand& c) const { return pair_command(c); }
    int operator()(const VoteCommand& c) const { return vote_command(c); }
    int operator()(const IntakeCommand& c) const { return intake_command(c); }
    int operator()(const ProbeCommand& c) const { return probe_command(c); }
    int operator()(const DiffCommand& c) const { return diff_command(c); }
    int operator()(const GateCommand& c) const { return gate_command(c); }
    int operator()(const ZooCommand& c) const { return zoo_command(c); }
    int operator()(const RecipeCommand& c) const { return recipe_command(c); }
    int operator()(const ScoreCommand& c) const { return score_command(c); }
    int operator()(const CampaignCommand& c) const { return campaign_command(c); }
    int operator()(const CaptureCommand& c) const { return capture_command(c); }
    int operator()(const MigrateCommand& c) const { return migrate_command(c); }
    int operator()(const MergeCommand& c) const { return merge_command(c); }
    int operator()(const ExportCommand& c) const { return export_command(c); }
  };
  return std::visit(Visitor{}, command);
}

// Where a caller closed a standard stream, the next file opened would get its number, and text for
// people would go into a store or a JSON file.
void open_missing_streams() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDWR);
  if (fd >= 0) ::close(fd);
}

// What was printed counts only once it is written: a full disk shows at the last flush.
int written(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "w4check: harness error: cannot write to standard output%s%s\n",
               errno == 0 ? "" : ": ", errno == 0 ? "" : std::strerror(errno));
  return kHarnessError;
}

}  // namespace

int usage_error(const std::string& text) {
  fmt::print(stderr, "w4check: {}\n", text);
  return kUsage;
}

}  // namespace w4

int main(int argc, char** argv) {
  w4::open_missing_streams();
  w4::rdna::set_captures(w4::capture::silicon_evidence());
  try {
    const auto read = w4::read_command_line(argc, argv);
    if (const auto* code = std::get_if<w4::ExitCode>(&read)) return w4::written(*code);
    return w4::written(w4::dispatch(std::get<w4::Command>(read)));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "w4check: harness error: %s\n", e.what());
    return w4::kHarnessError;
  }
}
