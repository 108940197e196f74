// The tables of the store. A change here is a new Store::kSchemaVersion.
#pragma once

namespace w4 {

// "W4ck" as the file's application id.
inline constexpr int kApplicationId = 0x5734636B;

// A verdict belongs to the run that reached it and to those that took it over: hence `entry`.
inline constexpr const char* kSchema = R"sql(
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
)sql";

}  // namespace w4
