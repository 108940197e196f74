// From a kernel's packed arguments to a call of the kernel compiled for the CPU.
#pragma once

#include <array>
#include <cstring>
#include <utility>

#include "kernels/device.h"

namespace w4::device {

// Offsets of arguments that follow each other at their natural alignment, as in the kernarg
// segment; the last entry is where they end.
template <class... Args>
constexpr auto argument_offsets() {
  std::array<size_t, sizeof...(Args) + 1> at{};
  size_t i = 0, end = 0;
  ((at[i] = (end + alignof(Args) - 1) / alignof(Args) * alignof(Args),
    end = at[i++] + sizeof(Args)),
   ...);
  at[i] = end;
  return at;
}

template <auto kernel>
struct HostEntry;

template <class... Args, void (*kernel)(Args...)>
struct HostEntry<kernel> {
  static constexpr auto kOffsets = argument_offsets<Args...>();

  static void run(HostLane& lane, const void* args) {
    this_lane = &lane;
    [&]<size_t... i>(std::index_sequence<i...>) {
      kernel(read<Args>(args, kOffsets[i])...);
    }(std::index_sequence_for<Args...>{});
  }
  static constexpr HostKernel row(const char* symbol) { return {symbol, kOffsets.back(), run}; }

 private:
  template <class T>
  static T read(const void* args, size_t at) {
    T value;
    std::memcpy(&value, static_cast<const std::byte*>(args) + at, sizeof(T));
    return value;
  }
};

}  // namespace w4::device
