// Verdicts: filed with what follows from them, taken over, read back.
#include <cmath>
#include <utility>

#include "results/filed.h"
#include "results/line_hash.h"
#include "results/store_impl.h"
#include "results/text.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

std::optional<double> headroom_of(const Verdict& v) {
  const auto* pass = std::get_if<Pass>(&v.primary());
  if (pass == nullptr || std::isnan(pass->headroom)) return std::nullopt;
  return pass->headroom;
}

std::string clause_of(const Verdict& v) {
  if (const auto* refused = std::get_if<Refused>(&v.primary())) return refused->clause;
  if (const auto* accepted = std::get_if<Accepted>(&v.primary())) return accepted->clause;
  return {};
}

// SQLite has no NaN.
double seconds_of(const Verdict& v) { return std::isnan(v.ran.seconds) ? 0 : v.ran.seconds; }

bool skipped(const Verdict& v) { return v.kind() == VerdictKind::skipped; }

}  // namespace

Result<int64_t> Store::Impl::shared(std::string_view table, std::string_view text,
                                    std::string_view find, std::string_view make) {
  std::pair key{table, printable_utf8(text)};
  if (const auto at = ids_.find(key); at != ids_.end()) return at->second;
  const auto found = db.integer(find, key.second);
  if (!found) return std::unexpected(found.error());
  int64_t id = found->value_or(0);
  if (!*found) {
    if (auto made = db.run(make, key.second); !made) return std::unexpected(made.error());
    id = db.last_id();
  }
  ids_.emplace(std::move(key), id);
  return id;
}

Result<int64_t> Store::Impl::build(std::string_view text) {
  return shared("build", text, "SELECT id FROM build WHERE text=?",
                "INSERT INTO build(text) VALUES(?)");
}

Result<int64_t> Store::Impl::source(std::string_view name) {
  return shared("source", name, "SELECT id FROM source WHERE name=?",
                "INSERT INTO source(name) VALUES(?)");
}

Result<std::optional<int64_t>> Store::Impl::known_source(std::string_view name) {
  return db.integer("SELECT id FROM source WHERE name=?", printable_utf8(name));
}

Result<int64_t> Store::Impl::insert(const Place& at, const Record& record, int64_t build,
                                    const std::string& json) {
  const Verdict& v = record.verdict;
  const std::string line = printable_utf8(v.line);
  auto done = db.run(
      "INSERT INTO verdict(run, source, number, line, line_hash, kernel, device, suite, kind, "
      "green, build, object_hash, fp, instantiation, clause, outputs, headroom, seconds, "
      "wave_instructions, json) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      at.run, at.source, at.number, line, line_hash(line), printable_utf8(record.kernel),
      printable_utf8(record.device), printable_utf8(record.suite), name_of(v.kind()), v.green(),
      build, printable_utf8(v.ran.object_hash), printable_utf8(v.ran.fp),
      printable_utf8(v.ran.instantiation), printable_utf8(clause_of(v)),
      printable_utf8(v.ran.outputs), headroom_of(v), seconds_of(v), v.ran.wave_instructions, json);
  if (!done) return std::unexpected(done.error());
  return db.last_id();
}

Result<void> Store::Impl::insert_findings(int64_t verdict, const Verdict& v) {
  for (const Outcome& o : v.outcomes) {
    const auto* found = std::get_if<Found>(&o);
    if (found == nullptr) continue;
    for (const Finding& f : found->findings) {
      auto done = db.run(
          "INSERT INTO finding(verdict, kind, kernel, source, buffer, detail) "
          "VALUES(?,?,?,?,?,?)",
          verdict, name_of(f.kind), printable_utf8(f.kernel), printable_utf8(f.at.source),
          printable_utf8(f.buffer), printable_utf8(f.detail));
      if (!done) return done;
    }
  }
  return {};
}

Result<void> Store::Impl::count(const Place& at, const Record& record) {
  const Verdict& v = record.verdict;
  return db.run(
      "INSERT INTO tally VALUES(?,?,?,?,?,?,1,?,?,?) ON CONFLICT DO UPDATE SET "
      "cases=cases+1, seconds=seconds+excluded.seconds, "
      "wave_instructions=wave_instructions+excluded.wave_instructions, "
      "headroom=max(headroom, excluded.headroom)",
      at.run, printable_utf8(record.suite), printable_utf8(record.kernel),
      printable_utf8(record.device), name_of(v.kind()), v.green(), seconds_of(v),
      v.ran.wave_instructions, headroom_of(v).value_or(0));
}

// Kept as it comes, so that asking for flaky lines costs nothing however many rows there are.
Result<void> Store::Impl::mark_flaky(int64_t verdict) {
  return db.run(
      "INSERT OR IGNORE INTO flaky(build, line_hash, line) "
      "SELECT a.build, a.line_hash, a.line FROM verdict a JOIN verdict b "
      "ON b.line_hash=a.line_hash AND b.id<>a.id AND b.build=a.build AND b.line=a.line "
      "WHERE a.id=? AND a.kind<>'skipped' AND b.kind<>'skipped' "
      "AND (a.kind<>b.kind OR (a.outputs<>b.outputs AND a.outputs<>'' AND b.outputs<>'')) "
      "AND (a.object_hash=b.object_hash OR a.object_hash='' OR b.object_hash='') LIMIT 1",
      verdict);
}

Result<FiledVerdict> Store::Impl::file(const Place& at, const Record& record, bool keep_json) {
  const Verdict& v = record.verdict;
  const auto in = build(v.ran.build_id);
  if (!in) return std::unexpected(in.error());
  const auto id = insert(at, record, *in, keep_json || !v.green() ? verdict_to_text(v) : "");
  if (!id) return std::unexpected(id.error());
  FiledVerdict out{*id};
  if (auto done = insert_findings(*id, v); !done) return std::unexpected(done.error());
  if (auto done = count(at, record); !done) return std::unexpected(done.error());
  if (auto done = mark_flaky(*id); !done) return std::unexpected(done.error());
  if (v.green() || skipped(v)) return out;
  const auto folded = fold(at, failure_key(record));
  if (!folded) return std::unexpected(folded.error());
  out.failure = *folded;
  return out;
}

Result<Record> record_of(const Statement& s, int first) {
  Record r{s.text(first), s.text(first + 1), s.text(first + 2), {}, false};
  if (const std::string json = s.text(first + 3); !json.empty()) {
    auto verdict = verdict_from_text(json);
    if (!verdict) return std::unexpected(verdict.error());
    r.verdict = std::move(*verdict);
    return r;
  }
  Provenance ran;
  ran.build_id = s.text(first + 8);
  ran.object_hash = s.text(first + 9);
  ran.fp = s.text(first + 10);
  ran.instantiation = s.text(first + 11);
  ran.outputs = s.text(first + 12);
  ran.seconds = s.real(first + 13);
  ran.wave_instructions = static_cast<uint64_t>(s.integer(first + 14));
  const std::string line = s.text(first + 4), kind = s.text(first + 5);
  Outcome outcome = Pass{.worst = {}, .headroom = s.real(first + 7)};
  if (kind == name_of(VerdictKind::refused)) {
    outcome = Refused{s.text(first + 6), "", true, true};
  } else if (kind != name_of(VerdictKind::pass)) {
    return fail("'{}': a verdict '{}' without its JSON", line, kind);
  }
  r.verdict = make_verdict(line, {std::move(outcome)}, std::move(ran));
  return r;
}

Result<void> Store::add(int64_t run, const Record& record) {
  return impl_->transaction([&]() -> Result<void> {
    const auto source = impl_->source("");
    if (!source) return std::unexpected(source.error());
    const auto number = impl_->db.integer(
        "SELECT coalesce(max(number)+1, 0) FROM verdict WHERE run=? AND source=?", run, *source);
    if (!number) return std::unexpected(number.error());
    const auto filed = impl_->file({run, *source, number->value_or(0)}, record, true);
    if (!filed) return std::unexpected(filed.error());
    return {};
  });
}

Result<std::vector<Record>> Store::adopt(int64_t run, std::string_view build_id,
                                         std::span<const std::string> lines) {
  const std::string find = fmt::format(
      "SELECT v.id, {} FROM verdict v JOIN build b ON b.id=v.build WHERE v.line_hash=? AND "
      "v.line=? AND b.text=? AND v.json<>'' AND v.kind NOT IN "
      "('harness_error','crash','timeout','skipped') "
      "ORDER BY v.id DESC LIMIT 1",
      kRecordColumns);
  auto s = impl_->db.prepare(find);
  if (!s) return about(impl_->path, s.error());
  std::vector<Record> records;
  auto done = impl_->transaction([&]() -> Result<void> {
    for (const std::string& typed : lines) {
      const std::string line = printable_utf8(typed);
      s->bind_all(line_hash(line), line, printable_utf8(build_id));
      const auto row = s->step();
      if (!row) return std::unexpected(row.error());
      if (!*row) continue;
      const int64_t id = s->integer(0);
      auto record = record_of(*s, 1);
      s->reset();
      if (!record) continue;  // a row nobody can read is reached again
      record->resumed = true;
      auto linked = impl_->db.run("INSERT OR IGNORE INTO entry(run, verdict, suite) VALUES(?,?,?)",
                                  run, id, record->suite);
      if (!linked) return linked;
      records.push_back(std::move(*record));
    }
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return records;
}

Result<std::vector<Record>> Store::verdicts(int64_t run) {
  std::vector<Record> records;
  const auto read = each_filed(*this, run, [&](Filed&& f) -> Result<void> {
    records.push_back(std::move(f.record));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return records;
}

}  // namespace w4
