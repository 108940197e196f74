#include "campaign/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "intake/in_module.h"

extern char** environ;

namespace w4 {
namespace {

constexpr size_t kTail = 4096;

struct Pipe {
  int read = -1, write = -1;
  Result<void> open() {
    std::array<int, 2> fds{};
    if (pipe2(fds.data(), O_CLOEXEC) != 0) return fail("pipe: {}", std::strerror(errno));
    read = fds[0], write = fds[1];
    return {};
  }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
};

// Appends what `fd` has; false at end of file.
bool drain(int fd, std::string& to) {
  std::array<char, 1 << 16> block{};
  for (;;) {
    const ssize_t n = ::read(fd, block.data(), block.size());
    if (n > 0) {
      to.append(block.data(), static_cast<size_t>(n));
      if (static_cast<size_t>(n) < block.size()) return true;
    } else if (n == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

}  // namespace

Result<Child> Child::spawn(std::vector<std::string> options, const std::string& executable) {
  Pipe in, out, err;
  for (Pipe* p : {&in, &out, &err}) {
    if (auto opened = p->open(); !opened) return std::unexpected(opened.error());
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  const int place = memfd_create("w4check place", MFD_CLOEXEC);
  if (place < 0 || ftruncate(place, kPlaceBytes) != 0) {
    const int why = errno;
    if (place >= 0) ::close(place);
    return fail("memfd: {}", std::strerror(why));
  }
  posix_spawn_file_actions_adddup2(&actions, place, kPlaceFd);
  // A group of its own: Ctrl-C reaches the parent only, which decides.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words{"w4check", "worker"};
  words.insert(words.end(), std::move_iterator(options.begin()), std::move_iterator(options.end()));
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  Child child;
  void* const shared = mmap(nullptr, kPlaceBytes, PROT_READ, MAP_SHARED, place, 0);
  if (shared != MAP_FAILED) child.place_ = static_cast<char*>(shared);
  const char* const program = executable.empty() ? "/proc/self/exe" : executable.c_str();
  const int rc = posix_spawn(&child.pid_, program, &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(place);
  if (rc != 0) {
    child.pid_ = -1;
    return fail("cannot start a worker: {}", std::strerror(rc));
  }
  child.in_ = std::exchange(in.write, -1);
  child.out_ = std::exchange(out.read, -1);
  child.err_ = std::exchange(err.read, -1);
  fcntl(child.out_, F_SETFL, O_NONBLOCK);
  fcntl(child.err_, F_SETFL, O_NONBLOCK);
  return child;
}

Child::Child(Child&& o) noexcept
    : pid_(std::exchange(o.pid_, -1)),
      in_(std::exchange(o.in_, -1)),
      out_(std::exchange(o.out_, -1)),
      err_(std::exchange(o.err_, -1)),
      place_(std::exchange(o.place_, nullptr)),
      buffer_(std::move(o.buffer_)),
      tail_(std::move(o.tail_)) {}

Child& Child::operator=(Child&& o) noexcept {
  std::swap(pid_, o.pid_), std::swap(in_, o.in_), std::swap(out_, o.out_), std::swap(err_, o.err_);
  std::swap(place_, o.place_);
  std::swap(buffer_, o.buffer_), std::swap(tail_, o.tail_);
  return *this;
}

Child::~Child() {
  if (pid_ > 0) reap(true);
  if (place_ != nullptr) munmap(place_, kPlaceBytes);
}

bool Child::send(const std::string& line) {
  // What it has printed so far belongs to the lines before.
  read_stderr();
  tail_.clear();
  const std::string text = line + "\n";
  // At most 4096 characters: fits an empty pipe, so that this never waits.
  size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t n = ::write(in_, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

void Child::read_stderr() {
  drain(err_, tail_);
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
}

int64_t Child::resident_bytes() const {
  std::ifstream in(fmt::format("/proc/{}/statm", pid_));
  int64_t size = 0, resident = 0;
  if (!(in >> size >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

std::string Child::place() const {
  if (place_ == nullptr) return {};
  // Native code may have written anything there.
  return {place_, strnlen(place_, kPlaceBytes)};
}

bool Child::read_stdout() { return drain(out_, buffer_); }

std::optional<std::string> Child::next_line() {
  const size_t end = buffer_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

Death Child::reap(bool kill_first) {
  if (kill_first) ::kill(pid_, SIGKILL);
  if (in_ >= 0) ::close(std::exchange(in_, -1));  // an idle worker ends with its input
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  read_stderr();
  Death d{WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
          std::move(tail_), place()};
  close_all();
  return d;
}

void Child::close_all() {
  for (int* fd : {&in_, &out_, &err_}) {
    if (*fd >= 0) ::close(std::exchange(*fd, -1));
  }
}

}  // namespace w4
