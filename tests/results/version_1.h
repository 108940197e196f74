// A store as the first version of the schema made it: its tables, word for word, and its inserts.
#pragma once

#include <string>
#include <vector>

#include "core/verdict.h"
#include "results/sqlite.h"
#include "results/verdict_json.h"

namespace w4::testing {

inline constexpr const char* kSchema1 = R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  command TEXT NOT NULL,
  build_id TEXT NOT NULL,
  planned INTEGER NOT NULL,
  started TEXT NOT NULL DEFAULT (datetime('now')),
  finished TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0);
CREATE TABLE verdict(
  id INTEGER PRIMARY KEY,
  line TEXT NOT NULL,
  kernel TEXT NOT NULL,
  device TEXT NOT NULL,
  kind TEXT NOT NULL,
  green INTEGER NOT NULL,
  build_id TEXT NOT NULL,
  object_hash TEXT NOT NULL,
  fp TEXT NOT NULL,
  seconds REAL NOT NULL,
  wave_instructions INTEGER NOT NULL,
  json TEXT NOT NULL);
CREATE INDEX verdict_by_line ON verdict(line, build_id);
CREATE TABLE entry(
  run INTEGER NOT NULL REFERENCES run(id),
  verdict INTEGER NOT NULL REFERENCES verdict(id),
  suite TEXT NOT NULL,
  resumed INTEGER NOT NULL);
CREATE INDEX entry_by_run ON entry(run);
CREATE TABLE finding(
  verdict INTEGER NOT NULL REFERENCES verdict(id),
  kind TEXT NOT NULL,
  kernel TEXT NOT NULL,
  source TEXT NOT NULL,
  buffer TEXT NOT NULL,
  detail TEXT NOT NULL);
CREATE INDEX finding_by_verdict ON finding(verdict);
PRAGMA application_id=1463051115;
PRAGMA user_version=1;
)sql";

class Version1 {
 public:
  explicit Version1(const std::string& path)
      : db_(*Database::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) {
    ok(db_.execute("PRAGMA journal_mode=WAL"));
    ok(db_.execute(kSchema1));
  }
  void run(int64_t id, std::string_view command, std::string_view build, int64_t planned,
           std::string_view finished, int64_t state) {
    ok(db_.run("INSERT INTO run VALUES(?,?,?,?,'2026-01-31 12:00:00',?,?)", id, command, build,
               planned, finished, state));
  }
  // Of kernel decode on gfx1151.
  void verdict(int64_t id, const Verdict& v) {
    ok(db_.run("INSERT INTO verdict VALUES(?,?,'decode','gfx1151',?,?,?,?,?,?,?,?)", id, v.line,
               name_of(v.kind()), v.green(), v.ran.build_id, v.ran.object_hash, v.ran.fp,
               v.ran.seconds, v.ran.wave_instructions, verdict_to_text(v)));
    for (const Outcome& o : v.outcomes) {
      const auto* found = std::get_if<Found>(&o);
      if (found == nullptr) continue;
      for (const Finding& f : found->findings) {
        ok(db_.run("INSERT INTO finding VALUES(?,?,?,?,?,?)", id, name_of(f.kind), f.kernel,
                   f.at.source, f.buffer, f.detail));
      }
    }
  }
  void entry(int64_t run, int64_t verdict, std::string_view suite, bool resumed) {
    ok(db_.run("INSERT INTO entry VALUES(?,?,?,?)", run, verdict, suite, resumed));
  }
  Database& db() { return db_; }

 private:
  static void ok(const Result<void>& done) { ASSERT_TRUE(done) << done.error().text; }
  Database db_;
};

}  // namespace w4::testing
