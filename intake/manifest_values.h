// Typed looks at the values of a manifest: each names what it wanted and what is legal where the
// value is something else. What is wrong is thrown as Wrong; parse_manifest alone catches it.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.h"
#include "intake/expression.h"
#include "intake/json.h"

namespace w4 {

struct Wrong {
  Error error;
};

// The value as an error shows it: "17", "'text'", "an object".
std::string shown(const Json& v);

template <class Range, class Name>
std::string names(const Range& range, Name name) {
  std::string out;
  for (const auto& x : range) out += fmt::format("{}{}", out.empty() ? "" : ", ", name(x));
  return out;
}

class ManifestValues {
 public:
  explicit ManifestValues(std::string_view file) : file_(file) {}

  // "file:line:column: key".
  std::string place(const Json& at, std::string_view key) const;
  template <class... A>
  [[noreturn]] void wrong(const Json& at, std::string_view key, fmt::format_string<A...> f,
                          A&&... a) const {
    throw Wrong{
        Error{fmt::format("{}: {}", place(at, key), fmt::format(f, std::forward<A>(a)...))}};
  }

  const Json& of_kind(const Json& v, std::string_view key, Json::Kind kind) const;
  // An object with no other keys than these.
  void object(const Json& v, std::string_view key, std::span<const std::string_view> legal) const;
  // The member `name` of the object `v`, which `key` names ("": the manifest).
  const Json& field(const Json& v, std::string_view key, std::string_view name) const;
  const std::string& text(const Json& v, std::string_view key) const;  // not empty
  Expression expression(const Json& v, std::string_view key) const;

 private:
  std::string_view file_;
};

}  // namespace w4
