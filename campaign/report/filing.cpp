#include "campaign/report/filing.h"

#include <fmt/format.h>

#include <cstdio>

#include "campaign/outputs.h"
#include "results/documents.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {

Result<Filing> Filing::open(const std::string& db, const std::string& json) {
  Filing out;
  if (db.empty()) return out;
  if (const auto apart = not_the_store("--json", json, db); !apart)
    return std::unexpected(apart.error());
  auto store = Store::open(db, Store::Mode::write);
  if (!store) return fail("--db: {}", store.error().text);
  out.path_ = db;
  out.store_ = std::move(*store);
  return out;
}

bool Filing::file(std::string_view kind, const std::string& name, const std::string& json) {
  if (!store_) return true;
  const auto filed = file_document(
      *store_,
      {.kind = std::string(kind), .name = name, .build_id = std::string(build_id()), .json = json});
  if (filed) {
    fmt::print(stderr, "filed in {} as {}: {}\n", printable_utf8(path_), kind,
               printable_utf8(name));
    return true;
  }
  fmt::print(stderr, "w4check: --db: {}\n", printable_utf8(filed.error().text));
  return false;
}

void Filing::leave_out(std::string_view kind) const {
  if (!store_) return;
  fmt::print(stderr, "w4check: interrupted: no {} is filed in {}\n", kind, printable_utf8(path_));
}

}  // namespace w4
