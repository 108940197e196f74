#include "core/mutation.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

namespace w4 {
namespace {

struct Kind {
  std::string_view name, meaning;
};
// In the order of the enumeration.
constexpr std::array<Kind, kMutationKinds> kKinds{{
    {"drop_barrier", "a barrier, or a half of one, does not run"},
    {"drop_wait", "a wait for loads does not run (the check `waits` follows them)"},
    {"drop_store", "a store, or an atomic that returns nothing, does not run"},
    {"drop_sum", "an accumulation does not run: its register keeps the sum so far"},
    {"drop_compare", "a compare does not run: its mask stays what it was"},
    {"drop_mask", "an instruction that writes EXEC does not run"},
    {"invert_compare", "a compare gives the opposite"},
    {"strict_compare", "< for <=, > for >=, and the other way round"},
    {"invert_branch", "a forward branch goes the other way"},
    {"leave_loop", "each wave's first way back to a loop's start leaves the loop instead"},
    {"repeat_loop", "each wave's first way out of a loop goes round once more instead"},
    {"offset", "the offset of an address is one element more or less"},
    {"lanes", "a selector of lanes (DPP, permlane, swizzle) is one more or less"},
    {"swap_sources", "the sources of a non-commutative operation change places"},
    {"shift", "a shift amount, or a field's place or width, is one more or less"},
    {"immediate", "an integer constant is one more or less, a bit of a mask is flipped"},
    {"wrong_register", "a source is the next register"},
    {"half", "a packed source gives its other half"},
    {"operation", "add for sub, and for or, min for max, arithmetic for logical shift"},
    {"round_to_zero", "a conversion rounds toward zero instead of to the nearest"},
}};

std::optional<MutationKind> kind_from(std::string_view name) {
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].name == name) return static_cast<MutationKind>(i);
  }
  return std::nullopt;
}

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";

bool made_of(std::string_view text, std::initializer_list<std::string_view> sets) {
  for (const char c : text) {
    bool in = false;
    for (const std::string_view set : sets) in |= set.find(c) != set.npos;
    if (!in) return false;
  }
  return true;
}

std::string cut(std::string_view text) {
  constexpr size_t kShown = 60;
  return std::string(text.substr(0, kShown)) + (text.size() > kShown ? "..." : "");
}

}  // namespace

std::string_view name_of(MutationKind k) { return kKinds[static_cast<size_t>(k)].name; }
std::string_view meaning_of(MutationKind k) { return kKinds[static_cast<size_t>(k)].meaning; }

Result<Mutation> parse_mutation(std::string_view text) {
  if (text == "none") return Mutation{};
  const auto wrong = [&](std::string_view part, std::string_view value, std::string_view legal) {
    return fail("mutate: '{}': its {} '{}' is not legal; legal: {}", cut(text), part, cut(value),
                legal);
  };
  Mutation m;
  const size_t colon = text.find(':');
  const std::string_view place = text.substr(0, colon);
  const size_t plus = place.rfind("+0x");
  if (colon == text.npos || plus == place.npos) {
    return fail("mutate: '{}' is not a mutation; legal: {}", cut(text), kLegalMutations);
  }
  m.symbol = place.substr(0, plus);
  if (m.symbol.empty() || !made_of(m.symbol, {kLetters, kDigits, "_.$@"})) {
    return wrong("symbol", m.symbol, "letters, digits and _ . $ @");
  }
  const std::string_view digits = place.substr(plus + 3);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), m.pc, 16);
  // One text for one mutation: as it is printed.
  if (error != std::errc{} || digits != fmt::format("{:x}", m.pc)) {
    return wrong("pc", digits, "lower hexadecimal digits, no leading zeros, at most 64 bits");
  }
  const std::string_view what = text.substr(colon + 1);
  const size_t second = what.find(':');
  const std::string_view name = what.substr(0, second);
  const auto kind = kind_from(name);
  if (!kind) {
    std::string names;
    for (const Kind& k : kKinds) names += (names.empty() ? "" : " ") + std::string(k.name);
    return wrong("operator", name, names);
  }
  m.kind = *kind;
  if (second == what.npos) return m;
  m.variant = what.substr(second + 1);
  constexpr size_t kLongest = 32;
  if (m.variant.empty() || m.variant.size() > kLongest ||
      !made_of(m.variant, {kLetters, kDigits, "_.+-^"})) {
    return wrong("variant", m.variant, "up to 32 letters, digits and _ . + - ^");
  }
  return m;
}

std::string to_string(const Mutation& m) {
  if (m.none()) return "none";
  return fmt::format("{}+{:#x}:{}{}{}", m.symbol, m.pc, name_of(m.kind),
                     m.variant.empty() ? "" : ":", m.variant);
}

}  // namespace w4
