// What the host side takes for granted about the device code it launches: for every object the
// kernels that its instantiation list promises, and of each kernel its LDS array, block, arguments
// and the instructions it exists for. `w4check audit code` holds the objects against it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace w4 {

struct ExpectedArg {
  uint32_t offset, bytes;  // in the kernarg segment, as the launcher's struct has it
  bool address;            // a pointer to global memory
};

struct ExpectedKernel {
  std::string symbol;
  uint32_t lds_bytes = 0;  // static, exactly: the number that the host's rules use
  // Bytes that launches ask for on top, each of them; empty: a launch asks for none.
  std::vector<uint32_t> dynamic_lds{};
  uint32_t threads = 0;  // of the block that is launched
  // Documented mnemonics, alternatives separated by '|'; `needs`: one of each stands in the code,
  // `never`: none does.
  std::vector<std::string_view> needs, never;
};

struct Expectation {
  std::string_view kernel;      // as KernelObject has it
  std::span<const int> groups;  // group sizes compiled for; 0: any
  std::span<const ExpectedArg> args;
  uint32_t arg_bytes;  // passed by the launcher
  // The kernels of the object for a dtype ("f16") and a group size.
  std::vector<ExpectedKernel> (*kernels)(std::string_view act, int group_size);
};

// One for every kernel that has device code; a kernel without one fails the audit.
std::span<const Expectation> expectations();

// Products through dot2 of the activations' type, and none of the other (contract.md 6.10).
void needs_dot2(ExpectedKernel& k, std::string_view act);

// One a kernel, in <kernel>_expectation.cpp.
Expectation decode_expectation();
Expectation chunked_expectation();
Expectation prefill_expectation();
Expectation moe_expectation();
Expectation moe_prefill_expectation();

}  // namespace w4
