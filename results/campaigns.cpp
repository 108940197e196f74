// Campaigns: a case at a time, where to go on, what was lost, what it all came to.
#include <utility>

#include "results/store_impl.h"
#include "results/text.h"

namespace w4 {

Result<AddedCase> Store::add_case(int64_t run, const CampaignCase& c) {
  AddedCase out;
  const auto done = impl_->transaction([&]() -> Result<void> {
    Database& db = impl_->db;
    const auto source = impl_->source(c.source);
    if (!source) return std::unexpected(source.error());
    const Place at{run, *source, c.number};
    const auto there = db.integer("SELECT id FROM verdict WHERE run=? AND source=? AND number=?",
                                  run, *source, c.number);
    if (!there) return std::unexpected(there.error());
    if (*there) return fail("'{}' number {} has a verdict already", c.source, c.number);
    const auto filed = impl_->file(at, c.record, c.keep_json);
    if (!filed) return std::unexpected(filed.error());
    out.failure = filed->failure;
    const auto fresh = impl_->see(at, c.behaviours);
    if (!fresh) return std::unexpected(fresh.error());
    out.new_behaviours = *fresh;
    auto moved = db.run(
        "INSERT INTO position VALUES(?,?,?) ON CONFLICT DO UPDATE SET next=excluded.next "
        "WHERE next<>excluded.next",
        run, *source, c.next);
    if (!moved) return moved;
    return db.run(
        "UPDATE run SET heartbeat=datetime('now') WHERE id=? AND heartbeat<>datetime('now')", run);
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<std::vector<Position>> Store::positions(int64_t run) {
  const auto s = impl_->db.query(
      "SELECT s.name, p.next FROM position p JOIN source s ON s.id=p.source WHERE p.run=? "
      "ORDER BY s.name",
      run);
  if (!s) return about(impl_->path, s.error());
  std::vector<Position> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    out.push_back({(*s)->text(0), (*s)->integer(1)});
  }
}

Result<void> Store::set_position(int64_t run, std::string_view source, int64_t next) {
  return impl_->transaction([&]() -> Result<void> {
    const auto id = impl_->source(source);
    if (!id) return std::unexpected(id.error());
    return impl_->db.run(
        "INSERT INTO position VALUES(?,?,?) ON CONFLICT DO UPDATE SET next=excluded.next", run, *id,
        next);
  });
}

Result<std::vector<int64_t>> Store::done_numbers(int64_t run, std::string_view source,
                                                 int64_t from) {
  const auto id = impl_->known_source(source);
  if (!id) return about(impl_->path, id.error());
  std::vector<int64_t> out;
  if (!*id) return out;
  const auto s = impl_->db.query(
      "SELECT number FROM verdict WHERE run=? AND source=? AND number>=? ORDER BY number", run,
      **id, from);
  if (!s) return about(impl_->path, s.error());
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    out.push_back((*s)->integer(0));
  }
}

Result<void> Store::mark_lost(int64_t run, std::string_view source, int64_t number,
                              std::string_view line, std::string_view why) {
  return impl_->transaction([&]() -> Result<void> {
    const auto id = impl_->source(source);
    if (!id) return std::unexpected(id.error());
    return impl_->db.run("INSERT OR IGNORE INTO lost VALUES(?,?,?,?,?)", run, *id, number,
                         printable_utf8(line), printable_utf8(why));
  });
}

Result<std::vector<LostCase>> Store::lost(int64_t run) {
  const auto s = impl_->db.query(
      "SELECT s.name, l.number, l.line, l.why, v.id IS NOT NULL FROM lost l "
      "JOIN source s ON s.id=l.source LEFT JOIN verdict v ON v.run=l.run AND v.source=l.source "
      "AND v.number=l.number WHERE l.run=? ORDER BY s.name, l.number",
      run);
  if (!s) return about(impl_->path, s.error());
  std::vector<LostCase> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    out.push_back(
        {(*s)->text(0), (*s)->integer(1), (*s)->text(2), (*s)->text(3), (*s)->integer(4) != 0});
  }
}

Result<std::vector<TallyRow>> Store::tally(std::optional<int64_t> run) {
  const auto s = impl_->db.query(
      "SELECT suite, kernel, device, kind, green, sum(cases), sum(seconds), "
      "sum(wave_instructions), max(headroom) FROM tally WHERE ?1<0 OR run=?1 "
      "GROUP BY suite, kernel, device, kind, green ORDER BY suite, kernel, device, kind, green",
      run.value_or(-1));
  if (!s) return about(impl_->path, s.error());
  std::vector<TallyRow> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    out.push_back({(*s)->text(0), (*s)->text(1), (*s)->text(2), (*s)->text(3),
                   (*s)->integer(4) != 0, (*s)->integer(5), (*s)->real(6), (*s)->integer(7),
                   (*s)->real(8)});
  }
}

Result<std::vector<FlakyLine>> Store::flaky(int64_t limit) {
  const auto s = impl_->db.query(
      "SELECT f.line, b.text, v.kind, v.outputs, count(*) FROM "
      "(SELECT * FROM flaky ORDER BY line, build LIMIT ?) f JOIN build b ON b.id=f.build "
      "JOIN verdict v ON v.line_hash=f.line_hash AND v.build=f.build AND v.line=f.line "
      "WHERE v.kind<>'skipped' GROUP BY f.line, b.text, v.kind, v.outputs "
      "ORDER BY f.line, b.text, v.kind, v.outputs",
      limit);
  if (!s) return about(impl_->path, s.error());
  std::vector<FlakyLine> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    const std::string line = (*s)->text(0), build = (*s)->text(1);
    if (out.empty() || out.back().line != line || out.back().build_id != build) {
      out.push_back({line, build, {}});
    }
    out.back().records.push_back({(*s)->text(2), (*s)->text(3), (*s)->integer(4)});
  }
}

}  // namespace w4
