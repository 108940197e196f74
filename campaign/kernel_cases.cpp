#include "campaign/kernel_cases.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 3> kDense{"decode", "chunked", "prefill"};
constexpr std::array<std::string_view, 2> kExperts{"moe", "moe_prefill"};

// The same layer without pads, offsets, strides, tiles, shards and bias.
Problem plain(const Problem& p) {
  Problem out;
  out.m = p.m, out.n = p.n, out.k = p.k, out.g = p.g, out.act = p.act, out.zp = p.zp;
  out.experts = p.experts, out.topk = p.topk, out.blockm = p.blockm, out.route = p.route;
  return out;
}

// The cases of one kernel of a module.
class Drawer {
 public:
  Drawer(const w4_kernel& kernel, const ModuleCases& how)
      : how_(how), kind_{kernel.name, kernel.moe != 0}, clauses_(names_in(kernel.clauses)) {
    for (const std::string& d : how.devices) devices_.push_back(d);
    if (devices_.empty()) {
      devices_.push_back(has_code(kernel, "gfx1151") ? "gfx1151" : kernel.archs[0]);
    }
  }

  Result<void> into(std::vector<Case>& out) {
    std::unordered_set<std::string> seen;
    int64_t number = 0, legal = 0;
    // A kernel may take one encoding, one M and one type of what its kind takes.
    for (const int64_t most = 200 * how_.count; legal < how_.count && number < most; ++number) {
      NumberedChooser choose(how_.seed, number);
      Case c = named(kernel_case(kind_, devices_, choose, number));
      if (!broken_by(c).empty() || !seen.insert(to_string(c)).second) continue;
      out.push_back(std::move(c));
      ++legal;
    }
    for (const std::string_view device : devices_) {
      for (Case& edge : lds_edge_cases(kind_, device)) {
        Case c = named(std::move(edge));
        if (broken_by(c).empty() && seen.insert(to_string(c)).second) out.push_back(std::move(c));
      }
    }
    if (legal < how_.count) {
      return fail("the kernel '{}' takes {} of the {} calls that were drawn for it; --count: {}",
                  kind_.name, legal, number, how_.count);
    }
    for (const std::string& clause : clauses_) {
      const auto& known = breakable_clauses();
      const std::string_view name = routed_name(clause).clause;
      if (std::ranges::find(known, name) == known.end()) continue;
      add_broken(name, number++, out);
    }
    return {};
  }

 private:
  std::vector<std::string> broken_by(const Case& c) const {
    const GpuModel* gpu = find_gpu(c.device);
    return broken_clauses(clauses_, c.problem, resolve_reported(c.problem, *gpu));
  }
  Case named(Case c) const {
    c.module = how_.module;
    c.prep.clear();
    return c;
  }
  // From a legal case, where one comes by, so that it breaks little else.
  void add_broken(std::string_view clause, int64_t number, std::vector<Case>& out) const {
    constexpr int kTries = 50;
    for (int i = 0; i < kTries; ++i) {
      NumberedChooser choose(how_.seed, number * 1000 + i);
      Case c = named(kernel_case(kind_, devices_, choose, i));
      if (!broken_by(c).empty()) continue;
      c = named(break_clause(std::move(c), clause, choose));
      if (std::ranges::count(broken_by(c), clause) == 0) continue;
      out.push_back(std::move(c));
      return;
    }
  }

  const ModuleCases& how_;
  KernelKind kind_;
  std::vector<std::string> clauses_;
  std::vector<std::string_view> devices_;
};

}  // namespace

std::vector<std::string_view> generator_rows(const KernelKind& k) {
  const auto known = std::ranges::find(generated_rows(), k.name);
  if (known != generated_rows().end()) return {*known};
  if (k.experts) return {kExperts.begin(), kExperts.end()};
  return {kDense.begin(), kDense.end()};
}

Case kernel_case(const KernelKind& k, std::span<const std::string_view> devices, Chooser& choose,
                 int64_t number) {
  const std::vector<std::string_view> rows = generator_rows(k);
  CaseLimits limits;
  limits.devices = devices;
  Case c = choose_case(choose, limits, rows[static_cast<size_t>(number) % rows.size()]);
  const bool own_row = rows.size() == 1;
  if (!own_row && number / static_cast<int64_t>(rows.size()) % 2 == 1) c.problem = plain(c.problem);
  // A grid that follows the reported count would take its time for a device that nobody has.
  constexpr int64_t kMostUnits = 256;
  if (!own_row && c.problem.cus) c.problem.cus = std::min(*c.problem.cus, kMostUnits);
  c.kernel = k.name;
  return c;
}

std::vector<Case> lds_edge_cases(const KernelKind& k, std::string_view device) {
  std::vector<Case> out;
  constexpr int64_t kStep = 128;  // whole groups of any G
  for (int64_t m = 1; !k.experts && m <= kMaxDecodeM; ++m) {
    const int64_t below = kLdsElements / m / kStep * kStep;
    for (const int64_t lds : {65536, 163840}) {
      for (const int64_t past : {0, 1, 16}) {
        Case c;
        c.kernel = k.name, c.device = device;
        c.problem.m = m, c.problem.n = 8, c.problem.k = below + past * kStep;
        if (lds != 65536) c.problem.lds = lds;
        out.push_back(std::move(c));
      }
    }
  }
  return out;
}

Result<std::vector<Case>> module_cases(const w4_module& table, const ModuleCases& how) {
  std::vector<Case> out;
  std::vector<std::string_view> names;
  for (const w4_kernel& k : std::span(table.kernels, static_cast<size_t>(table.kernel_count))) {
    names.emplace_back(k.name);
    if (!how.kernel.empty() && how.kernel != k.name) continue;
    if (auto done = Drawer(k, how).into(out); !done) return std::unexpected(done.error());
  }
  if (out.empty()) return fail("--kernel: '{}'; legal: {}", how.kernel, fmt::join(names, ", "));
  return out;
}

}  // namespace w4
