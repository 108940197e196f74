// From older schema versions: 1 knew runs, verdicts, entries and findings; 2 no documents and no
// machines.
#include <map>
#include <utility>

#include "results/line_hash.h"
#include "results/schema.h"
#include "results/store_impl.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

constexpr const char* kSetAside = R"sql(
DROP INDEX verdict_by_line;
DROP INDEX entry_by_run;
DROP INDEX finding_by_verdict;
DROP TABLE finding;
ALTER TABLE run RENAME TO run1;
ALTER TABLE verdict RENAME TO verdict1;
ALTER TABLE entry RENAME TO entry1;
ALTER TABLE verdict1 ADD COLUMN moved INTEGER;
CREATE INDEX entry1_by_verdict ON entry1(verdict);
)sql";

// The first entry of a verdict is of the run that reached it, the others took it over.
constexpr std::string_view kOwn =
    "SELECT v.id, e.run, e.suite, v.kernel, v.device, v.json FROM entry1 e JOIN verdict1 v ON "
    "v.id=e.verdict WHERE e.rowid=(SELECT min(rowid) FROM entry1 WHERE verdict=v.id) "
    "ORDER BY e.rowid";

constexpr const char* kRest = R"sql(
INSERT OR IGNORE INTO entry(run, verdict, suite)
  SELECT e.run, v.moved, e.suite FROM entry1 e JOIN verdict1 v ON v.id=e.verdict
  WHERE e.rowid<>(SELECT min(rowid) FROM entry1 WHERE verdict=v.id) ORDER BY e.rowid;
DROP TABLE entry1;
DROP TABLE verdict1;
DROP TABLE run1;
)sql";

// What tells a run from all others: version 1 gave it no name of its own. Copies of a store get
// the same, so that they still merge into one.
struct Identity {
  std::string text;  // 32 hex digits
  int64_t verdicts = 0;
  void add(std::string_view more) {
    const int64_t low = line_hash(fmt::format("{}\n{}", text, more));
    const int64_t high = line_hash(fmt::format("{}\n{}\n", more, text));
    text = fmt::format("{:016x}{:016x}", static_cast<uint64_t>(high), static_cast<uint64_t>(low));
  }
};
using Identities = std::map<int64_t, Identity>;  // by id of the run

Result<void> move_runs(Store::Impl& store, Identities& runs) {
  auto s = store.db.prepare(
      "SELECT id, command, build_id, planned, started, finished, state FROM run1 ORDER BY id");
  if (!s) return std::unexpected(s.error());
  for (;;) {
    const auto row = s->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    const int64_t id = s->integer(0);
    const std::string started = s->text(4), finished = s->text(5);
    runs[id].add(fmt::format("{}\n{}\n{}\n{}", id, s->text(1), s->text(2), started));
    const auto build = store.build(s->text(2));
    if (!build) return std::unexpected(build.error());
    auto moved = store.db.run(
        "INSERT INTO run(id, uid, kind, command, build, planned, plan, started, heartbeat, "
        "finished, state) VALUES(?,?,'run',?,?,?,'',?,?,?,?)",
        id, fmt::format("version 1 run {}", id), s->text(1), *build, s->integer(3), started,
        finished.empty() ? started : finished, finished, s->integer(6));
    if (!moved) return moved;
  }
}

Result<void> move_verdicts(Store::Impl& store, Identities& runs) {
  const auto source = store.source("");
  if (!source) return std::unexpected(source.error());
  auto s = store.db.prepare(kOwn);
  if (!s) return std::unexpected(s.error());
  for (;;) {
    const auto row = s->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    const int64_t old = s->integer(0), run = s->integer(1);
    const std::string json = s->text(5);
    auto verdict = verdict_from_text(json);
    if (!verdict) return fail("verdict {} cannot be read: {}", old, verdict.error().text);
    runs[run].add(json);
    const Record record{s->text(2), s->text(3), s->text(4), std::move(*verdict), false};
    const auto filed = store.file({run, *source, runs[run].verdicts++}, record, true);
    if (!filed) return std::unexpected(filed.error());
    auto noted = store.db.run("UPDATE verdict1 SET moved=? WHERE id=?", filed->id, old);
    if (!noted) return noted;
  }
}

Result<void> name_runs(Database& db, const Identities& runs) {
  for (const auto& [id, identity] : runs) {
    auto named = db.run("UPDATE run SET uid=? WHERE id=?", identity.text, id);
    if (!named) return named;
  }
  return {};
}

Result<void> from_1(Store::Impl& store) {
  Database& db = store.db;
  Identities runs;
  auto done = db.execute(kSetAside);
  if (done) done = db.execute(kSchema);
  if (done) done = db.execute(kDocumentSchema);
  if (done) done = move_runs(store, runs);
  if (done) done = move_verdicts(store, runs);
  if (done) done = name_runs(db, runs);
  return done ? db.execute(kRest) : done;
}

// SQLite appends the column to the text of the table, where kSchema has it.
Result<void> from_2(Database& db) {
  auto done = db.execute("ALTER TABLE run ADD COLUMN machine TEXT NOT NULL DEFAULT ''");
  return done ? db.execute(kDocumentSchema) : done;
}

}  // namespace

Result<void> Store::Impl::migrate() {
  return transaction([&]() -> Result<void> {
    // Another process may have done it since this one looked.
    const auto version = db.pragma("user_version");
    if (!version) return std::unexpected(version.error());
    if (*version == kSchemaVersion) return {};
    auto done = *version == 1 ? from_1(*this) : from_2(db);
    if (done) done = db.execute(fmt::format("PRAGMA user_version={}", kSchemaVersion).c_str());
    if (!done)
      return fail("cannot bring it to schema version {}: {}", kSchemaVersion, done.error().text);
    return {};
  });
}

}  // namespace w4
