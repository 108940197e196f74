#include "campaign/long_run/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace w4 {
namespace {

int holder_in(int fd) {
  std::array<char, 32> text{};
  const ssize_t n = ::pread(fd, text.data(), text.size(), 0);
  int pid = 0;
  if (n > 0) std::from_chars(text.data(), text.data() + n, pid);
  return pid;
}

}  // namespace

Result<CampaignLock> CampaignLock::take(const std::string& path) {
  CampaignLock lock;
  lock.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock.fd_ < 0) return fail("cannot write '{}': {}", path, std::strerror(errno));
  if (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail("cannot lock '{}': {}", path, std::strerror(errno));
    return fail("a campaign of process {} runs on this store; wait for its end, or give another",
                holder_in(lock.fd_));
  }
  // For people: nothing depends on it, so that a full disk is no error here.
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.fd_, 0) == 0) (void)!::pwrite(lock.fd_, pid.data(), pid.size(), 0);
  return lock;
}

CampaignLock::CampaignLock(CampaignLock&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}

CampaignLock& CampaignLock::operator=(CampaignLock&& o) noexcept {
  std::swap(fd_, o.fd_);
  return *this;
}

CampaignLock::~CampaignLock() {
  if (fd_ >= 0) ::close(fd_);
}

bool is_locked(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return locked;
}

}  // namespace w4
