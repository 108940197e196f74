#include "intake/manifest_kernel.h"

#include <array>

#include "intake/manifest_args.h"
#include "intake/manifest_keys.h"
#include "intake/manifest_operator.h"
#include "intake/manifest_rules.h"
#include "intake/manifest_symbols.h"

namespace w4 {
namespace {

void extents(const ManifestValues& values, const Json& v, const std::string& key,
             std::array<Expression, 3>& out) {
  values.of_kind(v, key, Json::Kind::array);
  if (v.items.size() != 3)
    values.wrong(v, key, "{} members; legal: 3, for x, y and z", v.items.size());
  for (size_t i = 0; i < 3; ++i) {
    out[i] = values.expression(v.items[i], fmt::format("{}[{}]", key, i));
  }
}

}  // namespace

std::string read_kernel_name(const ManifestValues& values, const Json& v, const std::string& key) {
  const std::string at = key + ".name";
  const Json& name = values.field(v, key, "name");
  const std::string& text = values.text(name, at);
  constexpr std::string_view kNameParts = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (text.find_first_not_of(kNameParts) != std::string::npos || text[0] < 'a' || text[0] > 'z') {
    values.wrong(name, at, "'{}'; legal: a lower case letter, then those, digits and _",
                 text.substr(0, 80));
  }
  return text;
}

ManifestKernel read_kernel(const ManifestValues& values, const Json& v, const std::string& key) {
  if (v.find("op") != nullptr) return read_operator(values, v, key);
  values.object(v, key, manifest_keys::kKernel);
  ManifestKernel k;
  const auto sub = [&](std::string_view name) { return fmt::format("{}.{}", key, name); };
  k.name = read_kernel_name(values, v, key);
  const Json& symbol = values.field(v, key, "symbol");
  k.place = values.place(symbol, sub("symbol"));
  if (const Json* words = v.find("bind")) k.words = read_words(values, *words, sub("bind"));
  k.symbols = read_symbols(values, symbol, sub("symbol"), k.words);
  if (const Json* says = v.find("says")) k.says = values.text(*says, sub("says"));
  k.args = read_args(values, values.field(v, key, "args"), sub("args"));
  extents(values, values.field(v, key, "grid"), sub("grid"), k.grid);
  extents(values, values.field(v, key, "block"), sub("block"), k.block);
  if (const Json* lds = v.find("lds")) k.lds = values.expression(*lds, sub("lds"));
  imply_clauses(k);
  if (const Json* clauses = v.find("clauses"))
    read_clauses(values, *clauses, sub("clauses"), k.clauses);
  read_numerics(values, values.field(v, key, "numerics"), sub("numerics"), k);
  if (const Json* laws = v.find("laws")) read_laws(values, *laws, sub("laws"), k);
  return k;
}

}  // namespace w4
