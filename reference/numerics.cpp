#include "reference/numerics.h"

#include <algorithm>
#include <array>

namespace w4 {
namespace {

constexpr std::array kAll{Arithmetic::ieee, Arithmetic::gfx1151, Arithmetic::gfx1201,
                          Arithmetic::cuda};

}  // namespace

std::string_view name_of(Arithmetic a) {
  switch (a) {
    case Arithmetic::ieee:
      return "ieee";
    case Arithmetic::gfx1151:
      return "gfx1151";
    case Arithmetic::gfx1201:
      return "gfx1201";
    case Arithmetic::cuda:
      return "cuda";
  }
  return "";
}

Arithmetic arithmetic_from(std::string_view fp) {
  const auto found = std::ranges::find_if(kAll, [&](Arithmetic a) { return name_of(a) == fp; });
  return found == kAll.end() ? Arithmetic::ieee : *found;
}

}  // namespace w4
