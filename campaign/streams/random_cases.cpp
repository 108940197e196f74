#include "campaign/streams/random_cases.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "campaign/kernel_cases.h"
#include "core/contract.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/law_cases.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

constexpr int64_t kTurns = 8;

std::vector<std::string> breakable(const w4_kernel& k) {
  std::vector<std::string> out;
  for (const std::string& declared : names_in(k.clauses)) {
    const std::string name(routed_name(declared).clause);
    if (std::ranges::find(breakable_clauses(), name) != breakable_clauses().end())
      out.push_back(name);
  }
  return out;
}

// What both draw with: the kernels in turn, each of them through its turns.
class Drawing {
 public:
  explicit Drawing(DrawPlan plan) : plan_(std::move(plan)) {
    for (const std::string& d : plan_.devices) devices_.push_back(d);
  }
  Drawing(const Drawing&) = delete;

  int64_t kernels() const { return static_cast<int64_t>(plan_.kernels.size()); }
  const DrawnKernel& kernel_of(int64_t number) const {
    return plan_.kernels[static_cast<size_t>(number % kernels())];
  }
  uint64_t seed() const { return plan_.seed; }
  const DrawPlan& plan() const { return plan_; }

  Case legal(const DrawnKernel& k, Chooser& choose, int64_t number, bool far_rows) const {
    const auto rows = rows_of(k);
    // A kernel of another name takes the plain calls alone, as a rule.
    if (rows.size() > 1) return kernel_case({k.name, k.experts}, devices_, choose, number);
    CaseLimits limits = of_devices();
    limits.far_rows = far_rows;
    return choose_case(choose, limits, rows.front());
  }
  Case relation(const DrawnKernel& k, Chooser& choose, int64_t number) const {
    const auto rows = rows_of(k);
    return choose_law_case(choose, of_devices(), rows[static_cast<size_t>(number) % rows.size()]);
  }
  Case named(Case c, const DrawnKernel& k) const {
    c.kernel = k.name;
    c.module = plan_.module;
    return c;
  }

 private:
  static std::vector<std::string_view> rows_of(const DrawnKernel& k) {
    return generator_rows({k.name, k.experts});
  }
  CaseLimits of_devices() const {
    CaseLimits limits;
    limits.devices = devices_;
    return limits;
  }

  DrawPlan plan_;
  std::vector<std::string_view> devices_;
};

class Random final : public Numbered {
 public:
  explicit Random(DrawPlan plan) : drawing_(std::move(plan)) {
    for (const DrawnKernel& k : drawing_.plan().kernels)
      first_round_ = std::max(first_round_, static_cast<int64_t>(k.breakable.size()) + 1);
  }

  std::optional<Case> at(int64_t number) const override {
    const DrawnKernel& kernel = drawing_.kernel_of(number);
    const int64_t round = number / drawing_.kernels(), turn = round % kTurns;
    NumberedChooser choose(drawing_.seed(), number);
    if (turn == 2 || turn == 6)
      return drawing_.named(drawing_.relation(kernel, choose, round), kernel);
    const std::optional<int64_t> broken = broken_before(number);
    Case c = drawing_.legal(kernel, choose, round, !broken);
    if (!broken) return drawing_.named(std::move(c), kernel);
    // Clauses in turn, and the ways of each; a row's neighbour elsewhere in its list: all of them
    // soon come up somewhere.
    const auto turns = static_cast<int64_t>(kernel.breakable.size()) + 1;
    const auto at = static_cast<size_t>(*broken % turns);
    return drawing_.named(
        at == kernel.breakable.size()
            ? no_rows(std::move(c))
            : break_clause(std::move(c), kernel.breakable[at], choose, *broken / turns),
        kernel);
  }

 private:
  // How many of the kernels' cases in turn 1 of an eight are broken as well, where `before` were
  // broken until then. A call that should be refused costs next to nothing, and a list has some
  // thirty clauses: until the longest has been through once, three of eight.
  int64_t extra(int64_t before) const {
    return std::clamp<int64_t>(first_round_ - before, 0, drawing_.kernels());
  }

  // How many cases before this one are broken; nullopt: this one is not.
  std::optional<int64_t> broken_before(int64_t number) const {
    const int64_t kernels = drawing_.kernels(), eights = number / (kTurns * kernels);
    const int64_t turn = number / kernels % kTurns, at = number % kernels;
    int64_t before = 0, eight = 0;
    for (; eight < eights && before < first_round_; ++eight) before += extra(before) + 2 * kernels;
    before += (eights - eight) * 2 * kernels;
    const int64_t first = extra(before);
    if (turn == 1 && at < first) return before + at;
    if (turn == 4) return before + first + at;
    if (turn == 7) return before + first + kernels + at;
    return std::nullopt;
  }

  Drawing drawing_;
  int64_t first_round_ = 0;
};

class Laws final : public Numbered {
 public:
  explicit Laws(DrawPlan plan) : drawing_(std::move(plan)) {}
  std::optional<Case> at(int64_t number) const override {
    constexpr uint64_t kApart = 0x6c617773;  // from the relations of Random
    const DrawnKernel& kernel = drawing_.kernel_of(number);
    NumberedChooser choose(drawing_.seed() ^ kApart, number);
    return drawing_.named(drawing_.relation(kernel, choose, number / drawing_.kernels()), kernel);
  }

 private:
  Drawing drawing_;
};

}  // namespace

Result<std::vector<DrawnKernel>> drawn_kernels(const w4_module& table,
                                               const std::vector<std::string>& names) {
  const std::span all(table.kernels, static_cast<size_t>(table.kernel_count));
  std::vector<std::string_view> there;
  for (const w4_kernel& k : all) there.emplace_back(k.name);
  for (const std::string& name : names) {
    if (std::ranges::find(there, name) == there.end())
      return fail("'{}'; legal: {}", name, fmt::join(there, ", "));
  }
  std::vector<DrawnKernel> out;
  for (const w4_kernel& k : all) {
    if (!names.empty() && std::ranges::find(names, k.name) == names.end()) continue;
    out.push_back({k.name, k.moe != 0, breakable(k)});
  }
  return out;
}

std::unique_ptr<const Numbered> random_cases(DrawPlan plan) {
  return std::make_unique<Random>(std::move(plan));
}

std::unique_ptr<const Numbered> law_cases(DrawPlan plan) {
  return std::make_unique<Laws>(std::move(plan));
}

std::unique_ptr<Stream> random_stream(std::vector<std::string> rows, uint64_t seed) {
  DrawPlan plan{.kernels = {}, .seed = seed, .devices = {"gfx1151"}};
  for (const std::string& row : rows) {
    auto kernel = drawn_kernels(builtin_module(), {row});
    plan.kernels.push_back(kernel ? kernel->front() : DrawnKernel{row});
  }
  return stream_of(random_cases(std::move(plan)));
}

}  // namespace w4
