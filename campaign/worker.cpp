#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "campaign/child.h"
#include "campaign/commands.h"
#include "campaign/diff/answers.h"
#include "campaign/runner.h"
#include "campaign/shown.h"
#include "campaign/vote/voice.h"
#include "intake/in_module.h"
#include "results/verdict_json.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

struct CloseFile {
  void operator()(FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<FILE, CloseFile>;

// Moves a standard stream out of the reach of native code that prints or reads.
File move_away(int fd, const char* mode) {
  return File(fdopen(fcntl(fd, F_DUPFD_CLOEXEC, 10), mode));
}

// A worker that somebody starts by hand has no such file and keeps its place nowhere.
void keep_place() {
  void* const shared = mmap(nullptr, kPlaceBytes, PROT_READ | PROT_WRITE, MAP_SHARED, kPlaceFd, 0);
  if (shared == MAP_FAILED) return;
  ::close(kPlaceFd);
  keep_place_in({static_cast<char*>(shared), kPlaceBytes});
}

// Case lines to verdicts.
class Judge {
 public:
  explicit Judge(const WorkerCommand& c)
      : runner_(c.threads), trace_(c.trace), outputs_(c.outputs) {
    if (c.behaviour) shown_.emplace();
  }
  std::string answer(std::string_view line) {
    const Result<Case> c = parse_case(line);
    if (!c) {
      return verdict_to_text(make_verdict(std::string(line), {HarnessError{c.error().text}}, {}));
    }
    if (outputs_) {
      const auto [verdict, out] = runner_.run_for_output(*c);
      return vote::answer_of(verdict, out);
    }
    return shown_ ? shown_->answer(*c, runner_, trace_) : verdict_to_text(runner_.run(*c, trace_));
  }
  bool lost() const { return runner_.lost(); }

 private:
  Runner runner_;
  std::optional<Shown> shown_;
  bool trace_, outputs_;
};

}  // namespace

// Case lines on standard input, one verdict as JSON on standard output for each, until the input
// ends or a GPU is lost to the process; or questions and answers of campaign/diff and campaign/zoo.
// What a module prints goes to stderr, of which the parent keeps the end.
int worker_command(const WorkerCommand& command) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (command.protocol) {
    fmt::print("{}\n", nlohmann::json{{"protocol", kWorkerProtocol}, {"build", build_id()}}.dump());
    return kGreen;
  }
  keep_place();
  const File in = move_away(STDIN_FILENO, "r");
  const File out = move_away(STDOUT_FILENO, "w");
  if (!in || !out) return kHarnessError;
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDIN_FILENO);
  Judge judge(command);
  diff::Answers diff(command.threads);
  char* line = nullptr;
  size_t capacity = 0;
  ssize_t length = 0;
  while ((length = getline(&line, &capacity, in.get())) > 0) {
    std::string_view text(line, static_cast<size_t>(length));
    if (text.ends_with('\n')) text.remove_suffix(1);
    const std::string said = command.diff     ? diff.answer(text)
                             : command.answer ? command.answer(std::string(text))
                                              : judge.answer(text);
    const bool lost = judge.lost() || diff.lost();
    std::fputs((said + "\n" + (lost ? std::string(kRetires) + "\n" : "")).c_str(), out.get());
    std::fflush(out.get());
    if (lost) break;
  }
  std::free(line);
  return kGreen;
}

}  // namespace w4
