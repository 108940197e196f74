// Where a direct branch or call goes, as linked.
#pragma once

#include "rdna/op.h"

namespace w4::rdna {

inline uint64_t branch_target(const Op& op) {
  return op.pc + op.size + static_cast<uint64_t>(int64_t{static_cast<int16_t>(op.imm[0])} * 4);
}

}  // namespace w4::rdna
