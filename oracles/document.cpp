#include "oracles/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "oracles/classic.h"
#include "oracles/faults.h"

namespace w4 {
namespace {

struct Rate {
  int64_t hit = 0, of = 0;
  void add(bool yes) { hit += yes, ++of; }
};
// 100 and 0 are exact, what lies between is neither.
std::string text(const Rate& r) {
  if (r.of == 0) return "-";
  if (r.hit == 0 || r.hit == r.of) return r.hit == 0 ? "0" : "100";
  const double percent = 100.0 * static_cast<double>(r.hit) / static_cast<double>(r.of);
  return percent < 1 || percent > 99 ? fmt::format("{:.1f}", std::clamp(percent, 0.1, 99.9))
                                     : fmt::format("{:.0f}", percent);
}

using Rates = std::vector<Rate>;  // by oracle

std::string row(std::string_view head, const Rates& rates) {
  std::string out = fmt::format("| {} |", head);
  for (const Rate& r : rates) out += fmt::format(" {} |", text(r));
  return out + "\n";
}

class Counts {
 public:
  explicit Counts(const OracleRuns& runs) : runs_(runs), oracles_(oracle_names().size()) {
    for (const OracleRun& r : runs.clean) clean_[key(r)] = r.rejected;
    count_false_alarms();
    count_catches();
  }

  Rates false_alarms, all;
  std::map<Fill, Rates> by_fill;
  std::map<std::string, Rates> by_kernel;  // "decode f16"
  std::map<size_t, Rates> by_fault;
  std::map<size_t, std::map<std::string, Rate>> ours;  // by fault and kernel, the last oracle
  int64_t instances = 0, silent = 0;

 private:
  using Key = std::tuple<size_t, DType, Fill, uint64_t>;
  static Key key(const OracleRun& r) { return {r.line, r.act, r.fill, r.seed}; }

  // Rejected, and the clean run of the same data is not.
  uint32_t caught(const OracleRun& r) const {
    return r.visible ? r.rejected & ~clean_.at(key(r)) : 0;
  }
  void add(Rates& to, uint32_t bits) const {
    to.resize(oracles_);
    for (size_t o = 0; o < oracles_; ++o) to[o].add((bits >> o & 1) != 0);
  }

  void count_false_alarms() {
    false_alarms.resize(oracles_);
    for (const OracleRun& r : runs_.clean) {
      for (size_t o = 0; o < oracles_; ++o) {
        if (looks_at(o, r.fill)) false_alarms[o].add((r.rejected >> o & 1) != 0);
      }
    }
  }

  // A fault of one kernel, size, dtype and seed, met on every fill: caught where it is caught on
  // one of them.
  void count_catches() {
    std::map<std::tuple<size_t, DType, uint64_t, size_t>, std::pair<bool, uint32_t>> met;
    for (const OracleRun& r : runs_.faulty) {
      auto& [visible, bits] = met[{r.line, r.act, r.seed, r.fault}];
      visible = visible || r.visible;
      bits |= caught(r);
      if (!r.visible) continue;
      Rates& of_fill = by_fill[r.fill];
      of_fill.resize(oracles_);
      for (size_t o = 0; o < oracles_; ++o) {
        if (looks_at(o, r.fill)) of_fill[o].add((caught(r) >> o & 1) != 0);
      }
    }
    for (const auto& [instance, result] : met) {
      const auto& [line, act, seed, fault] = instance;
      if (!result.first) {
        ++silent;
        continue;
      }
      ++instances;
      const std::string& text = runs_.plan.lines[line];
      const std::string kernel = fmt::format("{} {}", text.substr(0, text.find(' ')), name_of(act));
      add(all, result.second);
      add(by_kernel[kernel], result.second);
      add(by_fault[fault], result.second);
      ours[fault][kernel].add((result.second >> (oracles_ - 1) & 1) != 0);
    }
  }

  const OracleRuns& runs_;
  size_t oracles_;
  std::map<Key, uint32_t> clean_;
};

std::string header(std::string_view first) {
  std::string names = fmt::format("| {} |", first), line = "|---|";
  for (size_t o = 1; o <= oracle_names().size(); ++o) {
    names += fmt::format(" {} |", o);
    line += "--:|";
  }
  return names + "\n" + line + "\n";
}

std::string oracle_table(const OracleRuns& runs, const Counts& c) {
  std::string out = "| | oracle | rule | who | caught |", line = "|--:|---|---|---|--:|";
  for (const Fill f : runs.plan.fills) {
    out += fmt::format(" {} |", name_of(f));
    line += "--:|";
  }
  out += " false alarms |\n" + line + "--:|\n";
  const auto classic = classic_oracles();
  const auto names = oracle_names();
  for (size_t o = 0; o < names.size(); ++o) {
    const bool is_classic = o < classic.size();
    const std::string_view rule = is_classic ? classic[o].rule
                                  : o == classic.size()
                                      ? "store(y~ - B) <= y <= store(y~ + B)"
                                      : "the same, and no drift (core/drift.h) of over 6 sigma";
    std::string escaped;
    for (const char ch : rule) escaped += ch == '|' ? std::string("\\|") : std::string(1, ch);
    out += fmt::format("| {} | {} | {} | {} | {} |", o + 1, names[o], escaped,
                       is_classic ? classic[o].user : "w4check", text(c.all[o]));
    for (const Fill f : runs.plan.fills) {
      const auto at = c.by_fill.find(f);
      out += fmt::format(" {} |", at == c.by_fill.end() ? "-" : text(at->second[o]));
    }
    out += fmt::format(" {} |\n", text(c.false_alarms[o]));
  }
  return out;
}

std::string misses(const Counts& c) {
  std::string out;
  for (const auto& [fault, kernels] : c.ours) {
    std::string where;
    for (const auto& [kernel, rate] : kernels) {
      if (rate.hit < rate.of)
        where += fmt::format("{}{} {} of {}", where.empty() ? "" : ", ", kernel, rate.of - rate.hit,
                             rate.of);
    }
    if (!where.empty()) out += fmt::format("- `{}`: {}\n", faults()[fault].name, where);
  }
  return out.empty() ? "Nothing on this list.\n" : out;
}

constexpr std::string_view kIntroduction =
    R"(# Oracles compared

Written by `ci/oracle_table.sh`; the same on every machine. How often does an oracle notice that a
W4A16 kernel computes with a fault, and how often does it cry over a clean one?

- **Clean runs** are the kernels' machine code on the emulator. So are runs with a fault that comes
  to the right product of wrong numbers (a neighbour's scale, a zero point off by one, a dropped k, a
  stale activation, …): the kernel is handed the numbers that the faulty one would in effect use.
- **Faults inside the arithmetic** (sums in 16 bits, a store that cuts off, …) cannot be handed in.
  They run in a simulation of the kernel's declaration with one step broken; without the breach it
  gives the machine code's bits on every fill, dtype and arithmetic model
  (`tests/oracles/machine_code_test.cpp`).
- y is the output, r the reference that users know (Eigen's fp32 product of the dequantised weights,
  bias added, one rounding), y* the exact sum, y~ the declared twin, S = sum |a||w|.
- **An instance** is one fault in one kernel, size, dtype and seed, run on every fill. It is caught by
  an oracle that on one of the fills rejects the faulty run and accepts the clean one on the same
  data. Instances in which the fault changes no bit on any fill are not counted. The columns of the
  fills count runs in which it changes a bit.
- **False alarms** are rejected clean runs, of all of them. `small integers` looks at fill=integer
  only; its false alarms are exact sums of 0 of which the adder of gfx11 leaves a remainder of 1e-6
  (rdna/isa/README.md). Those of the tolerances on r are rounded weights, which prefill kernels
  declare and r does not know.
- Thresholds without a name are ours. Means over all outputs are what dilutes a fault in one column
  or one group; a tolerance relative to r is blind where y is large and cries where it is near 0.
)";

}  // namespace

std::string document(const OracleRuns& runs) {
  const Counts c(runs);
  std::string out(kIntroduction);
  out += fmt::format(
      "\n{} faults, {} kernels and sizes, {} dtypes, seeds {} to {}, {} fills: {} runs with a "
      "fault, "
      "{} instances that change a bit ({} do not); {} clean runs. Percent:\n\n",
      faults().size(), runs.plan.lines.size(), runs.plan.types.size(), runs.plan.seeds.front(),
      runs.plan.seeds.back(), runs.plan.fills.size(), runs.faulty.size(), c.instances, c.silent,
      runs.clean.size());
  out += oracle_table(runs, c);
  out +=
      "\n## Caught, by kernel and dtype\n\nPercent of instances; columns as numbered above.\n\n" +
      header("kernel");
  for (const auto& [kernel, rates] : c.by_kernel) out += row(kernel, rates);
  out += "\n## Caught, by fault\n\n" + header("fault");
  for (const auto& [fault, rates] : c.by_fault) out += row(faults()[fault].name, rates);
  out +=
      "\n## What the interval with the drift misses\n\nInstances of the numbers given. Such "
      "an "
      "output is one that a kernel of this declaration may give on this data (its interval "
      "reaches that far), or the data does not show the fault.\n\n" +
      misses(c);
  out += "\n## The faults\n\n| fault | what | run by |\n|---|---|---|\n";
  for (const Fault& f : faults())
    out += fmt::format("| `{}` | {} | {} |\n", f.name, f.says,
                       f.change ? "machine code" : "simulation");
  out += "\n## The kernels and sizes\n\n";
  for (const std::string& line : runs.plan.lines) out += fmt::format("- `{}`\n", line);
  return out;
}

}  // namespace w4
