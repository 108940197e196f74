// What of the kernels' machine code ran, by kernel and by source line: what coverage for people and
// for reports is made of.
#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "rdna/coverage.h"
#include "rdna/listing.h"

namespace w4 {

struct CoveredKernel {
  const rdna::KernelCounts* counts;
  const rdna::KernelInfo* info;
  rdna::Listing listing;
};

// Kernels whose demangled name has a match of `names`; those that ran first, then by arch and name.
std::vector<CoveredKernel> covered_kernels(const rdna::Coverage& coverage, const std::regex& names);

struct CoveredLine {
  std::string file;
  long line = 0;
  // Of all kernels: instructions that come from it, those that ran, how often.
  uint64_t instructions = 0, run = 0, count = 0;
  int kernels = 0, entered = 0;  // that have it, in which it ran
};

// By file, then number.
std::vector<CoveredLine> covered_lines(const std::vector<CoveredKernel>& kernels);

}  // namespace w4
