// Behaviours: what cases showed first, and how much of it no other case showed.
#include <utility>

#include "results/store_impl.h"

namespace w4 {
namespace {

// True: no case showed it before.
Result<bool> see_one(Database& db, const Place& at, const SeenBehaviour& b) {
  const auto id = static_cast<int64_t>(b.id);
  auto made = db.run(
      "INSERT OR IGNORE INTO behaviour(run, kind, id, cases, first_source, first_number) "
      "VALUES(?,?,?,1,?,?)",
      at.run, b.kind, id, at.source, at.number);
  if (!made) return std::unexpected(made.error());
  if (db.changes() > 0) return true;
  auto second = db.run(
      "UPDATE behaviour SET cases=2, second_source=?4, second_number=?5 WHERE run=?1 AND kind=?2 "
      "AND id=?3 AND cases=1 AND NOT (first_source=?4 AND first_number=?5)",
      at.run, b.kind, id, at.source, at.number);
  if (!second) return std::unexpected(second.error());
  return false;
}

}  // namespace

Result<int64_t> Store::Impl::see(const Place& at, const std::vector<SeenBehaviour>& behaviours) {
  int64_t fresh = 0;
  for (const SeenBehaviour& b : behaviours) {
    const auto first = see_one(db, at, b);
    if (!first) return std::unexpected(first.error());
    fresh += *first ? 1 : 0;
  }
  if (fresh == 0) return fresh;
  auto done = db.run(
      "UPDATE run SET new_at=datetime('now'), new_source=?2, new_number=?3, "
      "new_cases=(SELECT coalesce(sum(cases),0) FROM tally WHERE run=?1 AND kind<>'skipped') "
      "WHERE id=?1",
      at.run, at.source, at.number);
  if (!done) return std::unexpected(done.error());
  return fresh;
}

Result<StopCounts> Store::stop_counts(std::optional<int64_t> run) {
  Database& db = impl_->db;
  const int64_t of = run.value_or(-1);
  StopCounts out;
  const auto cases = db.integer(
      "SELECT coalesce(sum(cases), 0) FROM tally WHERE kind<>'skipped' AND (?1<0 OR run=?1)", of);
  if (!cases) return about(impl_->path, cases.error());
  out.cases = cases->value_or(0);
  // Of one run each behaviour is a row; of all runs the rows of a behaviour come together first.
  const std::string_view singles =
      run ? "SELECT count(*) FROM (SELECT DISTINCT first_source, first_number FROM behaviour "
            "WHERE run=?1 AND cases=1)"
          : "SELECT count(*) FROM (SELECT DISTINCT run, first_source, first_number FROM "
            "(SELECT run, first_source, first_number, sum(cases) AS n FROM behaviour "
            "WHERE ?1<0 GROUP BY kind, id) WHERE n=1)";
  const auto single = db.integer(singles, of);
  if (!single) return about(impl_->path, single.error());
  out.singles = single->value_or(0);
  const auto kinds = db.query(
      run ? "SELECT kind, count(*), sum(cases=1) FROM behaviour WHERE run=?1 GROUP BY kind"
          : "SELECT kind, count(*), sum(n=1) FROM (SELECT kind, sum(cases) AS n FROM behaviour "
            "WHERE ?1<0 GROUP BY kind, id) GROUP BY kind",
      of);
  if (!kinds) return about(impl_->path, kinds.error());
  for (;;) {
    const auto row = (*kinds)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) break;
    out.kinds.push_back(
        {static_cast<int>((*kinds)->integer(0)), (*kinds)->integer(1), (*kinds)->integer(2)});
  }
  const auto last = db.query(
      "SELECT r.new_at, s.name, r.new_number, r.new_cases FROM run r JOIN source s ON "
      "s.id=r.new_source WHERE ?1<0 OR r.id=?1 ORDER BY r.new_at DESC, r.uid LIMIT 1",
      of);
  if (!last) return about(impl_->path, last.error());
  const auto row = (*last)->step();
  if (!row) return about(impl_->path, row.error());
  if (!*row) return out;
  out.last_at = (*last)->text(0);
  out.last_source = (*last)->text(1);
  out.last_number = (*last)->integer(2);
  out.last_cases = (*last)->integer(3);
  (*last)->reset();
  return out;
}

}  // namespace w4
