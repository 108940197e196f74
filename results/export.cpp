#include "results/export.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "results/junit.h"
#include "results/store_impl.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

// What is exported: verdict, suite, resumed. Of all runs no row that only took a verdict over.
std::string_view filed_by(std::optional<int64_t> run) {
  return run ? "(SELECT verdict, suite, resumed FROM filed WHERE run=?1)"
             : "(SELECT id AS verdict, suite, 0 AS resumed FROM verdict WHERE ?1<0)";
}

struct Exported {
  Record record;
  std::string run, source;
  int64_t number = 0;
};

using TakeRow = std::function<Result<void>(const Exported&)>;

// Sorts ids, which are small and spill to disk, and reads each row when its turn comes.
Result<int64_t> each(Database& db, std::optional<int64_t> run, std::string_view order,
                     const TakeRow& take) {
  auto ids = db.prepare(
      fmt::format("SELECT f.verdict, f.suite, f.resumed FROM {} f JOIN verdict v ON v.id=f.verdict "
                  "JOIN run r ON r.id=v.run JOIN source s ON s.id=v.source ORDER BY {}",
                  filed_by(run), order));
  if (!ids) return std::unexpected(ids.error());
  auto row = db.prepare(
      fmt::format("SELECT r.uid, s.name, v.number, {} FROM verdict v JOIN build b ON b.id=v.build "
                  "JOIN run r ON r.id=v.run JOIN source s ON s.id=v.source WHERE v.id=?",
                  kRecordColumns));
  if (!row) return std::unexpected(row.error());
  ids->bind(1, run.value_or(-1));
  for (int64_t count = 0;; ++count) {
    const auto next = ids->step();
    if (!next) return std::unexpected(next.error());
    if (!*next) return count;
    row->bind(1, ids->integer(0));
    if (const auto there = row->step(); !there) return std::unexpected(there.error());
    auto record = record_of(*row, 3);
    if (!record) return std::unexpected(record.error());
    record->suite = ids->text(1);
    record->resumed = ids->integer(2) != 0;
    const Exported e{std::move(*record), row->text(0), row->text(1), row->integer(2)};
    row->reset();
    if (auto taken = take(e); !taken) return std::unexpected(taken.error());
  }
}

Result<std::map<std::string, JunitCounts>> count_suites(Database& db, std::optional<int64_t> run) {
  auto s =
      db.prepare(fmt::format("SELECT f.suite, v.kind, v.green, count(*), sum(v.seconds) FROM {} f "
                             "JOIN verdict v ON v.id=f.verdict GROUP BY f.suite, v.kind, v.green",
                             filed_by(run)));
  if (!s) return std::unexpected(s.error());
  s->bind(1, run.value_or(-1));
  std::map<std::string, JunitCounts> out;
  for (;;) {
    const auto row = s->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return out;
    const auto kind = verdict_kind_from(s->text(1));
    if (!kind) return fail("a row has the verdict '{}', which is none", s->text(1));
    out[s->text(0)].add(*kind, s->integer(2) != 0, s->integer(3), s->real(4));
  }
}

template <class F>
Result<int64_t> reading(Store& store, F&& body) {
  int64_t count = 0;
  const auto read = store.reading([&]() -> Result<void> {
    const Result<int64_t> done = body(store.impl().db);
    if (!done) return std::unexpected(done.error());
    count = *done;
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return count;
}

}  // namespace

Result<int64_t> export_json(Store& store, std::optional<int64_t> run, const TextSink& sink) {
  return reading(store, [&](Database& db) {
    return each(db, run, "r.uid, s.name, v.number", [&](const Exported& e) {
      nlohmann::json j = verdict_to_json(e.record.verdict);
      j["suite"] = e.record.suite;
      j["resumed"] = e.record.resumed;
      j["run"] = e.run;
      j["source"] = e.source;
      j["number"] = e.number;
      return sink(j.dump() + "\n");
    });
  });
}

Result<int64_t> export_junit(Store& store, std::optional<int64_t> run, const TextSink& sink) {
  return reading(store, [&](Database& db) -> Result<int64_t> {
    const auto counts = count_suites(db, run);
    if (!counts) return std::unexpected(counts.error());
    std::optional<std::string> open;  // the suite whose cases come
    auto put = sink(junit_head());
    if (!put) return std::unexpected(put.error());
    const auto written =
        each(db, run, "f.suite, r.uid, s.name, v.number", [&](const Exported& e) -> Result<void> {
          std::string text;
          if (open != e.record.suite) {
            if (open) text += junit_suite_end();
            open = e.record.suite;
            text += junit_suite(*open, counts->at(*open));
          }
          return sink(text + junit_case(e.record));
        });
    if (!written) return written;
    put = sink((open ? junit_suite_end() : "") + junit_tail());
    if (!put) return std::unexpected(put.error());
    return written;
  });
}

}  // namespace w4
