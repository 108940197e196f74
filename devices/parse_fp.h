// `fp=` of a launch, resolved, as the arithmetic model it names.
#pragma once

#include <string_view>

#include "core/result.h"
#include "rdna/fp_model.h"

namespace w4 {

inline Result<rdna::FpModel> parse_fp(std::string_view text) {
  if (text == "ieee") return rdna::FpModel::ieee;
  if (text == "gfx1151") return rdna::FpModel::gfx1151;
  if (text == "gfx1201") return rdna::FpModel::gfx1201;
  return fail("fp: '{}' is not an arithmetic model; legal: ieee, gfx1151, gfx1201", text);
}

}  // namespace w4
