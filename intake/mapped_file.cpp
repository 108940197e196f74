#include "intake/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace w4 {

Result<MappedFile> MappedFile::open(const std::string& path) {
  // Not blocking: a pipe nobody writes to would hang here.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail("'{}': {}", path, errno == ENOENT ? "no such file" : std::strerror(errno));
  MappedFile out;
  struct stat status{};
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<size_t>(regular ? status.st_size : 0);
  void* at = size ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : nullptr;
  const int why = errno;
  ::close(fd);
  if (S_ISDIR(status.st_mode)) return fail("'{}' is a directory; legal: a file", path);
  if (!regular) return fail("'{}' is no regular file", path);
  if (at == MAP_FAILED) return fail("'{}': {}", path, std::strerror(why));
  if (at) {
    out.bytes_ = {static_cast<const std::byte*>(at), size};
    out.mapping_ = std::shared_ptr<const void>(
        at, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  }
  return out;
}

}  // namespace w4
