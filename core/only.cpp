#include "core/only.h"

#include <charconv>

namespace w4 {
namespace {

// Takes `word` off the front of `text`.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool take(std::string_view& text, int64_t& v) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool parse(std::string_view text, Only& o) {
  if (text == "all") return true;
  const std::pair<std::string_view, std::optional<Span>*> axes[]{
      {"m", &o.m}, {"n", &o.n}, {"k", &o.k}};
  bool any = false;
  for (const auto& [name, range] : axes) {
    std::string_view rest = text;
    if (any && !take(rest, "+")) break;
    if (!take(rest, name)) continue;
    Span r;
    if (!take(rest, r.first) || !take(rest, "..") || !take(rest, r.last) || r.last < r.first) {
      return false;
    }
    *range = r;
    text = rest;
    any = true;
  }
  return any && text.empty();
}

}  // namespace

Result<Only> parse_only(std::string_view text) {
  Only o;
  if (parse(text, o)) return o;
  return fail("only: '{}' is not a part of the data; legal: {}", text, kLegalOnly);
}

std::string to_string(const Only& o) {
  std::string out;
  const auto add = [&out](char axis, const std::optional<Span>& r) {
    if (r) out += fmt::format("{}{}{}..{}", out.empty() ? "" : "+", axis, r->first, r->last);
  };
  add('m', o.m), add('n', o.n), add('k', o.k);
  return out.empty() ? "all" : out;
}

}  // namespace w4
