// Addresses of vector memory instructions, one per lane.
#pragma once

#include <bit>

#include "rdna/access.h"
#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

// Inactive lanes repeat the first active one, so that whole-row code needs no mask.
inline void fill_inactive(uint64_t* a, uint32_t lanes) {
  if (lanes == ~0u) return;
  const uint64_t first = a[std::countr_zero(lanes)];
  for (int l = 0; l < kLanes; ++l) a[l] = (lanes >> l & 1) ? a[l] : first;
}

// global and flat: src[0] is a 64-bit address, or a 32-bit offset to the scalar base src[1].
inline void global_addresses(const Wave& w, const Op& op, uint64_t* a) {
  const uint64_t offset = static_cast<uint64_t>(op.imm[0]);
  const uint32_t* lo = w.v[op.src[0].reg].v;
  if (op.src[1].kind == OperandKind::sgpr) {
    const uint64_t base = read_s64(w, op.src[1]) + offset;
    for (int l = 0; l < kLanes; ++l) a[l] = base + lo[l];
  } else {
    const uint32_t* hi = w.v[op.src[0].reg + 1].v;
    for (int l = 0; l < kLanes; ++l) a[l] = (lo[l] | uint64_t{hi[l]} << 32) + offset;
  }
  fill_inactive(a, w.exec());
}

// Lanes whose address is undefined.
inline uint32_t undefined_address(const Wave& w, const Op& op) {
  uint32_t known = ~0u;
  if (op.src[0].kind == OperandKind::vgpr) {
    for (int i = 0; i < op.src[0].words; ++i) known &= read_def(w, op.src[0], i).all();
  }
  if (op.src[1].kind == OperandKind::sgpr) {
    for (int i = 0; i < op.src[1].words; ++i) known &= read_sdef(w, op.src[1], i) == ~0u ? ~0u : 0u;
  }
  return w.exec() & ~known;
}

}  // namespace w4::rdna
