#include "campaign/coverage_text.h"

#include <fmt/format.h>

#include "campaign/coverage_rows.h"

namespace w4 {
namespace {

using rdna::ListedInstruction;
using rdna::Listing;

std::string share(uint64_t part, uint64_t whole) {
  const double percent =
      whole == 0 ? 100 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{}/{} {:5.1f} %", part, whole, percent);
}

void kernel_rows(const std::vector<CoveredKernel>& kernels, std::string& out) {
  out += fmt::format("  {:>20} {:>16} {:>9} {:>10}  {:<8} {}\n", "instructions", "edges",
                     "launches", "waves", "arch", "kernel");
  for (const CoveredKernel& k : kernels) {
    const Listing& l = k.listing;
    out += fmt::format(
        "{} {:>20} {:>16} {:>9} {:>10}  {:<8} {}\n", k.counts->launches == 0 ? '!' : ' ',
        share(l.instructions_run, l.instructions), share(l.edges_run, l.edges), k.counts->launches,
        k.counts->waves, k.counts->object->arch(), k.info->demangled);
  }
}

void source_rows(const std::vector<CoveredKernel>& kernels, std::string& out) {
  const std::vector<CoveredLine> lines = covered_lines(kernels);
  if (lines.empty()) return;
  out += fmt::format("\n  {:>20} {:>12} {:>16}  {}\n", "instructions", "kernels", "executions",
                     "source line");
  for (const CoveredLine& l : lines) {
    out += fmt::format("{} {:>20} {:>12} {:>16}  {}:{}\n", l.run == 0 ? '!' : ' ',
                       share(l.run, l.instructions), fmt::format("{}/{}", l.entered, l.kernels),
                       l.count, l.file, l.line);
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

void code_of(const CoveredKernel& k, std::string& out) {
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
  const std::vector<CoveredKernel> kernels = covered_kernels(coverage, names);
  std::string out;
  if (kernels.empty()) return out;
  kernel_rows(kernels, out);
  source_rows(kernels, out);
  for (const CoveredKernel& k : kernels) {
    if (k.counts->launches != 0) code_of(k, out);
  }
  return out;
}

}  // namespace w4
