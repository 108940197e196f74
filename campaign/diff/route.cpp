#include "campaign/diff/route.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

namespace w4::diff {
namespace {

using nlohmann::json;

std::set<std::string> words_of(const std::string& text, std::string_view blanks) {
  std::set<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(blanks, at), text.size());
    if (end > at) out.insert(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// The words of `a` that `b` has not, without those that the call itself says where others are left:
// so that the same change of many calls reads the same.
std::string only_in(const std::string& a, const std::string& b, const Problem& p,
                    std::string_view blanks) {
  const std::set<std::string> said{fmt::format("m{}", p.m), fmt::format("g{}", p.g),
                                   std::string(name_of(p.act)),
                                   p.zp == ZpMode::none ? "symmetric" : std::string(name_of(p.zp))};
  const std::set<std::string> other = words_of(b, blanks);
  std::vector<std::string> words, telling;
  for (const std::string& word : words_of(a, blanks)) {
    if (other.contains(word)) continue;
    words.push_back(word);
    if (!said.contains(word)) telling.push_back(word);
  }
  return fmt::format("{}", fmt::join(telling.empty() ? words : telling, " "));
}

}  // namespace

Route route_of(const Reply& r) {
  if (!r.ok()) return {r.native ? r.trouble : "cannot be asked: " + r.trouble, "", "", ""};
  const std::string clause = r.said.at("call");
  if (!clause.empty()) return {"refuses: " + clause, "", "", ""};
  Route out;
  for (const json& l : r.said.at("launches")) {
    out.symbols += (out.symbols.empty() ? "" : "; ") + l.at("symbol").get<std::string>();
    out.block += (out.block.empty() ? "" : "; ") + l.at("block").get<std::string>();
    out.grid += (out.grid.empty() ? "" : "; ") + l.at("grid").get<std::string>();
  }
  out.text = r.said.at("ran");
  return out;
}

std::optional<Change> change_of(const Case& c, const Route& a, const Route& b) {
  const auto change = [&](const char* what, const std::string& x, const std::string& y,
                          std::string_view blanks) {
    return Change{c.kernel, what + only_in(x, y, c.problem, blanks),
                  what + only_in(y, x, c.problem, blanks)};
  };
  const bool runs_a = !a.symbols.empty(), runs_b = !b.symbols.empty();
  if (!runs_a && !runs_b) return std::nullopt;  // no route; by which clause is the contract's
  if (runs_a != runs_b) {
    return Change{c.kernel, runs_a ? "takes it" : a.text, runs_b ? "takes it" : b.text};
  }
  if (a.text != b.text) return change("", a.text, b.text, " ");
  if (a.symbols != b.symbols) return change("kernel ", a.symbols, b.symbols, "_ ;");
  if (a.block != b.block) return change("block ", a.block, b.block, " ");
  // The grid follows from the layer: one row for all of them.
  if (a.grid != b.grid) return Change{c.kernel, "a grid", "another grid"};
  return std::nullopt;
}

}  // namespace w4::diff
