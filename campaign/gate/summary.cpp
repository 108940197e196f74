#include "campaign/gate/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "results/text.h"

namespace w4::gate {
namespace {

using nlohmann::json;

constexpr size_t kMostText = 60'000;  // GitHub takes 65,536
constexpr size_t kFailures = 5, kRows = 6, kNames = 4, kEntries = 10;
constexpr size_t kSpan = 400;

bool is_wrong(EntryState s) {
  return s == EntryState::green || s == EntryState::expired || s == EntryState::other_kind;
}

std::string count_of(int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}
std::string count_of(size_t n, std::string_view what) {
  return count_of(static_cast<int64_t>(n), what);
}

std::string time_of(double seconds) {
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60));
}

std::string block(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != text.npos) fence += '`';
  return fmt::format("{}\n{}\n{}\n", fence, printable_utf8(text), fence);
}

std::string against(const Red& r) {
  switch (r.against) {
    case Against::fresh:
      return "base: " + code_span(r.base_says);
    case Against::other:
      return "base fails in another way: " + code_span(r.base_says);
    case Against::cannot:
      return "base cannot judge it: " + code_span(r.base_says);
    case Against::unknown:
      return "not compared with base: the budget was over";
    case Against::alike:
    case Against::slow:
      break;
  }
  return "base fails alike";
}

std::string verdict_sentence(const Report& r) {
  std::vector<std::string> why;
  if (const size_t n = r.failures(); n > 0) why.push_back(count_of(n, "new failure"));
  if (const size_t n = r.wrong_entries(); n > 0)
    why.push_back(fmt::format("{} of the ledger to be taken out or renewed",
                              n == 1 ? "1 entry" : fmt::format("{} entries", n)));
  const Counted& n = r.judge.counted();
  const std::string how_many =
      fmt::format("{} on head, {} green", count_of(n.cases, "case"), n.green);
  const std::string_view cut = r.interrupted ? " (interrupted)" : "";
  if (r.red())
    return fmt::format("**w4check gate: failed**{}: {}; {}.\n", cut, fmt::join(why, ", "),
                       how_many);
  if (n.cases == 0) return fmt::format("**w4check gate: nothing was judged**{}.\n", cut);
  return fmt::format("**w4check gate: {}**: nothing new against base; {}.\n",
                     r.interrupted ? "interrupted" : "passed", how_many);
}

std::string sides(const Report& r) {
  std::string out;
  for (const Which side : {kBase, kHead}) {
    const Side& s = r.sides.at(side);
    out += fmt::format("{} {}{}", side == kBase ? "Base" : ", head", code_span(s.given),
                       s.home.executable.empty() ? "" : " (" + code_span(s.build) + ")");
  }
  const double left = r.budget - r.seconds;
  return fmt::format("{}; {}, seed {}; {} of {}, {} left.\n", out, fmt::join(r.devices, ", "),
                     r.seed, time_of(r.seconds), time_of(r.budget), time_of(std::max(0.0, left)));
}

std::string failure_text(const Report& r, const Group& g) {
  const Red& first = *g.reds.front();
  std::string out = fmt::format("- {} {}: {}", code_span(g.kernel), code_span(g.kind),
                                count_of(g.reds.size(), "case"));
  if (first.flaky) out += ", **comes and goes**: it did not repeat";
  out += fmt::format(", the first after {}; {}\n", time_of(first.found), against(first));
  if (!g.says.empty()) out += "  " + code_span(g.says) + "\n";
  if (!g.hypothesis.empty()) out += "  hypothesis " + code_span(g.hypothesis) + "\n";
  out += "\n" + block(r.sides[kHead].rerun(g.smallest));
  if (g.smallest != first.value) {
    out += fmt::format("  smaller ({}) than {}\n", g.shrunk, code_span(to_string(first.value)));
  }
  return out;
}

std::string failures_text(const Report& r) {
  std::string out;
  size_t shown = 0;
  for (const Group& g : r.groups) {
    if (!g.fails()) continue;
    if (shown == 0) out += "\n### New failures\n";
    if (shown++ < kFailures) out += failure_text(r, g);
  }
  if (shown > kFailures) out += fmt::format("- and {} more; --json has all\n", shown - kFailures);
  return out;
}

std::string alike_text(const Report& r) {
  int64_t cases = 0;
  std::string kinds;
  size_t shown = 0;
  for (const Group& g : r.groups) {
    if (g.is_new || g.listed != nullptr) continue;
    cases += std::ssize(g.reds);
    if (shown++ < kRows) {
      kinds += fmt::format("- {} {}: {}\n", code_span(g.kernel), code_span(g.kind),
                           count_of(g.reds.size(), "case"));
      if (shown == 1) kinds += block(r.sides[kHead].rerun(g.smallest));
    }
  }
  if (cases == 0) return "";
  return fmt::format("\n### Red on both sides alike: {}\n{}", count_of(cases, "case"), kinds);
}

std::string changes_text(const Report& r) {
  const Survey& s = r.survey;
  std::string out = "\n### What changed\n";
  if (!s.changed() && s.only_base.empty()) {
    return out +
           fmt::format(
               "{}: {} take the same way, {} launched by both consist of the same "
               "code.\n",
               r.same ? "Nothing: both are the same, byte for byte" : "Nothing that was looked at",
               count_of(s.asked, "call"), count_of(s.compared, "instantiation"));
  }
  for (const auto& [names, where] : {std::pair{&s.only_base, "base"}, {&s.only_head, "head"}}) {
    for (const std::string& name : *names)
      out += fmt::format("- kernel {} is in {} alone\n", code_span(name), where);
  }
  out += fmt::format("- {} among {}\n", count_of(s.routes.size(), "change of route"),
                     count_of(s.asked, "call"));
  size_t shown = 0;
  for (const auto& [change, where] : s.routes) {
    if (++shown > kRows) break;
    out += fmt::format("  - {}: {} → {}, {}\n", code_span(change.kernel), code_span(change.a),
                       code_span(change.b), count_of(where.calls, "call"));
  }
  if (s.routes.size() > kRows) out += fmt::format("  - and {} more\n", s.routes.size() - kRows);
  const auto edges = std::ranges::count_if(s.code, &ChangedCode::edges);
  out += fmt::format("- machine code: {} of {} differ, {} of them take their branches otherwise\n",
                     s.code.size(), count_of(s.compared, "instantiation"), edges);
  for (size_t i = 0; i < std::min(kNames, s.code.size()); ++i)
    out += fmt::format("  - {} on {}\n", code_span(s.code[i].symbol), code_span(s.code[i].device));
  if (s.code.size() > kNames) out += fmt::format("  - and {} more\n", s.code.size() - kNames);
  return out;
}

std::string entry_text(const Report& r, size_t i) {
  const Entry& e = r.ledger[i];
  const std::string where = fmt::format("line {}, {}", e.number, code_span(to_string(e.value)));
  const std::string says = code_span(r.judge.entries_say()[i]);
  switch (r.judge.entries()[i]) {
    case EntryState::green:
      return fmt::format("- {}: green now ({}): **remove it**\n", where, says);
    case EntryState::expired:
      return fmt::format("- {}: **expired** on {}: {}\n", where, to_string(e.expires),
                         code_span(e.reason));
    case EntryState::other_kind:
      return fmt::format("- {}: **another kind** than {}: {}\n", where, name_of(e.kind), says);
    case EntryState::not_run:
    case EntryState::not_judged:
    case EntryState::holds:
      break;
  }
  return "";
}

std::string ledger_text(const Report& r) {
  std::string out = "\n### Ledger\n";
  if (r.ledger_path.empty()) return out + "None.\n";
  std::map<EntryState, size_t> counts;
  for (const EntryState s : r.judge.entries()) ++counts[s];
  std::vector<std::string> parts;
  for (const auto& [state, n] : counts) parts.push_back(fmt::format("{} {}", n, name_of(state)));
  out += fmt::format("{}: {}\n", code_span(r.ledger_path),
                     parts.empty() ? "no entry" : fmt::format("{}", fmt::join(parts, ", ")));
  size_t shown = 0;
  for (size_t i = 0; i < r.ledger.size(); ++i) {
    if (is_wrong(r.judge.entries()[i]) && ++shown <= kEntries) out += entry_text(r, i);
  }
  if (shown > kEntries) out += fmt::format("- and {} more\n", shown - kEntries);
  for (const Group& g : r.groups) {
    if (g.listed == nullptr || g.reds.size() < 2) continue;
    out += fmt::format("- {} {}: {} more fail like line {}\n", code_span(g.kernel),
                       code_span(g.kind), count_of(g.reds.size() - 1, "case"), g.listed->number);
  }
  return out;
}

std::string cases_text(const Report& r) {
  const Counted& n = r.judge.counted();
  std::vector<std::string> kernels;
  for (const auto& [name, cases] : n.by_kernel)
    kernels.push_back(fmt::format("{} {}", code_span(name), cases));
  const auto of = [&n](Why w) { return n.by_why.at(static_cast<size_t>(w)); };
  std::string out = fmt::format(
      "\n### Cases\n{} known lines; drawn: {} for routes, {} for branches, {} for code, {} others. "
      "{} green, {} red, {} skipped. {}.\n",
      n.regressions, of(Why::route), of(Why::edges), of(Why::code), of(Why::other), n.green, n.red,
      n.skipped, fmt::join(kernels, ", "));
  if (!r.not_covered.empty()) out += "\n### Not covered\n";
  for (const std::string& text : r.not_covered) out += "- " + text + "\n";
  return out;
}

std::string_view name_of(Against a) {
  constexpr std::array<std::string_view, 6> kSaid{"not compared", "green", "other failure",
                                                  "cannot judge", "alike", "slow"};
  return kSaid.at(static_cast<size_t>(a));
}

}  // namespace

std::string code_span(std::string_view text) {
  std::string clean = printable_utf8(text);
  std::ranges::replace(clean, '\n', ' ');
  std::ranges::replace(clean, '\t', ' ');
  if (clean.size() > kSpan) {
    size_t end = kSpan;
    while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;
    clean.resize(end);
    clean += "…";
  }
  if (clean.find_first_not_of(' ') == clean.npos) return "(nothing)";
  std::string ticks = "`";
  while (clean.find(ticks) != clean.npos) ticks += '`';
  const bool apart = clean.starts_with('`') || clean.ends_with('`');
  return fmt::format("{0}{1}{2}{1}{0}", ticks, apart ? " " : "", clean);
}

size_t Report::failures() const {
  return static_cast<size_t>(std::ranges::count_if(groups, &Group::fails));
}

size_t Report::wrong_entries() const {
  return static_cast<size_t>(std::ranges::count_if(judge.entries(), is_wrong));
}

std::string markdown(const Report& r) {
  std::string out = verdict_sentence(r) + "\n" + sides(r);
  for (const std::string& part :
       {failures_text(r), changes_text(r), alike_text(r), ledger_text(r), cases_text(r)}) {
    if (out.size() + part.size() > kMostText) {
      out += "\nThe rest is too long for a comment; --json has it.\n";
      break;
    }
    out += part;
  }
  return out;
}

json json_of(const Report& r) {
  json groups = json::array(), routes = json::array(), code = json::array(),
       entries = json::array();
  for (const Group& g : r.groups) {
    json reds = json::array();
    for (const Red* red : g.reds) {
      reds.push_back({{"line", to_string(red->value)},
                      {"head", printable_utf8(one_line(red->head))},
                      {"base", printable_utf8(red->base_says)},
                      {"against", name_of(red->against)},
                      {"flaky", red->flaky},
                      {"seconds", red->found}});
    }
    groups.push_back({{"kernel", printable_utf8(g.kernel)},
                      {"kind", printable_utf8(g.kind)},
                      {"pattern", g.pattern},
                      {"hypothesis", g.hypothesis},
                      {"says", printable_utf8(g.says)},
                      {"new", g.is_new},
                      {"fails", g.fails()},
                      {"listed", g.listed == nullptr ? json() : json(g.listed->number)},
                      {"smallest", to_string(g.smallest)},
                      {"rerun", r.sides[kHead].rerun(g.smallest)},
                      {"reds", std::move(reds)}});
  }
  for (const auto& [change, where] : r.survey.routes) {
    routes.push_back({{"kernel", printable_utf8(change.kernel)},
                      {"base", printable_utf8(change.a)},
                      {"head", printable_utf8(change.b)},
                      {"calls", where.calls},
                      {"line", to_string(where.first)}});
  }
  for (const ChangedCode& c : r.survey.code)
    code.push_back({{"device", c.device}, {"symbol", c.symbol}, {"edges", c.edges}});
  for (size_t i = 0; i < r.ledger.size(); ++i) {
    entries.push_back({{"number", r.ledger[i].number},
                       {"line", to_string(r.ledger[i].value)},
                       {"state", name_of(r.judge.entries()[i])},
                       {"head", printable_utf8(r.judge.entries_say()[i])}});
  }
  const Counted& n = r.judge.counted();
  return {{"red", r.red()},
          {"interrupted", r.interrupted},
          {"base", printable_utf8(r.sides[kBase].given)},
          {"head", printable_utf8(r.sides[kHead].given)},
          {"seconds", r.seconds},
          {"budget", r.budget},
          {"changed", r.survey.changed()},
          {"cases", n.cases},
          {"green", n.green},
          {"routes", std::move(routes)},
          {"code", std::move(code)},
          {"compared", r.survey.compared},
          {"asked", r.survey.asked},
          {"failures", std::move(groups)},
          {"ledger", std::move(entries)},
          {"not_covered", r.not_covered}};
}

}  // namespace w4::gate
