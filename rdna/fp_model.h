// Which arithmetic the dot products and matrix instructions follow; rdna.md "Arithmetic" and
// isa/README.md say where each comes from.
#pragma once

#include <cstdint>

namespace w4::rdna {

enum class FpModel : uint8_t {
  ieee,     // dot2 rounded once; matrix instructions one fused fp32 step per product
  gfx1151,  // the sign-magnitude adder of gfx11, measured on gfx1100 and gfx1151
  gfx1201,  // the pairwise adder of gfx12, measured on gfx1201
};

}  // namespace w4::rdna
