// Random campaigns: legal cases, illegal ones and relations of the kernels in turn.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/streams/stream.h"
#include "core/result.h"
#include "kernels/module.h"

namespace w4 {

// A kernel that cases are drawn for.
struct DrawnKernel {
  std::string name;
  bool experts = false;
  std::vector<std::string> breakable{};  // its clauses that a way of breaking is known for
};
// Of a table, with what it declares. `names`: only these; empty: all. The error names the kernel
// that is not there and those that are.
Result<std::vector<DrawnKernel>> drawn_kernels(const w4_module& table,
                                               const std::vector<std::string>& names);

struct DrawPlan {
  std::vector<DrawnKernel> kernels;  // at least one
  uint64_t seed = 1;
  std::vector<std::string> devices;  // emulated archs to choose from, at least one
  std::string module{};              // of every case; empty: built in
};

// Without end. Of every eight cases of a kernel four are legal ones, two have a law, and two break
// a clause or have no rows: three, until as many have been broken as the longest list of clauses
// has.
std::unique_ptr<const Numbered> random_cases(DrawPlan plan);
// Without end: relations only, others than those of random_cases.
std::unique_ptr<const Numbered> law_cases(DrawPlan plan);

// random_cases of built-in rows on gfx1151.
std::unique_ptr<Stream> random_stream(std::vector<std::string> rows, uint64_t seed);

}  // namespace w4
