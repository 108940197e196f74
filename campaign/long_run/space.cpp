#include "campaign/long_run/space.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace w4 {

bool lacks_space(const std::string& path) {
  constexpr size_t kBytes = size_t{1} << 20;
  const std::string beside = path + ".space";
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return errno == ENOSPC || errno == EDQUOT;
  const std::vector<char> zeros(kBytes);
  size_t written = 0;
  int cause = 0;
  while (written < kBytes && cause == 0) {
    const ssize_t n = ::write(fd, zeros.data() + written, kBytes - written);
    if (n > 0) written += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) cause = errno;
  }
  ::close(fd);
  ::unlink(beside.c_str());
  return cause == ENOSPC || cause == EDQUOT || cause == EFBIG;
}

}  // namespace w4
