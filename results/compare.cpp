#include "results/compare.h"

#include <map>

#include "results/store_impl.h"

namespace w4 {
namespace {

// Calls `take` with each row; errors name the store.
template <class F, class... A>
Result<void> each_row(Store& store, std::string_view sql, F&& take, const A&... values) {
  Store::Impl& impl = store.impl();
  const auto s = impl.db.query(sql, values...);
  if (!s) return about(impl.path, s.error());
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl.path, row.error());
    if (!*row) return {};
    take(**s);
  }
}

}  // namespace

Result<std::optional<StoredRun>> previous_run(Store& store, const StoredRun& run) {
  std::optional<int64_t> id;
  const auto read = each_row(
      store,
      "SELECT id FROM run WHERE kind=?1 AND CASE WHEN ?1='campaign' THEN plan=?2 ELSE command=?3 "
      "END AND (started, id)<(?4, ?5) AND EXISTS (SELECT 1 FROM filed WHERE filed.run=run.id) "
      "ORDER BY started DESC, id DESC LIMIT 1",
      [&](const Statement& s) { id = s.integer(0); }, name_of(run.kind), run.plan, run.command,
      run.started, run.id);
  if (!read) return std::unexpected(read.error());
  if (!id) return std::nullopt;
  return store.find_run(*id);
}

Result<std::vector<ShownFailure>> shown_failures(Store& store, int64_t run) {
  std::vector<ShownFailure> out;
  std::map<int64_t, size_t> place;  // by id of the failure
  const auto shown = each_row(
      store,
      "SELECT g.id, f.kernel, f.kind, f.pattern, f.hypothesis, f.first_line, s.name, "
      "f.first_number, f.smallest_line, f.cases, f.state, b.text, g.cases, g.taken FROM "
      "(SELECT v.failure AS id, count(*) AS cases, sum(x.resumed) AS taken FROM filed x JOIN "
      "verdict v ON v.id=x.verdict WHERE x.run=? AND v.failure IS NOT NULL GROUP BY v.failure) g "
      "JOIN failure f ON f.id=g.id JOIN source s ON s.id=f.first_source JOIN build b ON "
      "b.id=f.build ORDER BY g.cases DESC, f.kernel, f.kind, f.pattern, f.hypothesis",
      [&](const Statement& s) {
        place[s.integer(0)] = out.size();
        out.push_back({failure_of(s), s.integer(12), s.integer(13), {}});
      },
      run);
  if (!shown) return std::unexpected(shown.error());
  for (const auto& [id, at] : place) {
    const auto keys = each_row(
        store, "SELECT key FROM failure_key WHERE failure=? ORDER BY key",
        [&](const Statement& s) { out[at].keys.push_back(s.text(0)); }, id);
    if (!keys) return std::unexpected(keys.error());
  }
  return out;
}

Result<LinesJudged> lines_judged(Store& store, int64_t failure, int64_t shown_by,
                                 int64_t judged_by) {
  LinesJudged out;
  const auto read = each_row(
      store,
      "SELECT count(*), total(green AND NOT red), total(red), total(flaky) FROM ("
      "SELECT coalesce(max(n.green), 0) AS green, "
      "coalesce(max(n.green=0 AND n.kind<>'skipped'), 0) AS red, max(EXISTS (SELECT 1 FROM flaky f "
      "WHERE f.build=n.build AND f.line_hash=n.line_hash AND f.line=n.line)) AS flaky FROM "
      "(SELECT DISTINCT line_hash, line FROM verdict v WHERE failure=?1 AND (run=?2 OR EXISTS "
      "(SELECT 1 FROM entry WHERE run=?2 AND verdict=v.id))) w "
      "LEFT JOIN verdict n ON n.line_hash=w.line_hash AND n.line=w.line AND (n.run=?3 OR EXISTS "
      "(SELECT 1 FROM entry WHERE run=?3 AND verdict=n.id)) GROUP BY w.line_hash, w.line)",
      [&](const Statement& s) { out = {s.integer(0), s.integer(1), s.integer(2), s.integer(3)}; },
      failure, shown_by, judged_by);
  if (!read) return std::unexpected(read.error());
  return out;
}

Result<std::vector<KernelCounts>> kernel_counts(Store& store, int64_t run) {
  std::vector<KernelCounts> out;
  const auto read = each_row(
      store,
      "SELECT v.kernel, sum(v.green), sum(v.green=0 AND v.kind<>'skipped'), "
      "sum(v.kind='skipped'), total(v.seconds) FROM filed x JOIN verdict v ON v.id=x.verdict "
      "WHERE x.run=? GROUP BY v.kernel ORDER BY v.kernel",
      [&](const Statement& s) {
        out.push_back({s.text(0), s.integer(1), s.integer(2), s.integer(3), s.real(4)});
      },
      run);
  if (!read) return std::unexpected(read.error());
  return out;
}

Result<FlakyOfRun> flaky_of(Store& store, int64_t run, int64_t limit) {
  FlakyOfRun out;
  const auto read = each_row(
      store,
      "WITH mine AS MATERIALIZED (SELECT f.* FROM flaky f WHERE EXISTS (SELECT 1 FROM verdict v "
      "WHERE v.line_hash=f.line_hash AND v.line=f.line AND v.build=f.build AND (v.run=?1 OR EXISTS "
      "(SELECT 1 FROM entry e WHERE e.run=?1 AND e.verdict=v.id)))) "
      "SELECT (SELECT count(*) FROM mine), f.line, b.text, v.kind, v.outputs, count(*) FROM "
      "(SELECT * FROM mine ORDER BY line, build LIMIT ?2) f JOIN build b ON b.id=f.build "
      "JOIN verdict v ON v.line_hash=f.line_hash AND v.build=f.build AND v.line=f.line "
      "WHERE v.kind<>'skipped' GROUP BY f.line, b.text, v.kind, v.outputs "
      "ORDER BY f.line, b.text, v.kind, v.outputs",
      [&](const Statement& s) {
        out.total = s.integer(0);
        const std::string line = s.text(1), build = s.text(2);
        if (out.lines.empty() || out.lines.back().line != line ||
            out.lines.back().build_id != build) {
          out.lines.push_back({line, build, {}});
        }
        out.lines.back().records.push_back({s.text(3), s.text(4), s.integer(5)});
      },
      run, limit);
  if (!read) return std::unexpected(read.error());
  return out;
}

}  // namespace w4
