#include "campaign/coverage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "rdna/listing.h"

namespace w4 {
namespace {

using rdna::KernelCounts;
using rdna::ListedInstruction;
using rdna::Listing;

struct Kernel {
  const KernelCounts* counts;
  const rdna::KernelInfo* info;
  Listing listing;
};

std::vector<Kernel> chosen(const rdna::Coverage& coverage, const std::regex& names) {
  std::vector<Kernel> out;
  for (const KernelCounts* k : coverage.kernels()) {
    const rdna::KernelInfo& info = k->object->kernels()[k->index];
    if (std::regex_search(info.demangled, names)) out.push_back({k, &info, list_code(*k)});
  }
  // What ran is read first; what nothing reached is the list after it.
  std::ranges::sort(out, {}, [](const Kernel& k) {
    return std::tuple(k.counts->launches == 0, k.counts->object->arch(), k.info->demangled);
  });
  return out;
}

std::string share(uint64_t part, uint64_t whole) {
  const double percent =
      whole == 0 ? 100 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{}/{} {:5.1f} %", part, whole, percent);
}

void kernel_rows(const std::vector<Kernel>& kernels, std::string& out) {
  out += fmt::format("  {:>20} {:>16} {:>9} {:>10}  {:<8} {}\n", "instructions", "edges",
                     "launches", "waves", "arch", "kernel");
  for (const Kernel& k : kernels) {
    const Listing& l = k.listing;
    out += fmt::format(
        "{} {:>20} {:>16} {:>9} {:>10}  {:<8} {}\n", k.counts->launches == 0 ? '!' : ' ',
        share(l.instructions_run, l.instructions), share(l.edges_run, l.edges), k.counts->launches,
        k.counts->waves, k.counts->object->arch(), k.info->demangled);
  }
}

// "file:line" in the order of files, then numbers.
std::pair<std::string, long> by_number(const std::string& source) {
  const size_t colon = std::min(source.rfind(':'), source.size());
  const std::string number = source.substr(std::min(colon + 1, source.size()));
  return {source.substr(0, colon), std::strtol(number.c_str(), nullptr, 10)};
}

void source_rows(const std::vector<Kernel>& kernels, std::string& out) {
  struct Line {
    uint64_t instructions = 0, run = 0, count = 0;
    int kernels = 0, entered = 0;
  };
  std::map<std::pair<std::string, long>, Line> lines;
  for (const Kernel& k : kernels) {
    std::map<std::pair<std::string, long>, Line> mine;
    for (const ListedInstruction& x : k.listing.code) {
      if (x.source.empty()) continue;
      Line& line = mine[by_number(x.source)];
      ++line.instructions;
      line.run += x.count != 0;
      line.count += x.count;
    }
    for (const auto& [at, m] : mine) {
      Line& line = lines[at];
      line.instructions += m.instructions;
      line.run += m.run;
      line.count += m.count;
      ++line.kernels;
      line.entered += m.run != 0;
    }
  }
  if (lines.empty()) return;
  out += fmt::format("\n  {:>20} {:>12} {:>16}  {}\n", "instructions", "kernels", "executions",
                     "source line");
  for (const auto& [at, l] : lines) {
    out += fmt::format("{} {:>20} {:>12} {:>16}  {}:{}\n", l.run == 0 ? '!' : ' ',
                       share(l.run, l.instructions), fmt::format("{}/{}", l.entered, l.kernels),
                       l.count, at.first, at.second);
  }
}

std::string branch_text(const ListedInstruction& x) {
  using Control = ListedInstruction::Control;
  if (x.control == Control::conditional) {
    return fmt::format("-> {:#x}: taken {}, not {}{}", x.target, x.taken, x.fell,
                       x.count != 0 && (x.taken == 0 || x.fell == 0) ? " !" : "");
  }
  if (x.control == Control::jump || x.control == Control::call) {
    return fmt::format("-> {:#x}", x.target);
  }
  return "";
}

void code_of(const Kernel& k, std::string& out) {
  out += fmt::format(
      "\n{} on {}: instructions {}, edges {}, {} launches, {} waves\n", k.info->demangled,
      k.counts->object->arch(), share(k.listing.instructions_run, k.listing.instructions),
      share(k.listing.edges_run, k.listing.edges), k.counts->launches, k.counts->waves);
  const ListedInstruction* before = nullptr;
  for (const ListedInstruction& x : k.listing.code) {
    if (before != nullptr && before->pc + before->size != x.pc) out += "  ...\n";
    const std::string source = before != nullptr && before->source == x.source ? "" : x.source;
    std::string line = fmt::format("{} {:>12} {:#08x}  {:<56} {:<18} {}", x.count == 0 ? '!' : ' ',
                                   x.count == 0 ? "never" : fmt::format("{}", x.count), x.pc,
                                   x.text, source, branch_text(x));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
    before = &x;
  }
}

}  // namespace

std::string coverage_text(const rdna::Coverage& coverage, const std::regex& names) {
  const std::vector<Kernel> kernels = chosen(coverage, names);
  std::string out;
  if (kernels.empty()) return out;
  kernel_rows(kernels, out);
  source_rows(kernels, out);
  for (const Kernel& k : kernels) {
    if (k.counts->launches != 0) code_of(k, out);
  }
  return out;
}

}  // namespace w4
