// Assembles RDNA text with libLLVM, for decoder tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace w4::rdna {

// Bytes of .text; empty when the text does not assemble (a test failure is recorded).
std::vector<std::byte> assemble(const std::string& arch, const std::string& text);

}  // namespace w4::rdna
