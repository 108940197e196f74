#include "verify/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "verify/case_interval.h"
#include "verify/explain/match.h"
#include "verify/explain/observe.h"
#include "verify/explain/pattern.h"
#include "verify/explain/statement.h"
#include "verify/run_case.h"

namespace w4::explain {
namespace {

using Clock = std::chrono::steady_clock;
using Seen = std::unique_ptr<Observed>;

size_t rows_among(const std::vector<Candidate>& all) {
  std::vector<const Hypothesis*> rows;
  for (const Candidate& c : all) {
    if (std::ranges::find(rows, c.row) == rows.end()) rows.push_back(c.row);
  }
  return rows.size();
}

class Diagnosis {
 public:
  Diagnosis(const Case& c, Context& context, const Options& options, Explanation& out)
      : c_(c),
        context_(context),
        options_(options),
        out_(out),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.seconds))) {}

  // On input out_.verdict shows outputs that are wrong, or findings.
  void run() {
    with_exact_sums();
    if (all_.empty()) with_own_fill();
    if (all_.empty() && shown_) by_finding();
    if (all_.empty()) {
      nothing_fits();
      return;
    }
    conclude();
  }

 private:
  bool over() const { return Clock::now() > end_; }

  // The line with exact sums, and nothing that is a matter of the line alone.
  Case exact_line() const {
    Case c = c_;
    c.law = Law::reference;
    c.only = {};
    c.fill = Fill::integer;
    if (c.device != "host") c.fp = "ieee";
    if (std::ranges::any_of(out_.verdict.outcomes,
                            [](const Outcome& o) { return kind_of(o) == VerdictKind::finding; }) &&
        c.device != "host") {
      c.checks.mask = 0;  // findings end a launch early; outputs are wanted here
    }
    return c;
  }

  Seen look(const Case& c) {
    if (over()) return nullptr;
    out_.lines.push_back(to_string(c));
    options_.progress(out_.lines.back());
    auto seen = observe(c, context_);
    return seen ? std::move(*seen) : nullptr;
  }

  // Keeps what fits `o` as well.
  void narrow(const Observed& o) {
    all_ = started_ ? still_matching(all_, o, [this] { return over(); })
                    : matching(o, [this] { return over(); });
    started_ = true;
  }

  void with_exact_sums() {
    constexpr uint64_t kSeeds = 4, kMostSeeds = 24;
    const Case base = exact_line();
    uint64_t showing = 0;
    std::vector<Seen> clean;
    for (uint64_t i = 0; i < kMostSeeds && showing < kSeeds && !over(); ++i) {
      Case c = base;
      c.seed += i;
      Seen seen = look(c);
      if (!seen) break;
      if (seen->bad_count == 0) {
        if (i >= kSeeds && showing == 0 && i + 1 >= kMostSeeds / 2) break;
        if (clean.size() < kSeeds) clean.push_back(std::move(seen));
        continue;
      }
      ++showing;
      if (!shown_) shown_ = std::make_unique<Observed>(*seen);
      narrow(*seen);
      elements_ += static_cast<int64_t>(seen->out.size());
      if (all_.empty()) return;
    }
    if (all_.empty()) return;
    for (const Seen& seen : clean) {
      elements_ += static_cast<int64_t>(seen->out.size());
      narrow_clean(*seen);
    }
    exact_ = std::ranges::all_of(all_, &Candidate::exact);
    dense_check(base);
    if (rows_among(all_) > 1) tell_apart(base);
  }

  // A run in which nothing is wrong says something too: the hypothesis must predict just that.
  void narrow_clean(const Observed& o) {
    std::vector<Candidate> kept = still_matching(all_, o, [this] { return over(); });
    if (!kept.empty()) all_ = std::move(kept);
  }

  // Random data in every place: a hypothesis that holds for sparse exact data alone falls here.
  void dense_check(const Case& base) {
    Case c = base;
    c.fill = Fill::flat;
    const Seen seen = look(c);
    if (!seen) return;
    std::vector<Candidate> kept = still_matching(all_, *seen, [this] { return over(); });
    if (kept.empty()) {
      doubt_ = "on fill=flat it does not predict every element within its bounds";
      return;
    }
    for (Candidate& k : kept) k.exact = true;
    all_ = std::move(kept);
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
        if (rows_among(all_) <= 1 || over()) return;
        Case with = c;
        with.fill = fill;
        const Seen seen = look(with);
        if (!seen || seen->bad_count == 0) continue;
        keep_rows(matching(*seen, [this] { return over(); }), with);
      }
    }
  }

  void keep_rows(const std::vector<Candidate>& other, const Case& c) {
    std::vector<Candidate> kept;
    for (const Candidate& candidate : all_) {
      if (std::ranges::any_of(other, [&](const Candidate& o) { return o.row == candidate.row; }))
        kept.push_back(candidate);
    }
    if (kept.empty() || rows_among(kept) == rows_among(all_)) return;
    apart_ = to_string(c);
    all_ = std::move(kept);
  }

  // The fill that shows it, within bounds: under the arithmetic that rounds least where that shows
  // it too, over seeds until one hypothesis is left.
  void with_own_fill() {
    if (shown_) return;
    Case c = exact_line();
    c.fill = c_.fill;
    c.only = c_.only;
    if (c.fill != Fill::integer || !c.only.everything()) own_fill(c);
    if (shown_ || c.fp == c_.fp) return;
    c.fp = c_.fp;
    own_fill(c);
  }

  void own_fill(const Case& base) {
    constexpr uint64_t kSeeds = 8;
    for (uint64_t i = 0; i < kSeeds && !over() && !(i > 2 && rows_among(all_) == 1); ++i) {
      Case c = base;
      c.seed += i;
      const Seen seen = look(c);
      // Bounds wider than the verdict's would take the declared call itself for an explanation.
      if (!seen || seen->bad_count == 0 || fit(*seen, declared_recipe(*seen)).fits) {
        if (i > 2 && !shown_) return;
        continue;
      }
      if (!shown_) shown_ = std::make_unique<Observed>(*seen);
      narrow(*seen);
      elements_ += static_cast<int64_t>(seen->out.size());
      if (all_.empty()) return;
    }
    if (all_.empty()) return;
    exact_ = false;
    dense_check(base);
    if (rows_among(all_) > 1) tell_apart(base);
    if (rows_among(all_) == 1) return;
    std::vector<std::string> names;
    for (const Candidate& k : all_) {
      if (names.empty() || names.back() != k.row->name) names.emplace_back(k.row->name);
    }
    doubt_ = fmt::format("{} all fit within the bounds, so none is named", fmt::join(names, ", "));
    all_.clear();
  }

  // An access outside a tensor: its values are nobody's, but where they end up is predicted.
  void by_finding() {
    for (const Outcome& outcome : out_.verdict.outcomes) {
      const auto* found = std::get_if<Found>(&outcome);
      if (!found) continue;
      for (const Finding& f : found->findings) {
        if (f.kind != FindingKind::oob_read && f.kind != FindingKind::lds_oob) continue;
        all_ = affected(*shown_, f.kind == FindingKind::lds_oob ? "LDS" : f.buffer,
                        [this] { return over(); });
        if (all_.empty()) continue;
        affected_ = true;
        elements_ = static_cast<int64_t>(shown_->out.size());
        return;
      }
    }
  }

  void nothing_fits() {
    out_.certainty = Certainty::none;
    out_.says = "none of the hypotheses predicts this output";
    out_.how = doubt_;
    if (over()) out_.how += fmt::format("{}the time was over", out_.how.empty() ? "" : "; ");
    if (!shown_) {
      Case c = c_;
      c.law = Law::reference;
      if (Seen seen = look(c); seen && seen->bad_count > 0) shown_ = std::move(seen);
    }
    if (!shown_) return;
    // Sparse data would leave rows right by chance and most parts of K empty.
    Case dense = shown_->line;
    if (dense.fill == Fill::integer) dense.fill = Fill::flat;
    const Seen seen = look(dense);
    const Observed& o = seen && seen->bad_count > 0 ? *seen : *shown_;
    out_.pattern = describe(o);
    for (std::string& s : probe_k(o, context_, [this] { return over(); }, out_.lines))
      out_.pattern.push_back(std::move(s));
  }

  void conclude() {
    for (const Candidate& c : all_) {
      const auto same = std::ranges::find(out_.named, c.row->name, &Named::name);
      if (same == out_.named.end()) {
        out_.named.push_back({std::string(c.row->name), c.says, std::string(c.row->defects), {}});
      } else {
        same->also.push_back(c.says);
      }
    }
    out_.elements = elements_;
    const bool one = rows_among(all_) == 1;
    out_.certainty = affected_ ? Certainty::affected
                     : !one    ? Certainty::several
                     : exact_  ? Certainty::exact
                               : Certainty::within;
    out_.says = out_.named.front().says;
    const std::string_view how = exact_ ? "bit for bit" : "within the bounds of its sums";
    out_.how = affected_ ? fmt::format(
                               "predicts which of {} elements are wrong; their values depend on "
                               "what lies outside",
                               elements_)
                         : fmt::format("predicts {} elements {}", elements_, how);
    if (!one) {
      out_.how +=
          "; the hypotheses named say the same of every line tried, which a line with "
          "another shape or bias may change";
    } else if (!apart_.empty()) {
      out_.how += fmt::format("; others that fit were ruled out by '{}'", apart_);
    }
    if (const int64_t u = all_.front().unknown; u > 0 && !affected_)
      out_.how +=
          fmt::format("; up to {} elements of a run depend on what lies outside the tensors", u);
    if (!doubt_.empty()) out_.how += "; " + doubt_;
    if (over()) out_.how += "; the time was over";
  }

  const Case& c_;
  Context& context_;
  const Options& options_;
  Explanation& out_;
  Clock::time_point end_;
  std::vector<Candidate> all_;
  bool started_ = false, exact_ = false, affected_ = false;
  Seen shown_;  // the first run that is wrong
  int64_t elements_ = 0;
  std::string apart_, doubt_;
};

}  // namespace

std::string_view name_of(Certainty c) {
  constexpr std::array<std::string_view, 7> kNames{"nothing",  "stated",  "exact", "within",
                                                   "affected", "several", "none"};
  return kNames.at(static_cast<size_t>(c));
}

Explanation explain(const Case& c, Context& context, const Options& options) {
  Explanation out;
  options.progress(to_string(c));
  out.verdict = run_case(c, context);
  out.lines.push_back(to_string(c));
  out.says = statement(out.verdict);
  if (out.verdict.green()) {
    out.certainty = Certainty::nothing;
    return out;
  }
  if (!about_outputs(out.verdict)) return out;
  const std::string stated = out.says;
  Diagnosis(c, context, options, out).run();
  const VerdictKind kind = out.verdict.kind();
  if (const auto* m = std::get_if<Mismatch>(&out.verdict.primary());
      m != nullptr && out.certainty != Certainty::exact) {
    if (const auto i = interval_of(c, context, m->worst.m, m->worst.n))
      out.interval = to_string(*i);
  }
  if (kind == VerdictKind::finding || kind == VerdictKind::law_broken) {
    const bool wrong = !out.pattern.empty();
    const std::string besides =
        out.named.empty() ? wrong ? "; " + out.says : "" : "; besides, " + out.says;
    if (out.named.empty() && !wrong) out.certainty = Certainty::stated;
    out.says = stated + besides;
  }
  return out;
}

std::string to_string(const Explanation& e) {
  std::string out = fmt::format("explanation: {}\n", e.says);
  constexpr size_t kShown = 6;
  for (size_t i = 0; i < e.named.size(); ++i) {
    const Named& n = e.named[i];
    out += fmt::format("  {}: {} (seen as {}): {}\n", i == 0 ? "hypothesis" : "or", n.name,
                       n.defects, n.says);
    for (size_t j = 0; j < n.also.size() && j < kShown; ++j)
      out += fmt::format("    which is the same here as: {}\n", n.also[j]);
  }
  for (const std::string& s : e.pattern) out += fmt::format("  pattern: {}\n", s);
  if (!e.interval.empty()) {
    out += fmt::format("  what the interval of out[m={}, n={}] is made of:\n{}\n",
                       std::get<Mismatch>(e.verdict.primary()).worst.m,
                       std::get<Mismatch>(e.verdict.primary()).worst.n, e.interval);
  }
  if (e.certainty != Certainty::nothing && e.certainty != Certainty::stated)
    out += fmt::format("  sure: {}{}{}\n", name_of(e.certainty), e.how.empty() ? "" : ", ", e.how);
  for (size_t i = 0; i < e.lines.size() && e.lines.size() > 1; ++i) {
    if (i == kShown) {
      out += fmt::format("  ran: and {} more lines\n", e.lines.size() - kShown);
      break;
    }
    out += fmt::format("  ran: w4check rerun '{}'\n", e.lines[i]);
  }
  return out;
}

}  // namespace w4::explain
