// Failures: red verdicts of one cause, folded.
#include <algorithm>
#include <array>
#include <utility>

#include "results/store_impl.h"
#include "results/text.h"

namespace w4 {
namespace {

FailureState state_of(std::string_view name) {
  for (int i = 0; i < 4; ++i) {
    if (name_of(static_cast<FailureState>(i)) == name) return static_cast<FailureState>(i);
  }
  return FailureState::fresh;
}

// Newline parts the fields: printable_utf8 leaves it in, so a field's own become spaces.
std::string field(std::string_view text) {
  std::string out = printable_utf8(text);
  std::ranges::replace(out, '\n', ' ');
  return out;
}

struct Kept {
  int64_t run = 0;
  std::string kernel, kind, pattern;
};

Result<Kept> kept(Database& db, int64_t id) {
  const auto s = db.query("SELECT run, kernel, kind, pattern FROM failure WHERE id=?", id);
  if (!s) return std::unexpected(s.error());
  const auto row = (*s)->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return fail("there is no failure {}", id);
  Kept out{(*s)->integer(0), (*s)->text(1), (*s)->text(2), (*s)->text(3)};
  (*s)->reset();
  return out;
}

}  // namespace

std::string_view name_of(FailureState s) {
  constexpr std::array<std::string_view, 4> kNames{"new", "shrinking", "done", "gave up"};
  return kNames.at(static_cast<size_t>(s));
}

std::string key_text(const FailureKey& key) {
  return field(key.kernel) + "\n" + field(key.kind) + "\n" + field(key.pattern);
}

std::string key_text(const FailureKey& key, std::string_view hypothesis) {
  return key_text(key) + "\n" + field(hypothesis);
}

StoredFailure failure_of(const Statement& s, bool with_runs) {
  return {s.integer(0),
          s.text(1),
          s.text(2),
          s.text(3),
          s.text(4),
          s.text(5),
          s.text(6),
          s.integer(7),
          s.text(8),
          s.integer(9),
          state_of(s.text(10)),
          s.text(11),
          with_runs ? s.integer(12) : 1};
}

Result<void> take_in(Database& db, int64_t id, int64_t into) {
  constexpr std::array<std::string_view, 4> kSteps{
      "UPDATE failure SET cases=cases+(SELECT cases FROM failure WHERE id=?1) WHERE id=?2",
      "UPDATE verdict SET failure=?2 WHERE failure=?1",
      "UPDATE failure_key SET failure=?2 WHERE failure=?1",
      "DELETE FROM failure WHERE id=?1 AND ?1<>?2"};
  for (const std::string_view step : kSteps) {
    if (auto done = db.run(step, id, into); !done) return done;
  }
  return {};
}

Result<Folded> Store::Impl::fold(const Place& at, const FailureKey& key) {
  const auto s =
      db.query("SELECT id, line, build, failure FROM verdict WHERE run=? AND source=? AND number=?",
               at.run, at.source, at.number);
  if (!s) return std::unexpected(s.error());
  const auto row = (*s)->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return fail("run {} has no verdict with number {}", at.run, at.number);
  const int64_t verdict = (*s)->integer(0), build = (*s)->integer(2);
  const std::string line = (*s)->text(1);
  const int64_t folded = (*s)->integer(3);
  (*s)->reset();
  if (folded != 0) return Folded{folded, false};
  const std::string text = key_text(key);
  const auto known =
      db.integer("SELECT failure FROM failure_key WHERE run=? AND key=?", at.run, text);
  if (!known) return std::unexpected(known.error());
  Folded out{known->value_or(0), !*known};
  if (out.is_new) {
    auto made = db.run(
        "INSERT INTO failure(run, kernel, kind, pattern, first_line, first_source, first_number, "
        "cases, build) VALUES(?,?,?,?,?,?,?,0,?)",
        at.run, field(key.kernel), field(key.kind), field(key.pattern), line, at.source, at.number,
        build);
    if (!made) return std::unexpected(made.error());
    out.failure = db.last_id();
    made = db.run("INSERT INTO failure_key(run, key, failure) VALUES(?,?,?)", at.run, text,
                  out.failure);
    if (!made) return std::unexpected(made.error());
  }
  auto done = db.run("UPDATE verdict SET failure=? WHERE id=?", out.failure, verdict);
  if (done) done = db.run("UPDATE failure SET cases=cases+1 WHERE id=?", out.failure);
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<Folded> Store::fold(int64_t run, const FailureKey& key, std::string_view source,
                           int64_t number) {
  Folded out;
  const auto done = impl_->transaction([&]() -> Result<void> {
    const auto from = impl_->source(source);
    if (!from) return std::unexpected(from.error());
    const auto folded = impl_->fold({run, *from, number}, key);
    if (!folded) return std::unexpected(folded.error());
    out = *folded;
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<int64_t> Store::update_failure(int64_t id, const FailureUpdate& update) {
  int64_t into = id;
  const auto done = impl_->transaction([&]() -> Result<void> {
    Database& db = impl_->db;
    const auto old = kept(db, id);
    if (!old) return std::unexpected(old.error());
    const FailureKey key{old->kernel, field(update.kind.value_or(old->kind)),
                         field(update.pattern.value_or(old->pattern))};
    const std::string hypothesis = field(update.hypothesis);
    auto set = db.run(
        "UPDATE failure SET kind=?, pattern=?, hypothesis=?, state=?, "
        "smallest_line=iif(?5='', smallest_line, ?5) WHERE id=?6",
        key.kind, key.pattern, hypothesis, name_of(update.state),
        printable_utf8(update.smallest_line), id);
    if (!set || update.state != FailureState::done) return set;
    const std::string text = key_text(key, hypothesis);
    const auto equal =
        db.integer("SELECT failure FROM failure_key WHERE run=? AND key=?", old->run, text);
    if (!equal) return std::unexpected(equal.error());
    if (!*equal) {
      return db.run("INSERT INTO failure_key(run, key, failure) VALUES(?,?,?)", old->run, text, id);
    }
    into = **equal;
    return into == id ? Result<void>{} : take_in(db, id, into);
  });
  if (!done) return std::unexpected(done.error());
  return into;
}

Result<std::vector<StoredFailure>> Store::failures(std::optional<int64_t> run, int64_t limit) {
  // The row with the least id speaks for a group, the shortest smallest line for all of them.
  constexpr std::string_view kSql =
      "WITH g AS (SELECT min(id) AS id, sum(cases) AS cases, count(*) AS runs FROM failure "
      "WHERE ?1<0 OR run=?1 GROUP BY kernel, kind, pattern, hypothesis "
      "ORDER BY sum(cases) DESC, kernel, kind, pattern, hypothesis LIMIT ?2) "
      "SELECT f.id, f.kernel, f.kind, f.pattern, f.hypothesis, f.first_line, s.name, "
      "f.first_number, coalesce((SELECT e.smallest_line FROM failure e WHERE e.kernel=f.kernel AND "
      " e.kind=f.kind AND e.pattern=f.pattern AND e.hypothesis=f.hypothesis AND "
      " e.smallest_line<>'' AND (?1<0 OR e.run=?1) "
      " ORDER BY length(e.smallest_line), e.smallest_line LIMIT 1), ''), "
      "g.cases, f.state, b.text, g.runs FROM g JOIN failure f ON f.id=g.id "
      "JOIN source s ON s.id=f.first_source JOIN build b ON b.id=f.build "
      "ORDER BY g.cases DESC, f.kernel, f.kind, f.pattern, f.hypothesis";
  const auto s = impl_->db.query(kSql, run.value_or(-1), limit);
  if (!s) return about(impl_->path, s.error());
  std::vector<StoredFailure> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(impl_->path, row.error());
    if (!*row) return out;
    out.push_back(failure_of(**s, true));
  }
}

}  // namespace w4
