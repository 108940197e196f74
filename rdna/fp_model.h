// Which arithmetic the dot products (and later WMMA) follow: rdna.md "Arithmetic".
#pragma once

#include <cstdint>

namespace w4::rdna {

enum class FpModel : uint8_t {
  ieee,     // one rounding of the exact sum
  gfx1151,  // the publicly reported adder of gfx1151
};

}  // namespace w4::rdna
