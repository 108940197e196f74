#include "campaign/long_run/slices.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

constexpr size_t kKept = 1 << 16;   // of what it printed, the end
constexpr size_t kShown = 1 << 12;  // in a verdict
constexpr double kPatience = 120;   // past the end of its time
constexpr int kNotStarted = 127;    // exit status, as a shell has it

struct Started {
  pid_t pid = -1;
  int out = -1;
};

// In the child, between fork and exec: only what may be called there.
[[noreturn]] void become(const std::vector<char*>& argv, int out, pid_t parent) {
  // However this program ends, the slice ends with it; it may have ended already.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(kNotStarted);
  setpgid(0, 0);  // Ctrl-C reaches the parent only, which decides
  const int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  ::execv(argv.front(), argv.data());
  const char* const why = std::strerror(errno);
  (void)!::write(STDERR_FILENO, why, std::strlen(why));
  ::_exit(kNotStarted);
}

// Standard output and error into one pipe, in a group of its own.
Result<Started> spawn(std::vector<std::string> words) {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return fail("pipe: {}", std::strerror(errno));
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  Started out;
  out.pid = ::fork();
  if (out.pid == 0) become(argv, fds[1], parent);
  const int why = errno;
  ::close(fds[1]);
  if (out.pid < 0) {
    ::close(fds[0]);
    return fail("cannot start '{}': {}", words.front(), std::strerror(why));
  }
  setpgid(out.pid, out.pid);  // whichever of the two comes first
  fcntl(fds[0], F_SETFL, O_NONBLOCK);
  out.out = fds[0];
  return out;
}

}  // namespace

Result<std::string> find_w4fuzz() {
  std::error_code ec;
  const fs::path path = fs::read_symlink("/proc/self/exe", ec).parent_path() / "w4fuzz";
  if (::access(path.c_str(), X_OK) != 0)
    return fail("--suite: 'targets' needs w4fuzz beside w4check, and there is no '{}'",
                path.string());
  return path.string();
}

Result<Slice> Slice::start(const std::string& w4fuzz, const std::string& target,
                           const CampaignPlan& plan, const std::string& folder, int64_t number,
                           double seconds) {
  const fs::path corpus = fs::path(folder) / target, crashes = fs::path(folder) / "crashes";
  for (const fs::path& p : {corpus, crashes}) {
    std::error_code ec;
    fs::create_directories(p, ec);
    if (ec) return fail("cannot make the folder '{}': {}", p.string(), ec.message());
  }
  std::vector<std::string> words{w4fuzz, "--target", target};
  if (!plan.module.empty()) words.push_back("--module=" + plan.module);
  for (const std::string& d : plan.devices) words.push_back("--device=" + d);
  // The engine's seed has 32 bits, and 0 is none.
  const auto seed = static_cast<uint32_t>(plan.seed * 1'000'003 + static_cast<uint64_t>(number));
  words.push_back(fmt::format("-seed={}", std::max(seed, 1u)));
  words.push_back(fmt::format("-max_total_time={:.0f}", seconds));
  words.push_back(fmt::format("-artifact_prefix={}/", crashes.string()));
  words.push_back(corpus.string());
  auto started = spawn(std::move(words));
  if (!started) return std::unexpected(started.error());
  Slice s;
  s.target_ = target, s.line_ = "w4fuzz --target " + target;
  s.pid_ = started->pid, s.out_ = started->out, s.limit_ = seconds + kPatience;
  return s;
}

Slice::Slice(Slice&& o) noexcept
    : target_(std::move(o.target_)),
      line_(std::move(o.line_)),
      printed_(std::move(o.printed_)),
      pid_(std::exchange(o.pid_, -1)),
      out_(std::exchange(o.out_, -1)),
      limit_(o.limit_),
      start_(o.start_) {}

Slice& Slice::operator=(Slice&& o) noexcept {
  std::swap(target_, o.target_), std::swap(line_, o.line_), std::swap(printed_, o.printed_);
  std::swap(pid_, o.pid_), std::swap(out_, o.out_);
  std::swap(limit_, o.limit_), std::swap(start_, o.start_);
  return *this;
}

Slice::~Slice() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (out_ >= 0) ::close(out_);
}

void Slice::drain() {
  std::array<char, 1 << 14> block{};
  for (;;) {
    const ssize_t n = ::read(out_, block.data(), block.size());
    if (n <= 0) break;
    printed_.append(block.data(), static_cast<size_t>(n));
    if (printed_.size() > kKept) printed_.erase(0, printed_.size() - kKept);
  }
}

std::optional<Verdict> Slice::ended() {
  drain();
  int status = 0;
  const pid_t done = waitpid(pid_, &status, WNOHANG);
  if (done == 0) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (seconds > limit_) ::kill(-pid_, SIGKILL);
    return std::nullopt;
  }
  drain();
  pid_ = -1;
  return verdict(status);
}

Verdict Slice::verdict(int status) const {
  Provenance ran;
  ran.build_id = build_id();
  ran.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const std::string end =
      printable_utf8(printed_.substr(printed_.size() - std::min(printed_.size(), kShown)));
  constexpr int kNoSuchKernel = 2;  // usage: the module lacks what the target needs
  Outcome o = Pass{};
  if (WIFSIGNALED(status)) {
    o = Crash{WTERMSIG(status), end, line_};
  } else if (WEXITSTATUS(status) == kNoSuchKernel) {
    o = Skipped{SkipReason::not_supported_by_kernel, end.substr(0, end.find('\n'))};
  } else if (WEXITSTATUS(status) != 0) {
    o = Crash{0, fmt::format("exit status {}\n{}", WEXITSTATUS(status), end), line_};
  }
  return make_verdict(line_, {std::move(o)}, std::move(ran));
}

std::string Slice::case_line() const {
  constexpr std::string_view kBefore = "w4check rerun '";
  const size_t at = printed_.find(kBefore);
  if (at == printed_.npos) return {};
  const size_t first = at + kBefore.size(), end = printed_.find('\'', first);
  return end == printed_.npos ? "" : printed_.substr(first, end - first);
}

Result<std::vector<std::string>> targets_of(const std::string& w4fuzz) {
  auto started = spawn({w4fuzz, "--list"});
  if (!started) return std::unexpected(started.error());
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    pollfd ready{started->out, POLLIN, 0};
    ::poll(&ready, 1, -1);
    const ssize_t n = ::read(started->out, block.data(), block.size());
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n <= 0) break;
    text.append(block.data(), static_cast<size_t>(n));
  }
  ::close(started->out);
  int status = 0;
  while (waitpid(started->pid, &status, 0) < 0 && errno == EINTR) {
  }
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    if (!name.empty()) out.push_back(name);
  }
  if (status != 0 || out.empty()) return fail("'{} --list' says nothing: {}", w4fuzz, text);
  return out;
}

}  // namespace w4
