#include "core/fill.h"

#include <array>

namespace w4 {
namespace {

constexpr std::array kFills{Fill::flat,   Fill::normal,  Fill::integer, Fill::onehot,  Fill::lane,
                            Fill::cancel, Fill::extreme, Fill::special, Fill::constant};
constexpr std::array<std::string_view, kFills.size()> kNames{
    "flat", "normal", "integer", "onehot", "lane", "cancel", "extreme", "special", "constant"};

}  // namespace

std::string_view name_of(Fill f) { return kNames.at(static_cast<size_t>(f)); }

std::optional<Fill> fill_from(std::string_view name) {
  for (Fill f : kFills) {
    if (name_of(f) == name) return f;
  }
  return std::nullopt;
}

std::span<const Fill> all_fills() { return kFills; }

bool is_random(Fill f) { return f == Fill::flat || f == Fill::normal || f == Fill::cancel; }

bool promises_signal(Fill f) {
  return f == Fill::flat || f == Fill::normal || f == Fill::integer || f == Fill::onehot ||
         f == Fill::lane;
}

}  // namespace w4
