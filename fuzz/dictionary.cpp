#include "fuzz/dictionary.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "verify/cases/row_cases.h"

namespace w4::fuzz {
namespace {

using Words = std::vector<std::string>;

// What stands behind "one of" in the words for a key's legal values.
Words listed(std::string_view legal) {
  constexpr std::string_view kOneOf = "one of ";
  Words out;
  const size_t at = legal.find(kOneOf);
  if (at == std::string_view::npos) return out;
  legal.remove_prefix(at + kOneOf.size());
  while (!legal.empty()) {
    const size_t end = std::min(legal.find(' '), legal.size());
    out.emplace_back(legal.substr(0, end));
    legal.remove_prefix(std::min(end + 1, legal.size()));
  }
  return out;
}

// Of keys whose values are made of pieces.
Words pieces_of(std::string_view key) {
  if (key == "bias") return {"none", "n", "1xn", "mxn", "1x1", "mx1"};
  if (key == "tile") return {"y2u4a16w16", "bm64bn64bk32w4"};
  if (key == "only") return {"all", "m0..0", "n0..0", "k0..0", "m0..0+n0..0+k0..0"};
  Words out;
  if (key == "checks") {
    out = {"all", "none"};
    for (uint32_t bit = 1; bit <= kWaits; bit *= 2) out.push_back(to_string(Checks{bit}));
  }
  if (key == "sched") {
    for (const Order o : {Order::rr, Order::reversed, Order::random, Order::priority})
      out.push_back(to_string(Schedule{.order = o, .seed = 7, .quantum = 7, .changes = 7}));
  }
  if (key == "mutate") {
    out = {"none"};
    for (int i = 0; i < kMutationKinds; ++i)
      out.push_back(fmt::format("f+0x40:{}", name_of(static_cast<MutationKind>(i))));
  }
  return out;
}

Words values_of(const KeyHelp& k) {
  Words out = pieces_of(k.key);
  if (out.empty()) out = listed(k.legal);
  if (k.legal == "0 or 1") out = {"0", "1"};
  if (k.legal.starts_with("auto,")) out.emplace_back("auto");
  return out;
}

}  // namespace

std::string case_dictionary() {
  std::string out =
      "# Words of case lines for fuzzing engines, by case_dictionary() in fuzz/dictionary.cpp.\n";
  const auto add = [&out](std::string_view word) { out += fmt::format("\"{}\"\n", word); };
  for (const std::string_view row : generated_rows()) add(row);
  for (const KeyHelp& k : case_keys()) {
    add(fmt::format(" {}=", k.key));
    for (const std::string& value : values_of(k)) add(fmt::format(" {}={}", k.key, value));
  }
  return out;
}

}  // namespace w4::fuzz
