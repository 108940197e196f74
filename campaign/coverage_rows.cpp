#include "campaign/coverage_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace w4 {
namespace {

using rdna::ListedInstruction;

// "file:line" in the order of files, then numbers.
std::pair<std::string, long> by_number(const std::string& source) {
  const size_t colon = std::min(source.rfind(':'), source.size());
  const std::string number = source.substr(std::min(colon + 1, source.size()));
  return {source.substr(0, colon), std::strtol(number.c_str(), nullptr, 10)};
}

}  // namespace

std::vector<CoveredKernel> covered_kernels(const rdna::Coverage& coverage,
                                           const std::regex& names) {
  std::vector<CoveredKernel> out;
  for (const rdna::KernelCounts* k : coverage.kernels()) {
    const rdna::KernelInfo& info = k->object->kernels()[k->index];
    if (std::regex_search(info.demangled, names)) out.push_back({k, &info, list_code(*k)});
  }
  // What ran is read first; what nothing reached is the list after it.
  std::ranges::sort(out, {}, [](const CoveredKernel& k) {
    return std::tuple(k.counts->launches == 0, k.counts->object->arch(), k.info->demangled);
  });
  return out;
}

std::vector<CoveredLine> covered_lines(const std::vector<CoveredKernel>& kernels) {
  std::map<std::pair<std::string, long>, CoveredLine> lines;
  for (const CoveredKernel& k : kernels) {
    std::map<std::pair<std::string, long>, CoveredLine> mine;
    for (const ListedInstruction& x : k.listing.code) {
      if (x.source.empty()) continue;
      CoveredLine& line = mine[by_number(x.source)];
      ++line.instructions;
      line.run += x.count != 0;
      line.count += x.count;
    }
    for (const auto& [at, m] : mine) {
      CoveredLine& line = lines[at];
      line.instructions += m.instructions;
      line.run += m.run;
      line.count += m.count;
      ++line.kernels;
      line.entered += m.run != 0;
    }
  }
  std::vector<CoveredLine> out;
  for (auto& [at, line] : lines) {
    line.file = at.first;
    line.line = at.second;
    out.push_back(line);
  }
  return out;
}

}  // namespace w4
