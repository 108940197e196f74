// Pages of host memory between two that trap: what runs past its end dies at once.
#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"

namespace w4 {

class GuardedPages {
 public:
  // Zeroed; `bytes` are rounded up to whole pages. Error: no memory.
  static Result<GuardedPages> make(size_t bytes);
  GuardedPages(GuardedPages&& other) noexcept;
  GuardedPages& operator=(GuardedPages&& other) noexcept;
  ~GuardedPages();

  std::byte* begin() const { return memory_.data(); }
  std::byte* end() const { return memory_.data() + memory_.size(); }
  size_t size() const { return memory_.size(); }

 private:
  explicit GuardedPages(std::span<std::byte> memory) : memory_(memory) {}
  std::span<std::byte> memory_;
};

}  // namespace w4
