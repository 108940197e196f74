#include "devices/guarded_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace w4 {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

Result<GuardedPages> GuardedPages::make(size_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() / 2) return fail("no memory for {} bytes", bytes);
  const size_t size = (bytes + kPage - 1) / kPage * kPage;
  // Not reserved: a huge buffer costs what is touched.
  void* const all = mmap(nullptr, size + 2 * kPage, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return fail("no memory for {} bytes: {}", bytes, std::strerror(errno));
  GuardedPages pages({static_cast<std::byte*>(all) + kPage, size});
  if (size > 0 && mprotect(pages.begin(), size, PROT_READ | PROT_WRITE) != 0) {
    return fail("no memory for {} bytes: {}", bytes, std::strerror(errno));
  }
  return pages;
}

GuardedPages::GuardedPages(GuardedPages&& other) noexcept
    : memory_(std::exchange(other.memory_, {})) {}

GuardedPages& GuardedPages::operator=(GuardedPages&& other) noexcept {
  std::swap(memory_, other.memory_);
  return *this;
}

GuardedPages::~GuardedPages() {
  if (memory_.data() != nullptr) munmap(begin() - kPage, size() + 2 * kPage);
}

}  // namespace w4
