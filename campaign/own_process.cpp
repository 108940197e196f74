#include "campaign/own_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "results/text.h"

extern char** environ;

namespace w4 {
namespace {

// What the process of its own says at its end, so that an exit of native code is told apart.
constexpr int kReported = 100;
// How long native code may still run after Ctrl-C.
constexpr std::chrono::duration<double> kPatience{2};

}  // namespace

int as_own_process(const std::function<int()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return kReported + work();
}

int in_own_process(const std::string& label, std::vector<std::string> words, double seconds) {
  words.insert(words.begin(), "w4check");
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
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
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
    fmt::print("{}: interrupted before there was one\n", label);
    return kInterrupted;
  }
  if (killed) {
    fmt::print("{}: native code of the module does not end: stopped after {} s\n", label, seconds);
    return kRed;
  }
  if (WIFSIGNALED(status)) {
    fmt::print(
        "{}: native code of the module ends its process, signal {} ({}): run the "
        "line in gdb\n",
        label, WTERMSIG(status), strsignal(WTERMSIG(status)));
    return kRed;
  }
  const int code = WEXITSTATUS(status);
  if (code != kReported + kInterrupted && (code < kReported || code > kReported + kHarnessError)) {
    fmt::print("{}: native code of the module ends its process with exit status {}\n", label, code);
    return kRed;
  }
  return code - kReported;
}

JsonAside::JsonAside(const std::string& json, bool own_process) {
  if (own_process) {
    out_ = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), "w");
    if (out_ == nullptr) {
      error_ = "standard output cannot be kept";
      return;
    }
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  people_ = out_;
  if (json.empty()) return;
  json_ = json == "-" ? out_ : std::fopen(json.c_str(), "we");
  if (json_ == nullptr) {
    error_ =
        printable_utf8(fmt::format("--json: cannot write '{}': {}", json, std::strerror(errno)));
  } else if (json_ == out_) {
    people_ = stderr;
  }
}

JsonAside::~JsonAside() {
  if (json_ != nullptr && json_ != out_) std::fclose(json_);
}

bool JsonAside::write(const std::string& json) const {
  bool written = std::fflush(people_) == 0;
  if (json_ != nullptr) {
    fmt::print(json_, "{}\n", json);
    written = std::fflush(json_) == 0 && written;
  }
  if (!written) fmt::print(stderr, "w4check: cannot write: {}\n", std::strerror(errno));
  return written;
}

}  // namespace w4
