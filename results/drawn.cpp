// What the stop rule asks of sources whose cases are drawn independently.
#include "results/store_impl.h"

namespace w4 {
namespace {

// Adds what one source has.
Result<void> add_source(Database& db, int64_t run, int64_t source, DrawnCounts& out) {
  // In the order of their numbers, which is that in which they ran but for a few.
  const auto last = db.integer(
      "SELECT coalesce(max(number), 0) FROM verdict WHERE run=? AND source=?", run, source);
  if (!last) return std::unexpected(last.error());
  const int64_t half = (last->value_or(0) + 1) / 2;
  const auto add = [&](int64_t& to, std::string_view sql, auto... values) -> Result<void> {
    const auto n = db.integer(sql, values...);
    if (!n) return std::unexpected(n.error());
    to += n->value_or(0);
    return {};
  };
  if (auto done =
          add(out.cases, "SELECT count(*) FROM verdict WHERE run=? AND source=?", run, source);
      !done)
    return done;
  if (auto done =
          add(out.recent, "SELECT count(*) FROM verdict WHERE run=? AND source=? AND number>=?",
              run, source, half);
      !done)
    return done;
  if (auto done = add(out.singles,
                      "SELECT count(DISTINCT first_number) FROM behaviour WHERE run=? AND "
                      "first_source=? AND cases=1",
                      run, source);
      !done)
    return done;
  return add(out.recent_new,
             "SELECT count(DISTINCT first_number) FROM behaviour WHERE run=? AND first_source=? "
             "AND first_number>=?",
             run, source, half);
}

}  // namespace

Result<DrawnCounts> Store::drawn_counts(int64_t run, std::span<const std::string> sources) {
  DrawnCounts out;
  for (const std::string& name : sources) {
    const auto source = impl_->known_source(name);
    if (!source) return about(impl_->path, source.error());
    if (!*source) continue;
    if (auto done = add_source(impl_->db, run, **source, out); !done)
      return about(impl_->path, done.error());
  }
  return out;
}

}  // namespace w4
