#include "results/documents.h"

#include <nlohmann/json.hpp>

#include "results/store_impl.h"
#include "results/text.h"

namespace w4 {
namespace {

// Documents of one second have an order too, the same in every store.
constexpr std::string_view kFind =
    "SELECT d.kind, d.name, b.text, d.at, d.json FROM document d JOIN build b ON b.id=d.build "
    "WHERE d.kind=?1 AND (?2 OR d.name=?3) AND (?4='' OR b.text=?4) "
    "ORDER BY d.at DESC, d.name, b.text LIMIT ?5";

Result<std::vector<StoredDocument>> find(Store::Impl& store, std::string_view kind,
                                         std::optional<std::string_view> name,
                                         std::string_view build_id, int64_t limit) {
  const auto s = store.db.query(kFind, printable_utf8(kind), name ? 0 : 1,
                                printable_utf8(name.value_or("")), printable_utf8(build_id), limit);
  if (!s) return about(store.path, s.error());
  std::vector<StoredDocument> out;
  for (;;) {
    const auto row = (*s)->step();
    if (!row) return about(store.path, row.error());
    if (!*row) return out;
    const Statement& r = **s;
    out.push_back({r.text(0), r.text(1), r.text(2), r.text(3), r.text(4)});
  }
}

}  // namespace

Result<void> file_document(Store& store, const StoredDocument& d) {
  Store::Impl& impl = store.impl();
  if (!nlohmann::json::accept(d.json)) {
    return fail("store '{}': the document {} '{}' is not JSON", impl.path, d.kind,
                printable_utf8(d.name));
  }
  return impl.transaction([&]() -> Result<void> {
    const auto build = impl.build(d.build_id);
    if (!build) return std::unexpected(build.error());
    return impl.db.run(
        "INSERT OR REPLACE INTO document(kind, name, build, at, json) "
        "VALUES(?,?,?,coalesce(nullif(?,''), datetime('now')),?)",
        printable_utf8(d.kind), printable_utf8(d.name), *build, printable_utf8(d.at), d.json);
  });
}

Result<std::vector<StoredDocument>> documents(Store& store, std::string_view kind) {
  return find(store.impl(), kind, std::nullopt, "", -1);
}

Result<std::optional<StoredDocument>> find_document(Store& store, std::string_view kind,
                                                    std::string_view name,
                                                    std::string_view build_id) {
  auto found = find(store.impl(), kind, name, build_id, 1);
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return std::nullopt;
  return std::move(found->front());
}

}  // namespace w4
