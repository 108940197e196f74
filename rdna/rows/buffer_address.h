// Addresses of buffer_* and s_buffer_*: what a 128-bit resource descriptor (V#) says about them.
// Fields as the RDNA3 ISA document ("Buffer resource descriptor") gives them, the same on gfx12;
// out-of-range rules (OOB_SELECT) as there and in Mesa's ac_descriptors.c for gfx11 and later.
#pragma once

#include <string_view>

#include "rdna/rows/address.h"

namespace w4::rdna {

struct BufferResource {
  uint64_t base = 0;             // bytes; bits 47:0
  uint32_t stride = 0;           // bytes; bits 61:48
  uint32_t num_records = 0;      // bytes of a raw buffer, records of a structured one; bits 95:64
  uint32_t oob_select = 0;       // bits 125:124
  std::string_view unsupported;  // why this descriptor is not implemented; empty: it is

  // A component of n bytes at `offset` (VGPR + instruction) of record `index` is outside: loads
  // give 0, stores are dropped. The scalar offset takes no part in the check.
  bool outside(uint32_t index, uint64_t offset, uint64_t n) const {
    switch (oob_select) {
      case 0:
        return index >= num_records || offset + n > stride;
      case 1:
        return index >= num_records;
      case 2:
        return num_records == 0;
      default:
        return offset + n > num_records;
    }
  }
};

inline BufferResource buffer_resource(const Wave& w, const Operand& o) {
  uint32_t d[4];
  for (int i = 0; i < 4; ++i) d[i] = read_s(w, o, i);
  BufferResource r;
  r.base = d[0] | uint64_t{d[1] & 0xffffu} << 32;
  r.stride = d[1] >> 16 & 0x3fff;
  r.num_records = d[2];
  r.oob_select = d[3] >> 28 & 3;
  if (d[1] >> 30) r.unsupported = "a swizzled buffer resource";
  if (d[3] >> 23 & 1) r.unsupported = "a buffer resource that adds the thread id";
  if (d[3] >> 30) r.unsupported = "a buffer resource of another type than buffer";
  return r;
}

// imm[2] of buffer_*: which VGPRs there are (index first). imm[0]: the instruction's offset.
inline constexpr int64_t kOffen = 1, kIdxen = 2;

// One address per lane, with what the range check needs.
struct BufferAccess {
  BufferResource resource;
  uint32_t index[kLanes];
  uint64_t offset[kLanes];   // VGPR + instruction, no wrap
  uint64_t address[kLanes];  // base + scalar offset + index * stride + offset

  uint32_t inside(uint32_t lanes, uint64_t n, uint64_t skip = 0) const {
    uint32_t in = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
      const int l = std::countr_zero(m);
      in |= uint32_t{!resource.outside(index[l], offset[l] + skip, n)} << l;
    }
    return in;
  }
};

// src: 0 VGPR part, 1 V#, 3 scalar offset. False: not implemented, a.resource.unsupported says why.
inline bool buffer_addresses(const Wave& w, const Op& op, BufferAccess& a) {
  a.resource = buffer_resource(w, op.src[1]);
  const bool indexed = op.imm[2] & kIdxen;
  if (a.resource.oob_select == 3 && a.resource.stride != 0 && indexed)
    a.resource.unsupported = "raw range check of an indexed buffer resource with a stride";
  if (!a.resource.unsupported.empty()) return false;
  const uint64_t base = a.resource.base + read_s(w, op.src[3]);
  const Lanes* v = op.src[0].kind == OperandKind::vgpr ? w.v + op.src[0].reg : nullptr;
  for (int l = 0; l < kLanes; ++l) {
    a.index[l] = indexed ? v[0].v[l] : 0;
    a.offset[l] = static_cast<uint64_t>(op.imm[0]);
    if (op.imm[2] & kOffen) a.offset[l] += v[indexed ? 1 : 0].v[l];
    a.address[l] = base + uint64_t{a.index[l]} * a.resource.stride + a.offset[l];
  }
  return true;
}

// The same; where it is false the launch stops as Unsupported.
inline bool buffer_access(Wave& w, const Op& op, BufferAccess& a) {
  if (buffer_addresses(w, op, a)) return true;
  unsupported(w, op, std::string(a.resource.unsupported));
  return false;
}

// Lanes whose address is undefined; an undefined scalar part counts for all of them.
inline uint32_t undefined_buffer_address(const Wave& w, const Op& op) {
  uint32_t known = ~0u;
  if (op.src[0].kind == OperandKind::vgpr) {
    for (int i = 0; i < op.src[0].words; ++i) known &= read_def(w, op.src[0], i).all();
  }
  bool scalar = read_sdef(w, op.src[3]) == ~0u;
  for (int i = 0; i < 4; ++i) scalar &= read_sdef(w, op.src[1], i) == ~0u;
  return scalar ? w.exec() & ~known : w.exec();
}

}  // namespace w4::rdna
