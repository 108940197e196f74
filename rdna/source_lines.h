// Address to source lines through the object's DWARF: the line and the calls it was inlined into.
// Made only when a finding is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace w4::rdna {

class SourceLines {
 public:
  explicit SourceLines(std::span<const std::byte> elf);  // must outlive this
  ~SourceLines();
  // "device.h:83 in swap_rows < decode.hip:140 in row_sum < decode.hip:201": the innermost first,
  // without directories; the last frame is the kernel or device function that holds pc. Of more
  // than kFrames the middle ones are counted. Frames without a line are left out; empty: no line.
  static constexpr size_t kFrames = 6;
  std::string at(uint64_t pc) const;
  // "/path/device.h:83" of the same places, the innermost first, without what at() leaves out in
  // the middle: for whoever wants to show the text of a line.
  std::vector<std::string> files_at(uint64_t pc) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// "file:line" of what SourceLines::at gives: the innermost place alone.
inline std::string innermost(const std::string& place) { return place.substr(0, place.find(' ')); }

}  // namespace w4::rdna
