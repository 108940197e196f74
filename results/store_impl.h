// What the parts of the store share; of this room only.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "results/sqlite.h"
#include "results/store.h"

namespace w4 {

inline std::unexpected<Error> about(const std::string& path, const Error& e) {
  return fail("store '{}': {}", path, e.text);
}

// Where a verdict belongs. `number` counts within run and source.
struct Place {
  int64_t run = 0;
  int64_t source = 0;
  int64_t number = 0;
};

struct FiledVerdict {
  int64_t id = 0;
  std::optional<Folded> failure{};
};

struct Store::Impl {
  Impl(Database opened, std::string name) : db(std::move(opened)), path(std::move(name)) {}

  Database db;
  std::string path;

  // One transaction round `body`; rolled back where it fails.
  template <class F>
  Result<void> transaction(F&& body) {
    if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return about(path, begun.error());
    Result<void> done = body();
    if (done) done = db.execute("COMMIT");
    if (done) return {};
    // SQLite has done it already where the disk is full.
    [[maybe_unused]] const Result<void> undone = db.execute("ROLLBACK");
    ids_.clear();  // they may be of rows that are gone
    return about(path, done.error());
  }

  // From any older schema version to this one, all in one transaction. Errors name the store.
  Result<void> migrate();

  // Ids of texts that many rows share, made where they are missing.
  Result<int64_t> build(std::string_view text);
  Result<int64_t> source(std::string_view name);
  Result<std::optional<int64_t>> known_source(std::string_view name);

  // Inside a transaction: the verdict with its findings, and what follows from it.
  Result<FiledVerdict> file(const Place& at, const Record& record, bool keep_json);
  // The row alone; the build of the verdict is `build` (an id).
  Result<int64_t> insert(const Place& at, const Record& record, int64_t build,
                         const std::string& json);
  Result<void> insert_findings(int64_t verdict, const Verdict& v);
  Result<void> count(const Place& at, const Record& record);
  Result<void> mark_flaky(int64_t verdict);
  Result<Folded> fold(const Place& at, const FailureKey& key);
  Result<int64_t> see(const Place& at, const std::vector<SeenBehaviour>& behaviours);

 private:
  Result<int64_t> shared(std::string_view table, std::string_view text, std::string_view find,
                         std::string_view make);
  std::map<std::pair<std::string_view, std::string>, int64_t> ids_;  // {table, text}
};

// Failure `id` goes into `into`, with its keys and its cases.
Result<void> take_in(Database& db, int64_t id, int64_t into);

// Of the row that `s` stands on, twelve columns from the first: id, kernel, kind, pattern,
// hypothesis, first line, source and number, smallest line, cases, state, build. A thirteenth, how
// many runs show it, where there is one.
StoredFailure failure_of(const Statement& s, bool with_runs = false);

// {kernel, kind, pattern}, with `hypothesis` as a fourth of one that has been explained.
std::string key_text(const FailureKey& key);
std::string key_text(const FailureKey& key, std::string_view hypothesis);

// The columns of verdict v (with build b) that `record_of` reads, in its order.
inline constexpr std::string_view kRecordColumns =
    "v.suite, v.kernel, v.device, v.json, v.line, v.kind, v.clause, v.headroom, b.text, "
    "v.object_hash, v.fp, v.instantiation, v.outputs, v.seconds, v.wave_instructions";
// Of the row that `s` stands on, its columns from `first`. Where json is empty a green verdict is
// made of what the columns hold.
Result<Record> record_of(const Statement& s, int first);

}  // namespace w4
