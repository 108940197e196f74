// The tables of the store. A change here is a new Store::kSchemaVersion and a step in migrate.cpp.
#pragma once

namespace w4 {

// "W4ck" as the file's application id.
inline constexpr int kApplicationId = 0x5734636B;

// docs/store.md says what each column holds. A verdict belongs to the run that reached it (`number`
// counts within run and source) and by `entry` to those that took it over. Everything that follows
// from verdicts (tally, behaviour, failure, flaky) is kept in the transaction that files them.
inline constexpr const char* kSchema = R"sql(
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
  new_cases INTEGER NOT NULL DEFAULT 0, machine TEXT NOT NULL DEFAULT '');
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

// For itself: a store of version 2 gets it as it is.
inline constexpr const char* kDocumentSchema = R"sql(
CREATE TABLE document(
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  build INTEGER NOT NULL REFERENCES build(id),
  at TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY(kind, name, build)) WITHOUT ROWID;
)sql";

}  // namespace w4
