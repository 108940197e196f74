#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "campaign/commands.h"
#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "kernels/table.h"
#include "rdna/captured.h"
#include "rdna/catalogue.h"

namespace w4 {
namespace {

std::vector<std::string_view> strings(const char* const* list) {
  std::vector<std::string_view> out;
  for (; list != nullptr && *list != nullptr; ++list) out.emplace_back(*list);
  return out;
}

void kernels() {
  const w4_module& m = builtin_module();
  for (int32_t i = 0; i < m.kernel_count; ++i) {
    const w4_kernel& k = m.kernels[i];
    fmt::print("  {}: {}\n    archs: {}\n    clauses, in order: {}\n", k.name, k.says,
               fmt::join(strings(k.archs), " "), fmt::join(strings(k.clauses), " "));
    if (k.numerics_of != nullptr) fmt::print("    numerics: of the kernel that takes the call\n");
    if (k.numerics != nullptr) fmt::print("    numerics: {}\n", k.numerics->text);
  }
}

void devices() {
  fmt::print("  emulated, `device=` and --device:\n");
  for (const GpuModel& g : gpu_models()) {
    fmt::print("    {}  wave {}, reports {} WGPs as its CU count and {} bytes of LDS per block\n",
               g.arch, g.wave, g.wgps, g.lds_per_block);
  }
  fmt::print(
      "  host: the same kernels compiled for the CPU, lanes as fibers; values only (checks= and "
      "sched=\n    have no meaning), reports what gfx1151 does; for a second opinion and for gdb\n"
      "  hip, cuda: the first AMD (RDNA3 to 4) or NVIDIA GPU, through the driver that is "
      "installed;\n    cases are skipped where there is none\n");
}

void suite_list() {
  for (const Suite& s : suites()) {
    fmt::print("  {} ({} cases): {}\n", s.name, s.cases(1).size(), s.says);
  }
}

void key_values(std::string_view key) {
  const auto help = std::ranges::find(case_keys(), key, &KeyHelp::key);
  fmt::print("  {}= {}\n    {}; default {}\n", help->key, help->legal, help->meaning,
             help->fallback);
}

void checks() { key_values("checks"); }
void fills() { key_values("fill"); }

void laws() {
  for (const Law l : all_laws()) fmt::print("  {:<14} {}\n", name_of(l), says_of(l));
}

void clauses() {
  fmt::print(
      "  in brackets, who has it: public versions of the decode op (V1 vllm#40977, V2 vllm#54965,\n"
      "  V3 vllm#57199; F1 and F2 the fork before and after ROCm#1076), w4check where none of "
      "them\n"
      "  checks it, kernels other than decode, kernels with a manifest\n");
  for (const Clause& c : all_clauses()) {
    fmt::print("  {:<16} {} ({})\n", c.name, c.says, c.versions);
  }
}

void keys() {
  fmt::print("  A case line: the kernel, then key=value in any order.\n");
  for (const KeyHelp& k : case_keys()) {
    fmt::print("  {:<7} {}\n          legal: {}; default: {}\n", k.key, k.meaning, k.legal,
               k.fallback.empty() ? "none" : k.fallback);
  }
}

void instructions() {
  fmt::print("  {} mnemonics; whatever is not here ends a case as Unsupported\n",
             rdna::all_rows().size());
  fmt::print("  {:<28} {:<8} {:<13} {:<13} {:<10} {}\n", "mnemonic", "class", "family", "test",
             "undefined", "rests on; exceptions [source]");
  for (const rdna::Row* r : rdna::all_rows()) {
    fmt::print("  {:<28} {:<8} {:<13} {:<13} {:<10} {}", r->mnemonic, rdna::isa_class(r->mnemonic),
               r->family, rdna::test_of(*r), rdna::name_of(r->flow),
               rdna::name_of(rdna::evidence_of(*r)));
    if (const std::string by = rdna::captures_of(r->mnemonic); !by.empty()) fmt::print(" ({})", by);
    for (const rdna::NumericException& e : rdna::numeric_exceptions(r->mnemonic))
      fmt::print("; {} [{}]", e.says, e.source);
    fmt::print("\n");
  }
}

struct Section {
  std::string_view name;
  void (*print)();
  bool on_request = false;  // too long for a plain `list`
};
constexpr std::array<Section, 10> kSections{{{"kernels", kernels},
                                             {"devices", devices},
                                             {"suites", suite_list},
                                             {"checks", checks},
                                             {"fills", fills},
                                             {"laws", laws},
                                             {"clauses", clauses},
                                             {"keys", keys},
                                             {"hypotheses", list_hypotheses, true},
                                             {"instructions", instructions, true}}};

}  // namespace

int list_command(const ListCommand& c) {
  if (c.what == "coverage") return list_coverage(c);
  bool known = c.what.empty();
  for (const Section& s : kSections) {
    if (c.what.empty() ? s.on_request : c.what != s.name) continue;
    known = true;
    fmt::print("{}\n", s.name);
    s.print();
  }
  if (known) return kGreen;
  std::vector<std::string_view> names;
  for (const Section& s : kSections) names.push_back(s.name);
  names.emplace_back("coverage");
  return usage_error(
      fmt::format("list: '{}' is not known; legal: {}", c.what, fmt::join(names, ", ")));
}

}  // namespace w4
