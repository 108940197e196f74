#include "results/filed.h"

#include <fmt/format.h>

#include "results/store_impl.h"

namespace w4 {

Result<void> each_filed(Store& store, int64_t run,
                        const std::function<Result<void>(Filed&&)>& take) {
  Store::Impl& impl = store.impl();
  auto s = impl.db.prepare(fmt::format(
      "SELECT f.suite, f.resumed, n.name, v.number, v.failure, v.json<>'', {} FROM filed f JOIN "
      "verdict v ON v.id=f.verdict JOIN build b ON b.id=v.build JOIN source n ON n.id=v.source "
      "WHERE f.run=? ORDER BY f.resumed DESC, f.place",
      kRecordColumns));
  if (!s) return about(impl.path, s.error());
  s->bind(1, run);
  for (;;) {
    const auto row = s->step();
    if (!row) return about(impl.path, row.error());
    if (!*row) return {};
    auto record = record_of(*s, 6);
    if (!record) return about(impl.path, record.error());
    record->suite = s->text(0);
    record->resumed = s->integer(1) != 0;
    Filed filed{.record = std::move(*record),
                .source = s->text(2),
                .number = s->integer(3),
                .failure = s->integer(4),
                .json_kept = s->integer(5) != 0};
    if (auto taken = take(std::move(filed)); !taken) return taken;
  }
}

}  // namespace w4
