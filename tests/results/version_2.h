// A store as the second version of the schema made it: its tables, word for word, and a campaign in
// them with a row in each.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "results/sqlite.h"

namespace w4::testing {

inline constexpr const char* kSchema2 = R"sql(
CREATE TABLE build(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE run(
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  command TEXT NOT NULL,
  build INTEGER NOT NULL REFERENCES build(id),
  planned INTEGER NOT NULL,
  plan TEXT NOT NULL,
  started TEXT NOT NULL DEFAULT (datetime('now')),
  heartbeat TEXT NOT NULL DEFAULT (datetime('now')),
  finished TEXT NOT NULL DEFAULT '',
  state INTEGER NOT NULL DEFAULT 0,
  new_at TEXT NOT NULL DEFAULT '',
  new_source INTEGER REFERENCES source(id),
  new_number INTEGER,
  new_cases INTEGER NOT NULL DEFAULT 0);
CREATE TABLE verdict(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  source INTEGER NOT NULL REFERENCES source(id),
  number INTEGER NOT NULL,
  line TEXT NOT NULL,
  line_hash INTEGER NOT NULL,
  kernel TEXT NOT NULL,
  device TEXT NOT NULL,
  suite TEXT NOT NULL,
  kind TEXT NOT NULL,
  green INTEGER NOT NULL,
  build INTEGER NOT NULL REFERENCES build(id),
  object_hash TEXT NOT NULL,
  fp TEXT NOT NULL,
  instantiation TEXT NOT NULL,
  clause TEXT NOT NULL,
  outputs TEXT NOT NULL,
  headroom REAL,
  seconds REAL NOT NULL,
  wave_instructions INTEGER NOT NULL,
  failure INTEGER REFERENCES failure(id),
  json TEXT NOT NULL,
  UNIQUE(run, source, number));
CREATE INDEX verdict_by_line ON verdict(line_hash);
CREATE INDEX verdict_by_failure ON verdict(failure) WHERE failure IS NOT NULL;
CREATE TABLE entry(
  run INTEGER NOT NULL REFERENCES run(id),
  verdict INTEGER NOT NULL REFERENCES verdict(id),
  suite TEXT NOT NULL,
  UNIQUE(run, verdict));
CREATE VIEW filed(run, verdict, suite, resumed, place) AS
  SELECT run, verdict, suite, 1, rowid FROM entry
  UNION ALL SELECT run, id, suite, 0, id FROM verdict;
CREATE TABLE finding(
  verdict INTEGER NOT NULL REFERENCES verdict(id),
  kind TEXT NOT NULL,
  kernel TEXT NOT NULL,
  source TEXT NOT NULL,
  buffer TEXT NOT NULL,
  detail TEXT NOT NULL);
CREATE INDEX finding_by_verdict ON finding(verdict);
CREATE TABLE tally(
  run INTEGER NOT NULL REFERENCES run(id),
  suite TEXT NOT NULL,
  kernel TEXT NOT NULL,
  device TEXT NOT NULL,
  kind TEXT NOT NULL,
  green INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  seconds REAL NOT NULL,
  wave_instructions INTEGER NOT NULL,
  headroom REAL NOT NULL,
  PRIMARY KEY(run, suite, kernel, device, kind, green)) WITHOUT ROWID;
CREATE TABLE behaviour(
  run INTEGER NOT NULL REFERENCES run(id),
  kind INTEGER NOT NULL,
  id INTEGER NOT NULL,
  cases INTEGER NOT NULL,
  first_source INTEGER NOT NULL REFERENCES source(id),
  first_number INTEGER NOT NULL,
  second_source INTEGER REFERENCES source(id),
  second_number INTEGER,
  PRIMARY KEY(run, kind, id)) WITHOUT ROWID;
CREATE TABLE position(
  run INTEGER NOT NULL REFERENCES run(id),
  source INTEGER NOT NULL REFERENCES source(id),
  next INTEGER NOT NULL,
  PRIMARY KEY(run, source)) WITHOUT ROWID;
CREATE TABLE lost(
  run INTEGER NOT NULL REFERENCES run(id),
  source INTEGER NOT NULL REFERENCES source(id),
  number INTEGER NOT NULL,
  line TEXT NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY(run, source, number)) WITHOUT ROWID;
CREATE TABLE failure(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  kernel TEXT NOT NULL,
  kind TEXT NOT NULL,
  pattern TEXT NOT NULL,
  hypothesis TEXT NOT NULL DEFAULT '',
  first_line TEXT NOT NULL,
  first_source INTEGER NOT NULL REFERENCES source(id),
  first_number INTEGER NOT NULL,
  smallest_line TEXT NOT NULL DEFAULT '',
  cases INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'new',
  build INTEGER NOT NULL REFERENCES build(id));
CREATE INDEX failure_by_key ON failure(kernel, kind, pattern, hypothesis);
CREATE TABLE failure_key(
  run INTEGER NOT NULL REFERENCES run(id),
  key TEXT NOT NULL,
  failure INTEGER NOT NULL REFERENCES failure(id),
  PRIMARY KEY(run, key)) WITHOUT ROWID;
CREATE INDEX failure_key_by_failure ON failure_key(failure);
CREATE TABLE flaky(
  build INTEGER NOT NULL REFERENCES build(id),
  line_hash INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY(build, line_hash, line)) WITHOUT ROWID;
)sql";

// A red case folded into an explained failure and a green one; one run that took the green over.
inline constexpr const char* kRows2 = R"sql(
INSERT INTO build VALUES(1, 'b1');
INSERT INTO source VALUES(1, ''), (2, 'random');
INSERT INTO run VALUES
  (1, '000102030405060708090a0b0c0d0e0f', 'campaign', 'w4check campaign', 1, 9, '{"seed":1}',
   '2026-02-01 10:00:00', '2026-02-01 10:20:00', '2026-02-01 10:20:00', 1,
   '2026-02-01 10:10:00', 2, 1, 2),
  (2, 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff', 'run', 'w4check run', 1, 1, '',
   '2026-02-01 11:00:00', '2026-02-01 11:00:00', '', 0, '', NULL, NULL, 0);
INSERT INTO failure VALUES(1, 1, 'decode', 'mismatch', 'rows m=#', 'a tail is left out',
  'decode m=0 n=64 k=128', 2, 0, 'decode m=0', 1, 'done', 1);
INSERT INTO failure_key VALUES(1, 'decode' || char(10) || 'mismatch' || char(10) || 'rows m=#', 1);
INSERT INTO verdict VALUES
  (1, 1, 2, 0, 'decode m=0 n=64 k=128', 5, 'decode', 'gfx1151', 'random', 'mismatch', 0, 1, '00ff',
   'ieee', 'medium y4', '', '', NULL, 0.5, 100, 1, '{"line":"decode m=0 n=64 k=128"}'),
  (2, 1, 2, 1, 'decode m=1', 6, 'decode', 'gfx1151', 'random', 'pass', 1, 1, '00ff', 'ieee',
   'medium y4', '', '0123456789abcdef', 0.25, 0.5, 100, NULL, '');
INSERT INTO finding VALUES(1, 'lds_race', 'w4_decode', 'skinny.hip:42', 'LDS', 'no barrier');
INSERT INTO entry VALUES(2, 2, 'smoke');
INSERT INTO tally VALUES(1, 'random', 'decode', 'gfx1151', 'mismatch', 0, 1, 0.5, 100, 0),
  (1, 'random', 'decode', 'gfx1151', 'pass', 1, 1, 0.5, 100, 0.25);
INSERT INTO behaviour VALUES(1, 0, 7, 2, 2, 0, 2, 1);
INSERT INTO position VALUES(1, 2, 2);
INSERT INTO lost VALUES(1, 2, 8, 'decode m=8', 'killed');
INSERT INTO flaky VALUES(1, 6, 'decode m=1');
)sql";

inline void write_version_2(const std::string& path) {
  auto db = Database::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const std::string all = std::string(kSchema2) + kRows2 +
                          "PRAGMA application_id=1463051115; PRAGMA user_version=2; "
                          "PRAGMA journal_mode=WAL;";
  ASSERT_TRUE(db->execute(all.c_str()));
}

}  // namespace w4::testing
