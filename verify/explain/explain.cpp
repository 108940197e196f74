#include "verify/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/case_interval.h"
#include "verify/explain/diagnosis.h"
#include "verify/explain/pattern.h"
#include "verify/explain/statement.h"
#include "verify/run_case.h"

namespace w4::explain {
namespace {

void nothing_fits(const Case& c, Diagnosis& d, Runs& runs, Explanation& out) {
  out.certainty = Certainty::none;
  out.says = runs.over() ? "the search ended before a hypothesis was found"
                         : "none of the hypotheses predicts this output";
  out.how = d.doubt;
  if (runs.over()) out.how += fmt::format("{}{}", out.how.empty() ? "" : "; ", runs.why_over());
  if (!d.shown) {
    Case one = c;
    one.law = Law::reference;
    // A finding ends a wave early: what it did not write is no pattern of the defect.
    if (out.verdict.kind() == VerdictKind::finding) one.checks.mask = 0;
    if (Seen seen = runs.look(one); seen && seen->bad_count > 0) d.shown = std::move(seen);
  }
  if (!d.shown) return;
  // Sparse data would leave rows right by chance and most parts of K empty.
  Case dense = d.shown->line;
  if (dense.fill == Fill::integer) dense.fill = Fill::flat;
  const Seen seen = runs.look(dense);
  const Observed& o = seen && seen->bad_count > 0 ? *seen : *d.shown;
  out.pattern = describe(o);
  for (std::string& s : probe_k(o, runs.context(), runs.stop(), runs.lines()))
    out.pattern.push_back(std::move(s));
}

void conclude(const Diagnosis& d, const Runs& runs, Explanation& out) {
  for (const Candidate& c : d.fits) {
    const auto same = std::ranges::find(out.named, c.row->name, &Named::name);
    if (same == out.named.end()) {
      out.named.push_back({std::string(c.row->name), c.says, std::string(c.row->defects), {}});
    } else {
      same->also.push_back(c.says);
    }
  }
  out.elements = d.elements;
  const bool one = rows_among(d.fits) == 1;
  out.certainty = d.affected ? Certainty::affected
                  : !one     ? Certainty::several
                  : d.exact  ? Certainty::exact
                             : Certainty::within;
  out.says = out.named.front().says;
  const std::string_view how = d.exact ? "bit for bit" : "within the bounds of its sums";
  out.how = d.affected ? fmt::format(
                             "predicts which of {} elements are wrong; their values depend on "
                             "what lies outside",
                             d.elements)
                       : fmt::format("predicts {} elements {}", d.elements, how);
  if (!one) {
    out.how +=
        "; the hypotheses named say the same of every line tried, which a line with "
        "another shape or bias may change";
  } else if (!d.apart.empty()) {
    out.how += fmt::format("; others that fit were ruled out by '{}'", d.apart);
  }
  if (const int64_t u = d.fits.front().unknown; u > 0 && !d.affected)
    out.how +=
        fmt::format("; up to {} elements of a run depend on what lies outside the tensors", u);
  if (!d.doubt.empty()) out.how += "; " + d.doubt;
  if (runs.over()) out.how += fmt::format("; {}", runs.why_over());
}

}  // namespace

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
  Runs runs(context, options, out.lines);
  Case line = c;
  Diagnosis d = diagnose(line, out.verdict, runs);
  // Where the call of a law is right, what is wrong may be its further one.
  const auto* broken = std::get_if<LawBroken>(&out.verdict.primary());
  std::string where;
  if (broken != nullptr && out.verdict.outcomes.size() > 1 && !d.shown) {
    if (auto further = parse_case(broken->second_line)) {
      line = std::move(*further);
      d = diagnose(line, out.verdict, runs);
      where = "in the further call, ";
    }
  }
  if (d.fits.empty()) {
    nothing_fits(line, d, runs, out);
  } else {
    conclude(d, runs, out);
  }
  const VerdictKind kind = out.verdict.kind();
  if (const auto* m = std::get_if<Mismatch>(&out.verdict.primary());
      m != nullptr && out.certainty != Certainty::exact) {
    if (const auto i = interval_of(c, context, m->worst.m, m->worst.n))
      out.interval = to_string(*i);
  }
  if (kind == VerdictKind::finding || kind == VerdictKind::law_broken) {
    const bool wrong = !out.pattern.empty();
    if (!out.named.empty()) {
      const std::string_view law = kind == VerdictKind::law_broken ? "a broken law: " : "";
      out.says = fmt::format("{}{}; seen as {}{}", where, out.says, law, stated);
    } else {
      if (!wrong) out.certainty = Certainty::stated;
      out.says = stated + (wrong ? "; " + where + out.says : "");
    }
  }
  return out;
}

}  // namespace w4::explain
