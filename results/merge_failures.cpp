#include "results/merge_failures.h"

#include <array>
#include <tuple>
#include <vector>

#include "results/store_impl.h"

namespace w4 {
namespace {

struct Copy {
  int64_t id = 0, run = 0, build = 0, source = 0, number = 0;
  std::string kernel, kind, pattern, hypothesis, line, source_name, smallest;
  int64_t rank = 0;  // of the state

  auto first() const { return std::tie(source_name, number, line); }
  // Greater: further on; of those equally far the one with the shorter line.
  auto told() const {
    const auto length = static_cast<int64_t>(smallest.size());
    return std::tuple(rank, length == 0 ? 0 : 1, -length, smallest, kind, pattern, hypothesis);
  }
};

// ?1: id of a failure in ours.
constexpr std::string_view kOurs =
    "SELECT f.id, f.run, f.build, f.first_source, f.first_number, f.kernel, f.kind, f.pattern, "
    "f.hypothesis, f.first_line, s.name, f.smallest_line, f.state FROM main.failure f "
    "JOIN main.source s ON s.id=f.first_source WHERE f.id=?1";
constexpr std::string_view kTheirs =
    "SELECT f.id, r.dst, b.dst, m.dst, f.first_number, f.kernel, f.kind, f.pattern, f.hypothesis, "
    "f.first_line, s.name, f.smallest_line, f.state FROM src.failure f "
    "JOIN src.source s ON s.id=f.first_source JOIN temp.source_map m ON m.src=s.id "
    "JOIN temp.run_map r ON r.src=f.run JOIN temp.build_map b ON b.src=f.build ORDER BY f.id";
constexpr std::string_view kMake =
    "INSERT INTO main.failure(run, build, first_source, first_number, kernel, kind, pattern, "
    "hypothesis, first_line, smallest_line, state, cases) VALUES(?,?,?,?,?,?,?,?,?,?,?,0)";

constexpr int64_t kRanks = 4;

// "gave up" below "done", both above those that are still to be looked at.
FailureState state_of_rank(int64_t rank) {
  constexpr std::array<FailureState, kRanks> kStates{FailureState::fresh, FailureState::shrinking,
                                                     FailureState::gave_up, FailureState::done};
  return kStates.at(static_cast<size_t>(rank));
}

Copy copy_of(const Statement& s) {
  Copy c{s.integer(0), s.integer(1), s.integer(2), s.integer(3), s.integer(4), s.text(5),
         s.text(6),    s.text(7),    s.text(8),    s.text(9),    s.text(10),   s.text(11)};
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    if (s.text(12) == name_of(state_of_rank(rank))) c.rank = rank;
  }
  return c;
}

Result<std::vector<Copy>> copies(Database& db, std::string_view sql, std::optional<int64_t> id) {
  const auto s = id ? db.query(sql, *id) : db.query(sql);
  if (!s) return std::unexpected(s.error());
  std::vector<Copy> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return out;
    out.push_back(copy_of(**s));
  }
}

Result<std::vector<int64_t>> equal_ones(Database& db, const Copy& theirs) {
  const auto s = db.query(
      "SELECT DISTINCT k.failure FROM src.failure_key t JOIN main.failure_key k ON k.key=t.key "
      "WHERE t.failure=?1 AND k.run=?2 ORDER BY k.failure",
      theirs.id, theirs.run);
  if (!s) return std::unexpected(s.error());
  std::vector<int64_t> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return out;
    out.push_back((*s)->integer(0));
  }
}

// `best` and `first` speak for what is kept as `id` from now on.
Result<void> write(Database& db, int64_t id, const Copy& best, const Copy& first) {
  return db.run(
      "UPDATE main.failure SET kind=?, pattern=?, hypothesis=?, smallest_line=?, state=?, "
      "first_line=?, first_source=?, first_number=?, build=? WHERE id=?",
      best.kind, best.pattern, best.hypothesis, best.smallest, name_of(state_of_rank(best.rank)),
      first.line, first.source, first.number, first.build, id);
}

Result<void> merge_one(Database& db, const Copy& theirs) {
  const auto equal = equal_ones(db, theirs);
  if (!equal) return std::unexpected(equal.error());
  int64_t into = equal->empty() ? 0 : equal->front();
  Copy best = theirs, first = theirs;
  for (const int64_t id : *equal) {
    const auto ours = copies(db, kOurs, id);
    if (!ours) return std::unexpected(ours.error());
    if (ours->front().told() > best.told()) best = ours->front();
    if (ours->front().first() < first.first()) first = ours->front();
  }
  for (const int64_t id : *equal) {
    if (id == into) continue;
    auto taken = take_in(db, id, into);
    if (taken) taken = db.run("UPDATE temp.failure_map SET dst=?2 WHERE dst=?1", id, into);
    if (!taken) return taken;
  }
  if (into == 0) {
    auto made = db.run(kMake, theirs.run, theirs.build, theirs.source, theirs.number, theirs.kernel,
                       theirs.kind, theirs.pattern, theirs.hypothesis, theirs.line, theirs.smallest,
                       name_of(state_of_rank(theirs.rank)));
    if (!made) return made;
    into = db.last_id();
  } else if (auto written = write(db, into, best, first); !written) {
    return written;
  }
  auto done = db.run(
      "INSERT OR IGNORE INTO main.failure_key(run, key, failure) "
      "SELECT ?1, key, ?2 FROM src.failure_key WHERE failure=?3",
      theirs.run, into, theirs.id);
  if (done) done = db.run("INSERT INTO temp.failure_map VALUES(?,?)", theirs.id, into);
  return done;
}

}  // namespace

Result<void> merge_failures(Database& db) {
  const auto theirs = copies(db, kTheirs, {});
  if (!theirs) return std::unexpected(theirs.error());
  for (const Copy& c : *theirs) {
    if (auto merged = merge_one(db, c); !merged) return merged;
  }
  return {};
}

}  // namespace w4
