#include "campaign/explain.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "campaign/commands.h"
#include "campaign/idle_keys.h"
#include "campaign/interrupt.h"
#include "campaign/plan.h"
#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/explain/explain.h"
#include "verify/explain/hypothesis.h"

extern char** environ;

namespace w4 {
namespace {

using explain::Explanation;

nlohmann::json json_of(const Explanation& e) {
  nlohmann::json named = nlohmann::json::array();
  for (const explain::Named& n : e.named)
    named.push_back({{"name", n.name}, {"says", n.says}, {"defects", n.defects}, {"also", n.also}});
  return {{"verdict", verdict_to_json(e.verdict)},
          {"certainty", explain::name_of(e.certainty)},
          {"says", printable_utf8(e.says)},
          {"hypotheses", std::move(named)},
          {"elements", e.elements},
          {"how", e.how},
          {"pattern", e.pattern},
          {"interval", e.interval},
          {"lines", e.lines}};
}

struct Streams {
  FILE* people = stdout;
  FILE* json = nullptr;
};

int write_out(const Explanation& e, const Streams& to) {
  fmt::print(to.people, "{}\n{}", to_string(e.verdict), printable_utf8(explain::to_string(e)));
  bool written = std::fflush(to.people) == 0;
  if (to.json != nullptr) {
    fmt::print(to.json, "{}\n", json_of(e).dump());
    written = std::fflush(to.json) == 0 && written;
  }
  if (!written) {
    fmt::print(stderr, "w4check: cannot write the explanation: {}\n", std::strerror(errno));
    return kHarnessError;
  }
  if (e.verdict.kind() == VerdictKind::harness_error) return kHarnessError;
  return e.certainty == explain::Certainty::nothing ? kGreen : kRed;
}

int explain_here(const ExplainCommand& c, const Case& line) {
  // What native code prints goes to stderr, and it finds no other stream.
  FILE* out = stdout;
  if (c.in_process) {
    out = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), "w");
    if (out == nullptr) return kHarnessError;
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  Streams to{out, nullptr};
  if (!c.json.empty()) {
    to.json = c.json == "-" ? out : std::fopen(c.json.c_str(), "we");
    if (to.json == nullptr) {
      return usage_error(printable_utf8(
          fmt::format("--json: cannot write '{}': {}", c.json, std::strerror(errno))));
    }
    if (to.json == out) to.people = stderr;
  }
  const bool terminal = isatty(STDERR_FILENO) != 0;
  Context context(threads_of_a_case(std::nullopt, 1));
  const Explanation e = explain::explain(
      line, context,
      {.seconds = c.seconds, .stop = interrupted, .progress = [terminal](const std::string& ran) {
         if (terminal) fmt::print(stderr, "\r\x1b[K{}", ran.substr(0, 100));
       }});
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  const int code = write_out(e, to);
  if (to.json != nullptr && to.json != out) std::fclose(to.json);
  return interrupted() && code != kHarnessError ? kInterrupted : code;
}

// What the process of its own says at its end, so that an exit of native code is told apart.
constexpr int kReported = 100;
// How long native code may still run after Ctrl-C.
constexpr std::chrono::duration<double> kPatience{2};

// Native code may take its process down or never end: this program again, which does the work.
int explain_in_child(const ExplainCommand& c, const Case& line) {
  std::vector<std::string> words{"w4check", "explain", to_string(line), "--in-process",
                                 fmt::format("--seconds={}", c.seconds)};
  if (!c.json.empty()) words.push_back("--json=" + c.json);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  // In a group of its own: a terminal's Ctrl-C reaches this process, which passes it on once.
  posix_spawnattr_t own_group;
  posix_spawnattr_init(&own_group);
  posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
  const int rc = posix_spawn(&pid, "/proc/self/exe", nullptr, &own_group, argv.data(), environ);
  posix_spawnattr_destroy(&own_group);
  if (rc != 0) {
    fmt::print(stderr, "w4check: harness error: cannot start a process: {}\n", std::strerror(rc));
    return kHarnessError;
  }
  using Clock = std::chrono::steady_clock;
  const double limit = 2 * c.seconds + 2;
  auto end = Clock::now() + std::chrono::duration<double>(limit);
  bool killed = false, told = false;
  int status = 0;
  for (;;) {
    const pid_t done = waitpid(pid, &status, killed ? 0 : WNOHANG);
    if (done == pid) break;
    if (done < 0 && errno != EINTR) return kHarnessError;
    if (!killed && Clock::now() > end) {
      kill(pid, SIGKILL);
      killed = true;
    }
    if (interrupted() && !told) {
      kill(pid, SIGINT);
      told = true;
      end = Clock::now() + kPatience;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (told && (killed || WIFSIGNALED(status))) {
    fmt::print("explanation: interrupted before there was one\n");
    return kInterrupted;
  }
  if (killed) {
    fmt::print("explanation: native code of the module does not end: stopped after {} s\n", limit);
    return kRed;
  }
  if (WIFSIGNALED(status)) {
    fmt::print(
        "explanation: native code of the module ends its process, signal {} ({}): run the "
        "line in gdb\n",
        WTERMSIG(status), strsignal(WTERMSIG(status)));
    return kRed;
  }
  const int code = WEXITSTATUS(status);
  if (code != kReported + kInterrupted && (code < kReported || code > kReported + kHarnessError)) {
    fmt::print("explanation: native code of the module ends its process with exit status {}\n",
               code);
    return kRed;
  }
  return code - kReported;
}

}  // namespace

void add_explain(CLI::App& app, ExplainCommand& c) {
  CLI::App* explain = app.add_subcommand("explain",
                                         "Say why a case is not green: which known kind of defect "
                                         "predicts its outputs bit for bit, or "
                                         "what their pattern is");
  explain->add_option("line", c.words, "The case line, as one argument or as several, as for rerun")
      ->option_text("LINE")
      ->required();
  explain
      ->add_option("--json", c.json,
                   "Write verdict and explanation as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  explain
      ->add_option("--seconds", c.seconds,
                   "After this time it says what it has, 1 to 100000 (default 120)")
      ->option_text("SECONDS");
  explain->add_flag("--in-process", c.in_process)->group("");
  explain->footer(
      "The hypotheses: w4check list hypotheses, docs/explain.md.\n"
      "Exit codes: 0 nothing to explain, 1 explained or described, 2 usage, 3 harness error, "
      "130 interrupted: it says what it has.");
}

int explain_command(const ExplainCommand& c) {
  if (!(c.seconds >= 1) || c.seconds > 1e5) {
    return usage_error(fmt::format("--seconds: {}; legal: 1 to 100000", c.seconds));
  }
  const Result<Case> line = read_typed_line("explain", fmt::format("{}", fmt::join(c.words, " ")));
  if (!line) return usage_error(line.error().text);
  catch_interrupts();
  if (c.in_process) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return kReported + explain_here(c, *line);
  }
  for (const std::string& idle : idle_keys(*line)) fmt::print(stderr, "w4check: note: {}\n", idle);
  const bool native = !line->module.empty() || !line->prep.empty() || line->device == "host";
  return native ? explain_in_child(c, *line) : explain_here(c, *line);
}

void list_hypotheses() {
  for (const explain::Hypothesis& h : explain::all_hypotheses()) {
    fmt::print("  {:<24} {} (where: {}; seen as {})\n", h.name, h.says, h.when, h.defects);
  }
}

}  // namespace w4
