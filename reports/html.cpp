#include "reports/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "reports/page.h"
#include "reports/summary.h"
#include "results/text.h"

namespace w4 {
namespace {

// More failures than a person reads: the rest stay in the store, and the page says so.
constexpr size_t kShown = 200;

std::string e(std::string_view text) { return markup_escape(text); }

bool red(const Record& r) { return !r.verdict.green() && r.verdict.kind() != VerdictKind::skipped; }

// The one sentence the page exists for. Nothing checked or not finished is not "verified".
std::string headline(const StoredRun& run, const Tally& all) {
  if (all.red > 0) {
    return fmt::format("<h1 class=\"bad\">Not safe to ship: {} of {} cases failed</h1>", all.red,
                       all.total());
  }
  if (run.state != RunState::complete || all.total() < run.planned) {
    return fmt::format(
        "<h1 class=\"warn\">Not finished: {} of {} cases have a verdict, none of "
        "them failed</h1>",
        all.total(), run.planned);
  }
  if (all.green == 0) return "<h1 class=\"warn\">Nothing was verified</h1>";
  if (all.skipped > 0) {
    return fmt::format(
        "<h1 class=\"warn\">All {} cases that ran are right, but {} were "
        "skipped</h1>",
        all.green, all.skipped);
  }
  return fmt::format(
      "<h1 class=\"good\">Safe to ship as far as these cases go: all {} are "
      "right</h1>",
      all.green);
}

std::string counts(const Summary& s) {
  std::string out =
      "<h2>Cases by kernel and device</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
      "<th>kernel</th><th>device</th><th class=\"n\">cases</th><th class=\"n\">green</th>"
      "<th class=\"n\">red</th><th class=\"n\">skipped</th>"
      "<th class=\"n\">largest error of a pass / bound</th><th>verdicts</th></tr></thead>\n"
      "<tbody>\n";
  for (const auto& [key, t] : s.table) {
    std::string kinds;
    for (size_t i = 0; i < t.by_kind.size(); ++i) {
      if (t.by_kind.at(i) == 0) continue;
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", t.by_kind.at(i),
                           name_of(static_cast<VerdictKind>(i)));
    }
    fmt::format_to(std::back_inserter(out),
                   "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                   "<td class=\"n{}\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.3f}</td>"
                   "<td>{}</td></tr>\n",
                   e(key.first), e(key.second), t.total(), t.green, t.red > 0 ? " bad" : "", t.red,
                   t.skipped, t.headroom, kinds);
  }
  return out + "</tbody></table></div>\n";
}

void row(std::string& out, std::string_view key, std::string_view text) {
  if (!text.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>", key, e(text));
}

std::string facts(const Verdict& v) {
  std::string out;
  if (const auto* m = std::get_if<Mismatch>(&v.primary())) {
    const Worst& w = m->worst;
    row(out, "wrong", fmt::format("{} of {} elements", m->count, m->total));
    row(out, "worst", fmt::format("out[m={}, n={}]", w.m, w.n));
    row(out, "expected", fmt::format("{:.9g} to {:.9g}", w.low, w.high));
    row(out, "got", fmt::format("{:.9g}", w.got));
    row(out, "pattern", m->pattern);
  }
  row(out, "ran", v.ran.instantiation);
  return out.empty() ? out : fmt::format("<dl>{}</dl>", out);
}

// The command as the verdict prints it (core quotes it for a shell): its last line.
std::string rerun_command(std::string_view text) {
  constexpr std::string_view kLabel = "rerun: ";
  const size_t at = text.rfind(kLabel);
  return std::string(at == std::string_view::npos ? text : text.substr(at + kLabel.size()));
}

std::string failure(const Record& r) {
  const Verdict& v = r.verdict;
  const std::string text = to_string(v);
  return fmt::format(
      "<article>\n<h3><span class=\"bad\">{}</span> {} on {} <span class=\"soft\">{}</span></h3>\n"
      "{}\n<div class=\"rerun\"><code>{}</code>"
      "<button type=\"button\">Copy</button></div>\n"
      "<details{}><summary>All that was recorded</summary><pre>{}</pre></details>\n</article>\n",
      name_of(v.kind()), e(r.kernel), e(r.device), e(r.suite), facts(v), e(rerun_command(text)),
      v.kind() == VerdictKind::mismatch ? "" : " open", e(text));
}

std::string failures(std::span<const Record> records, int64_t total) {
  if (total == 0) return "";
  std::string out = fmt::format("<h2>Failures ({})</h2>\n", total);
  size_t shown = 0;
  for (const Record& r : records) {
    if (!red(r)) continue;
    if (shown++ == kShown) {
      out +=
          fmt::format("<p>The first {} of {} are shown; the store has all.</p>\n", kShown, total);
      break;
    }
    out += failure(r);
  }
  return out;
}

std::string skipped(const Summary& s) {
  if (s.skipped.empty()) return "";
  std::string out =
      "<h2>Skipped</h2>\n<div class=\"scroll\"><table><thead><tr><th>reason</th>"
      "<th class=\"n\">cases</th></tr></thead>\n<tbody>\n";
  for (const auto& [reason, n] : s.skipped) {
    out += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", e(reason), n);
  }
  return out + "</tbody></table></div>\n";
}

// Distinct values of one field of the provenance, with counts.
std::string distinct(std::span<const Record> records, std::string Provenance::* field) {
  std::map<std::string, int64_t> values;
  for (const Record& r : records) {
    if (const std::string& value = r.verdict.ran.*field; !value.empty()) ++values[value];
  }
  std::string out;
  for (const auto& [value, n] : values) {
    out += fmt::format("{}{} ({} cases)", out.empty() ? "" : "; ", value, n);
  }
  return out;
}

std::string provenance(const StoredRun& run, std::span<const Record> records, const Summary& s) {
  std::string out;
  row(out, "command", run.command);
  row(out, "run",
      fmt::format("{}, started {} UTC, {}{}", run.id, run.started, name_of(run.state),
                  run.finished.empty() ? "" : " " + run.finished + " UTC"));
  row(out, "build", run.build_id);
  std::set<std::string> suites;
  for (const Record& r : records) suites.insert(r.suite);
  row(out, "suites", fmt::format("{}", fmt::join(suites, ", ")));
  row(out, "arithmetic model", distinct(records, &Provenance::fp));
  row(out, "weakest evidence", distinct(records, &Provenance::evidence));
  row(out, "objects", distinct(records, &Provenance::object_hash));
  if (s.resumed > 0) {
    row(out, "taken over", fmt::format("{} verdicts from earlier runs of this build", s.resumed));
  }
  row(out, "work",
      fmt::format("{:.1f} s summed over cases, {} wave-instructions executed", s.seconds,
                  s.wave_instructions));
  return fmt::format("<h2>What was run</h2>\n<dl class=\"facts\">{}</dl>\n", out);
}

}  // namespace

std::string html_report(const StoredRun& run, std::span<const Record> records) {
  const Summary s = summarise(records);
  std::string body = headline(run, s.all);
  body += fmt::format("\n<p>{}. <span class=\"soft\">w4check, {} UTC</span></p>\n",
                      e(sentence(s.all)), e(run.started));
  body += failures(records, s.all.red);
  body += counts(s) + skipped(s) + provenance(run, records, s);
  return html_page(fmt::format("w4check: {}", sentence(s.all)), body);
}

}  // namespace w4
