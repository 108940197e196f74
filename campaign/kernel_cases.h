// Cases of any kernel, those of other people's modules among them, by the shipped generators: the
// rows of its own name, or those of its kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "kernels/module.h"
#include "verify/cases/chooser.h"

namespace w4 {

struct KernelKind {
  std::string name;
  bool experts = false;
};

std::vector<std::string_view> generator_rows(const KernelKind& k);

// Case `number` of the kernel, on one of `devices`: legal for the rows it is drawn from. Kernels
// with clauses of their own mostly take the plain calls alone, so every other one of theirs has no
// pads, offsets, strides, tiles, shards and bias. No device of theirs has more than 256 units.
Case kernel_case(const KernelKind& k, std::span<const std::string_view> devices, Chooser& choose,
                 int64_t number);

// Calls on both sides of a 64 KiB LDS array of activations, K*M = 32768, that a gate may misjudge,
// where the device reports that much LDS and where it reports 160 KiB: a gate that asks the device
// lets the larger ones through to an array that did not grow. Dense kernels only.
std::vector<Case> lds_edge_cases(const KernelKind& k, std::string_view device);

struct ModuleCases {
  std::string module;   // path, as in a case line
  std::string kernel;   // only this one; empty: all
  int64_t count = 200;  // legal cases of each kernel
  uint64_t seed = 1;
  std::vector<std::string> devices;  // empty: gfx1151, or the first arch the kernel has
};

// Of each kernel of `table`: `count` cases that break none of its clauses, those of the LDS edge
// that do not either, and for each of its clauses one that breaks it. Errors: no such kernel; a
// kernel that takes too few of what is drawn.
Result<std::vector<Case>> module_cases(const w4_module& table, const ModuleCases& how);

}  // namespace w4
