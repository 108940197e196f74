#include "intake/manifest_values.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace w4 {

std::string shown(const Json& v) {
  switch (v.kind) {
    case Json::Kind::integer:
      return fmt::format("{}", v.integer);
    case Json::Kind::text:
      return fmt::format("'{}'", v.text.substr(0, 80));
    case Json::Kind::boolean:
      return v.boolean ? "true" : "false";
    default:
      return std::string(name_of(v.kind));
  }
}

std::string ManifestValues::place(const Json& at, std::string_view key) const {
  return fmt::format("{}:{}:{}: {}", file_, at.line, at.column, key);
}

const Json& ManifestValues::of_kind(const Json& v, std::string_view key, Json::Kind kind) const {
  if (v.kind != kind) wrong(v, key, "{}; legal: {}", shown(v), name_of(kind));
  return v;
}

void ManifestValues::object(const Json& v, std::string_view key,
                            std::span<const std::string_view> legal) const {
  of_kind(v, key, Json::Kind::object);
  for (size_t i = 0; i < v.keys.size(); ++i) {
    if (std::ranges::find(legal, v.keys[i]) != legal.end()) continue;
    wrong(v.items[i], key, "the key '{}' is not known; legal: {}", v.keys[i].substr(0, 80),
          fmt::join(legal, ", "));
  }
}

const Json& ManifestValues::field(const Json& v, std::string_view key,
                                  std::string_view name) const {
  const Json* found = v.find(name);
  if (found == nullptr) {
    wrong(v, key.empty() ? "the manifest" : key, "the key '{}' is missing", name);
  }
  return *found;
}

const std::string& ManifestValues::text(const Json& v, std::string_view key) const {
  of_kind(v, key, Json::Kind::text);
  if (v.text.empty()) wrong(v, key, "empty; legal: a text");
  return v.text;
}

Expression ManifestValues::expression(const Json& v, std::string_view key) const {
  if (v.kind == Json::Kind::integer) return Expression(v.integer);
  if (v.kind != Json::Kind::text) {
    wrong(v, key, "{}; legal: an integer or an expression over M, N, K, G", shown(v));
  }
  auto e = Expression::parse(v.text);
  if (!e) wrong(v, key, "'{}': {}", v.text.substr(0, 80), e.error().text);
  return std::move(*e);
}

}  // namespace w4
