// Runs: begun, ended, found.
#include <utility>

#include "results/store_impl.h"
#include "results/text.h"

namespace w4 {
namespace {

constexpr std::string_view kRunColumns =
    "SELECT r.id, r.command, b.text, r.planned, r.started, r.finished, r.state, r.uid, r.kind, "
    "r.plan, r.heartbeat, r.machine FROM run r JOIN build b ON b.id = r.build ";

StoredRun run_of(const Statement& s) {
  const int64_t state = s.integer(6);
  return {s.integer(0),
          s.text(1),
          s.text(2),
          s.integer(3),
          s.text(4),
          s.text(5),
          state < 0 || state > 3 ? RunState::running : static_cast<RunState>(state),
          s.text(7),
          s.text(8) == name_of(RunKind::campaign) ? RunKind::campaign : RunKind::run,
          s.text(9),
          s.text(10),
          s.text(11)};
}

Result<std::vector<StoredRun>> read_runs(Database& db, std::string_view where, int64_t id) {
  auto s = db.prepare(fmt::format("{}{}", kRunColumns, where));
  if (!s) return std::unexpected(s.error());
  if (id >= 0) s->bind(1, id);
  std::vector<StoredRun> out;
  for (;;) {
    const auto row = s->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return out;
    out.push_back(run_of(*s));
  }
}

Result<std::optional<StoredRun>> first_of(const std::string& path,
                                          Result<std::vector<StoredRun>> runs) {
  if (!runs) return about(path, runs.error());
  if (runs->empty()) return std::nullopt;
  return std::move(runs->front());
}

}  // namespace

Result<int64_t> Store::begin_run(const RunStart& start) {
  int64_t id = 0;
  const auto done = impl_->transaction([&]() -> Result<void> {
    const auto build = impl_->build(start.build_id);
    if (!build) return std::unexpected(build.error());
    auto inserted = impl_->db.run(
        "INSERT INTO run(uid, kind, command, build, planned, plan, machine) "
        "VALUES(lower(hex(randomblob(16))),?,?,?,?,?,?)",
        name_of(start.kind), printable_utf8(start.command), *build, start.planned,
        printable_utf8(start.plan), printable_utf8(start.machine));
    id = impl_->db.last_id();
    return inserted;
  });
  if (!done) return std::unexpected(done.error());
  return id;
}

Result<void> Store::end_run(int64_t run, RunState state) {
  return impl_->transaction([&] {
    return impl_->db.run(
        "UPDATE run SET finished=datetime('now'), heartbeat=datetime('now'), state=? WHERE id=?",
        static_cast<int64_t>(state), run);
  });
}

Result<void> Store::reopen_run(int64_t run, std::string_view machine) {
  return impl_->transaction([&] {
    return impl_->db.run(
        "UPDATE run SET finished='', heartbeat=datetime('now'), state=0, machine=CASE "
        "WHEN ?1='' OR instr('; '||machine||'; ', '; '||?1||'; ')>0 THEN machine "
        "WHEN machine='' THEN ?1 ELSE machine||'; '||?1 END WHERE id=?2",
        printable_utf8(machine), run);
  });
}

// In a merged store ids follow the order of merging: the newest is the one that started last.
Result<std::optional<StoredRun>> Store::find_run(std::optional<int64_t> id) {
  if (id) return first_of(impl_->path, read_runs(impl_->db, "WHERE r.id=?", *id));
  return first_of(impl_->path,
                  read_runs(impl_->db, "ORDER BY r.started DESC, r.id DESC LIMIT 1", -1));
}

Result<std::optional<StoredRun>> Store::find_campaign() {
  return first_of(
      impl_->path,
      read_runs(impl_->db, "WHERE r.kind='campaign' ORDER BY r.started DESC, r.id DESC LIMIT 1",
                -1));
}

Result<std::vector<StoredRun>> Store::runs() {
  auto all = read_runs(impl_->db, "ORDER BY r.started, r.id", -1);
  if (!all) return about(impl_->path, all.error());
  return all;
}

}  // namespace w4
