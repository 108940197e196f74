#include "verify/explain/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

namespace w4::explain {
namespace {

class Search {
 public:
  Search(const Case& c, const Verdict& verdict, Runs& runs)
      : c_(c), verdict_(verdict), runs_(runs) {}

  Diagnosis run() {
    with_exact_sums();
    if (out_.fits.empty()) with_own_fill();
    if (out_.fits.empty() && out_.shown) by_finding();
    return std::move(out_);
  }

 private:
  // The line with exact sums, and nothing that is a matter of the line alone.
  Case exact_line() const {
    Case c = c_;
    c.law = Law::reference;
    c.only = {};
    c.fill = Fill::integer;
    if (!is_native_device(c.device)) c.fp = "ieee";
    if (std::ranges::any_of(verdict_.outcomes,
                            [](const Outcome& o) { return kind_of(o) == VerdictKind::finding; }) &&
        !is_native_device(c.device)) {
      c.checks.mask = 0;  // findings end a launch early; outputs are wanted here
    }
    return c;
  }

  // Keeps what fits `o` as well.
  void narrow(const Observed& o) {
    out_.fits = started_ ? still_matching(out_.fits, o, runs_.stop()) : matching(o, runs_.stop());
    started_ = true;
  }

  void with_exact_sums() {
    constexpr uint64_t kSeeds = 4, kMostSeeds = 24;
    const Case base = exact_line();
    uint64_t showing = 0;
    std::vector<Seen> clean;
    for (uint64_t i = 0; i < kMostSeeds && showing < kSeeds && !runs_.over(); ++i) {
      Case c = base;
      c.seed += i;
      Seen seen = runs_.look(c);
      if (!seen) break;
      if (seen->bad_count == 0) {
        if (i >= kSeeds && showing == 0 && i + 1 >= kMostSeeds / 2) break;
        if (clean.size() < kSeeds) clean.push_back(std::move(seen));
        continue;
      }
      ++showing;
      if (!out_.shown) out_.shown = std::make_unique<Observed>(*seen);
      narrow(*seen);
      out_.elements += static_cast<int64_t>(seen->out.size());
      if (out_.fits.empty()) return;
    }
    if (out_.fits.empty()) return;
    for (const Seen& seen : clean) {
      out_.elements += static_cast<int64_t>(seen->out.size());
      narrow_clean(*seen);
    }
    out_.exact = std::ranges::all_of(out_.fits, &Candidate::exact);
    dense_check(base);
    if (rows_among(out_.fits) > 1) tell_apart(base);
  }

  // A run in which nothing is wrong says something too: the hypothesis must predict just that.
  void narrow_clean(const Observed& o) {
    std::vector<Candidate> kept = still_matching(out_.fits, o, runs_.stop());
    if (!kept.empty()) out_.fits = std::move(kept);
  }

  // Random data in every place: a hypothesis that holds for sparse exact data alone falls here.
  void dense_check(const Case& base) {
    Case c = base;
    c.fill = Fill::flat;
    const Seen seen = runs_.look(c);
    if (!seen) return;
    std::vector<Candidate> kept = still_matching(out_.fits, *seen, runs_.stop());
    if (kept.empty()) {
      out_.doubt = "on fill=flat it does not predict every element within its bounds";
      return;
    }
    for (Candidate& k : kept) k.exact = true;
    out_.fits = std::move(kept);
  }

  // Other shapes of the same kind.
  void tell_apart(const Case& base) {
    const auto larger = [&](auto change) {
      Case c = base;
      change(c.problem);
      return c;
    };
    const std::array others{
        larger([](Problem& p) { p.k *= 2; }),
        larger([](Problem& p) { p.n += 32; }),
        larger([](Problem& p) { p.k *= 2, p.n *= 2; }),
        larger([](Problem& p) { p.m += 1; }),
        larger([](Problem& p) { p.k += p.g, p.n += 8; }),
        larger([](Problem& p) { p.k *= 4; }),
    };
    for (const Case& c : others) {
      for (const Fill fill : {Fill::integer, Fill::flat}) {
        if (rows_among(out_.fits) <= 1 || runs_.over()) return;
        Case with = c;
        with.fill = fill;
        const Seen seen = runs_.look(with);
        if (!seen || seen->bad_count == 0) continue;
        keep_rows(matching(*seen, runs_.stop()), with);
      }
    }
  }

  void keep_rows(const std::vector<Candidate>& other, const Case& c) {
    std::vector<Candidate> kept;
    for (const Candidate& candidate : out_.fits) {
      if (std::ranges::any_of(other, [&](const Candidate& o) { return o.row == candidate.row; }))
        kept.push_back(candidate);
    }
    if (kept.empty() || rows_among(kept) == rows_among(out_.fits)) return;
    out_.apart = to_string(c);
    out_.fits = std::move(kept);
  }

  // The fill that shows it, within bounds: under the arithmetic that rounds least where that shows
  // it too, over seeds until one hypothesis is left.
  void with_own_fill() {
    if (out_.shown) return;
    Case c = exact_line();
    c.fill = c_.fill;
    c.only = c_.only;
    if (c.fill != Fill::integer || !c.only.everything()) own_fill(c);
    if (out_.shown || c.fp == c_.fp) return;
    c.fp = c_.fp;
    own_fill(c);
  }

  void own_fill(const Case& base) {
    constexpr uint64_t kSeeds = 8;
    for (uint64_t i = 0; i < kSeeds && !runs_.over() && !(i > 2 && rows_among(out_.fits) == 1);
         ++i) {
      Case c = base;
      c.seed += i;
      const Seen seen = runs_.look(c);
      // Bounds wider than the verdict's would take the declared call itself for an explanation.
      if (!seen || seen->bad_count == 0 || fit(*seen, declared_recipe(*seen)).fits) {
        if (i > 2 && !out_.shown) return;
        continue;
      }
      if (!out_.shown) out_.shown = std::make_unique<Observed>(*seen);
      narrow(*seen);
      out_.elements += static_cast<int64_t>(seen->out.size());
      if (out_.fits.empty()) return;
    }
    if (out_.fits.empty()) return;
    out_.exact = false;
    dense_check(base);
    if (rows_among(out_.fits) > 1) tell_apart(base);
    if (rows_among(out_.fits) == 1) return;
    std::vector<std::string> names;
    for (const Candidate& k : out_.fits) {
      if (names.empty() || names.back() != k.row->name) names.emplace_back(k.row->name);
    }
    out_.doubt =
        fmt::format("{} all fit within the bounds, so none is named", fmt::join(names, ", "));
    out_.fits.clear();
  }

  // An access outside a tensor: its values are nobody's, but where they end up is predicted.
  void by_finding() {
    for (const Outcome& outcome : verdict_.outcomes) {
      const auto* found = std::get_if<Found>(&outcome);
      if (!found) continue;
      for (const Finding& f : found->findings) {
        if (f.kind != FindingKind::oob_read && f.kind != FindingKind::lds_oob) continue;
        out_.fits =
            affected(*out_.shown, f.kind == FindingKind::lds_oob ? "LDS" : f.buffer, runs_.stop());
        if (out_.fits.empty()) continue;
        out_.affected = true;
        out_.elements = static_cast<int64_t>(out_.shown->out.size());
        return;
      }
    }
  }

  const Case& c_;
  const Verdict& verdict_;
  Runs& runs_;
  Diagnosis out_;
  bool started_ = false;
};

}  // namespace

size_t rows_among(const std::vector<Candidate>& all) {
  std::vector<const Hypothesis*> rows;
  for (const Candidate& c : all) {
    if (std::ranges::find(rows, c.row) == rows.end()) rows.push_back(c.row);
  }
  return rows.size();
}

Diagnosis diagnose(const Case& c, const Verdict& verdict, Runs& runs) {
  return Search(c, verdict, runs).run();
}

}  // namespace w4::explain
