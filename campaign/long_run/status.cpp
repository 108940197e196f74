#include "campaign/long_run/status.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "campaign/long_run/announced.h"
#include "campaign/long_run/lock.h"
#include "campaign/long_run/long_run.h"
#include "campaign/long_run/ticker.h"
#include "verify/behaviour.h"

namespace w4 {
namespace {

using nlohmann::json;

constexpr int64_t kFailures = 20, kFlaky = 20;
constexpr size_t kLost = 10;  // shown as text

double seconds_since_utc(const std::string& text) {
  std::tm tm{};
  if (strptime(text.c_str(), "%Y-%m-%d %H:%M:%S", &tm) == nullptr) return -1;
  const auto then = std::chrono::system_clock::from_time_t(timegm(&tm));
  return std::max(0.0,
                  std::chrono::duration<double>(std::chrono::system_clock::now() - then).count());
}

void add(Tally& t, const TallyRow& row) {
  const auto kind = verdict_kind_from(row.kind);
  if (!kind) return;
  t.by_kind.at(static_cast<size_t>(*kind)) += row.cases;
  int64_t& to = row.green ? t.green : *kind == VerdictKind::skipped ? t.skipped : t.red;
  to += row.cases;
  t.headroom = std::max(t.headroom, row.headroom);
}

std::string state_of(const CampaignStatus& s) {
  if (s.running) return "running";
  if (s.run.state == RunState::complete) return "complete";
  return "not finished; --resume goes on with it";
}

std::string rate_of(const CampaignStatus& s) {
  if (s.seconds < 1) return "";
  return fmt::format(", {:.0f} cases/s", static_cast<double>(s.tally.total()) / s.seconds);
}

std::string failure_text(const StoredFailure& f) {
  const std::string& line = f.smallest_line.empty() ? f.first_line : f.smallest_line;
  return fmt::format("  {} {} in {} cases{}{} ({}): {}\n", f.kernel, f.kind, f.cases,
                     f.hypothesis.empty() ? "" : ": " + f.hypothesis,
                     f.hypothesis.empty() && !f.pattern.empty() ? ": " + f.pattern : "",
                     f.smallest_line.empty() ? name_of(f.state) : "shrunk",
                     line.starts_with("w4fuzz") ? line : "w4check rerun '" + line + "'");
}

std::string shown_text(const CampaignStatus& s) {
  std::string out = "  behaviours:";
  for (const BehaviourCount& k : s.shown.kinds) {
    out += fmt::format(" {} {}s ({} shown by one case only)", k.distinct,
                       name_of(static_cast<BehaviourKind>(k.kind)), k.once);
  }
  if (s.quiet >= 0) {
    out += fmt::format("; the last new one {} ago, {} cases before", time_text(s.quiet),
                       s.shown.cases - s.shown.last_cases);
  }
  return fmt::format("{}\n  {}\n", out, to_string(s.rule));
}

}  // namespace

Result<CampaignStatus> campaign_status(Store& store, const std::string& db) {
  const auto found = store.find_campaign();
  if (!found) return std::unexpected(found.error());
  if (!*found) return fail("store '{}': it holds no campaign", db);
  CampaignStatus s;
  s.run = **found;
  auto plan = plan_from_text(s.run.plan);
  if (!plan) return fail("store '{}': {}", db, plan.error().text);
  s.plan = std::move(*plan);
  s.running = s.run.state == RunState::running && is_locked(lock_of(db));
  if (const auto log = read_announced(log_of(db))) s.seconds = log->seconds;
  const auto put = [](auto& to, auto read) -> Result<void> {
    if (!read) return std::unexpected(read.error());
    to = std::move(*read);
    return {};
  };
  const std::array<std::string, 2> drawn{"random", "laws"};
  DrawnCounts counts;
  for (const Result<void>& done :
       {put(s.table, store.tally(s.run.id)), put(s.positions, store.positions(s.run.id)),
        put(s.failures, store.failures(s.run.id, kFailures)), put(s.flaky, store.flaky(kFlaky)),
        put(s.lost, store.lost(s.run.id)), put(s.shown, store.stop_counts(s.run.id)),
        put(counts, store.drawn_counts(s.run.id, drawn))}) {
    if (!done) return std::unexpected(done.error());
  }
  for (const TallyRow& row : s.table) add(s.tally, row);
  s.rule = stop_rule({counts.cases, counts.singles, counts.recent, counts.recent_new});
  if (s.shown.last_number >= 0) s.quiet = seconds_since_utc(s.shown.last_at);
  return s;
}

std::string to_string(const CampaignStatus& s) {
  std::string out =
      fmt::format("campaign {}: {}; {}\n  {}{}, last stored {} UTC\n  plan: {}\n",
                  s.run.uid.substr(0, 8), sentence(s.tally), state_of(s), time_text(s.seconds),
                  rate_of(s), s.run.heartbeat, arguments_of(s.plan));
  for (const Position& p : s.positions)
    out += fmt::format("  {}: every case before number {} has its verdict\n", p.source, p.next);
  out += shown_text(s);
  const auto waiting = std::ranges::count_if(s.lost, [](const LostCase& c) { return !c.judged; });
  if (!s.lost.empty()) {
    out += fmt::format("  lost when it was stopped: {} cases, {} of them not run again yet\n",
                       s.lost.size(), waiting);
    for (const LostCase& c : s.lost) {
      if (&c - s.lost.data() == static_cast<std::ptrdiff_t>(kLost)) break;
      out += fmt::format("    {} {}: {}\n", c.source, c.number, c.line);
    }
  }
  if (!s.failures.empty()) out += "failures, the most frequent first:\n";
  for (const StoredFailure& f : s.failures) out += failure_text(f);
  for (const FlakyLine& f : s.flaky) {
    out += "flaky:";
    for (const FlakyRecord& r : f.records) out += fmt::format(" {} {}", r.count, r.kind);
    out += fmt::format(": w4check rerun '{}'\n", f.line);
  }
  return out;
}

json to_json(const CampaignStatus& s) {
  json out{{"uid", s.run.uid},
           {"state", s.running ? "running" : std::string(name_of(s.run.state))},
           {"running", s.running},
           {"plan", json::parse(s.run.plan)},
           {"build", s.run.build_id},
           {"started", s.run.started},
           {"heartbeat", s.run.heartbeat},
           {"finished", s.run.finished},
           {"seconds", s.seconds},
           {"cases", s.tally.total()},
           {"green", s.tally.green},
           {"red", s.tally.red},
           {"skipped", s.tally.skipped},
           {"stop",
            {{"probability", s.rule.probability},
             {"low", s.rule.low},
             {"high", s.rule.high},
             {"singles", s.shown.singles},
             {"seconds_since_new", s.quiet}}}};
  for (const char* list : {"tally", "positions", "behaviours", "failures", "flaky", "lost"})
    out[list] = json::array();
  for (const TallyRow& t : s.table) {
    out["tally"].push_back({{"suite", t.suite},
                            {"kernel", t.kernel},
                            {"device", t.device},
                            {"kind", t.kind},
                            {"cases", t.cases},
                            {"seconds", t.seconds}});
  }
  for (const Position& p : s.positions)
    out["positions"].push_back({{"source", p.source}, {"next", p.next}});
  for (const BehaviourCount& k : s.shown.kinds) {
    out["behaviours"].push_back({{"kind", name_of(static_cast<BehaviourKind>(k.kind))},
                                 {"distinct", k.distinct},
                                 {"once", k.once}});
  }
  for (const StoredFailure& f : s.failures) {
    out["failures"].push_back({{"kernel", f.kernel},
                               {"kind", f.kind},
                               {"pattern", f.pattern},
                               {"hypothesis", f.hypothesis},
                               {"cases", f.cases},
                               {"state", name_of(f.state)},
                               {"first", f.first_line},
                               {"smallest", f.smallest_line}});
  }
  for (const FlakyLine& f : s.flaky) {
    json records = json::array();
    for (const FlakyRecord& r : f.records)
      records.push_back({{"kind", r.kind}, {"outputs", r.outputs}, {"count", r.count}});
    out["flaky"].push_back({{"line", f.line}, {"records", std::move(records)}});
  }
  for (const LostCase& c : s.lost) {
    out["lost"].push_back({{"source", c.source},
                           {"number", c.number},
                           {"line", c.line},
                           {"why", c.why},
                           {"judged", c.judged}});
  }
  return out;
}

}  // namespace w4
