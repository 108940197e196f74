// Address to file:line through the object's DWARF line tables. Made only when a finding is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace w4::rdna {

class SourceLines {
 public:
  explicit SourceLines(std::span<const std::byte> elf);  // must outlive this
  ~SourceLines();
  std::string at(uint64_t pc) const;  // "file:line" without directories, or empty

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4::rdna
