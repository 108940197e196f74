#include "core/checks.h"

#include <array>
#include <utility>

namespace w4 {
namespace {

constexpr std::array<std::pair<std::string_view, Check>, 9> kNames{{{"bounds", kBounds},
                                                                    {"uninit", kUninit},
                                                                    {"ldsrace", kLdsRace},
                                                                    {"barrier", kBarrier},
                                                                    {"align", kAlign},
                                                                    {"writers", kWriters},
                                                                    {"lanes", kLaneUse},
                                                                    {"globalrace", kGlobalRace},
                                                                    {"waits", kWaits}}};

}  // namespace

std::optional<Check> check_from(std::string_view name) {
  if (name == "all") return kAllChecks;
  for (const auto& [text, check] : kNames) {
    if (text == name) return check;
  }
  return std::nullopt;
}

Result<Checks> parse_checks(std::string_view text) {
  if (text == "none") return Checks{0};
  Checks c{0};
  for (std::string_view rest = text;;) {
    const size_t plus = rest.find('+');
    const auto check = check_from(rest.substr(0, plus));
    if (!check || (c.mask & *check))
      return fail("checks: '{}' is not legal; legal: {}", text, kLegalChecks);
    c.mask |= *check;
    if (plus == std::string_view::npos) return c;
    rest.remove_prefix(plus + 1);
  }
}

std::string to_string(Checks c) {
  if (c.mask == 0) return "none";
  std::string out;
  const auto add = [&out](std::string_view name) { (out += out.empty() ? "" : "+") += name; };
  if ((c.mask & kAllChecks) == kAllChecks) {
    add("all");
    c.mask &= ~uint32_t{kAllChecks};
  }
  for (const auto& [name, check] : kNames) {
    if (c.mask & check) add(name);
  }
  return out;
}

}  // namespace w4
