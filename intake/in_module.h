// Which function of a module the process is in, kept in memory that outlives it: what a crash, an
// exit or a hang in native code is laid at. One process at a time writes, its parent reads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace w4 {

// Bytes of such a memory.
inline constexpr size_t kPlaceBytes = 512;

// From now on places are kept there, as text that ends in NUL; empty: nowhere.
void keep_place_in(std::span<char> memory);

// In `function` of that kernel (empty: of the module as a whole) until the end of the scope; the
// outer place stands there again then.
class InModule {
 public:
  InModule(std::string_view function, std::string_view kernel, std::string_view module);
  ~InModule();
  InModule(const InModule&) = delete;

 private:
  std::string outer_;
};

}  // namespace w4
