// Assembles RDNA text with libLLVM, for decoder tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace w4::rdna {

// Bytes of .text; empty when the text does not assemble (a test failure is recorded).
std::vector<std::byte> assemble(const std::string& arch, const std::string& text);

// Each line one instruction: which of them MC takes on that arch, and the bytes of those.
struct Batch {
  std::vector<bool> accepted;
  std::vector<std::byte> bytes;
};
Batch assemble_lines(const std::string& arch, const std::vector<std::string>& lines);

}  // namespace w4::rdna
