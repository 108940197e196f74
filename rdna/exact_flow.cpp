#include "rdna/exact_flow.h"

namespace w4::rdna {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};

uint64_t below_lowest_undefined(uint64_t d) { return d & ~(d + 1); }

// Shifts by src[0] of src[1], 32 or 64 bits wide.
uint64_t shift(std::string_view m, const Bits& amount, const Bits& x) {
  const bool wide = m.ends_with("64");
  const uint64_t field = wide ? 63 : 31;
  if ((amount.d & field) != field) return 0;
  const auto n = static_cast<int>(amount.v & field);
  const uint64_t undefined = wide ? ~x.d : ~x.d & 0xffffffffu;
  if (m.starts_with("v_lshlrev")) return ~(undefined << n);
  if (m.starts_with("v_lshrrev")) return ~(undefined >> n);
  if (m.starts_with("v_ashrrev")) {
    // The sign bit spreads into the n bits above.
    const uint64_t top = uint64_t{1} << field;
    const uint64_t spread = (undefined & top) ? ~((top >> n) - 1) : 0;
    return ~((undefined >> n) | spread);
  }
  return 0;
}

// v_bfe_u32: width bits of src[0] from bit src[1].
uint64_t bitfield(const Bits& x, const Bits& offset, const Bits& width) {
  if ((offset.d & 31) != 31 || (width.d & 31) != 31) return 0;
  const uint64_t mask = (uint64_t{1} << (width.v & 31)) - 1;
  return ~((~x.d & 0xffffffffu) >> (offset.v & 31) & mask);
}

}  // namespace

uint64_t exact_flow(const Row& row, const Bits* s, int n, int lane) {
  if (n == 0) return kAll;
  uint64_t all = kAll;
  for (int i = 0; i < n; ++i) all &= s[i].d;
  switch (row.flow) {
    case Flow::bitwise_and:
      if (n == 2) return all | (s[0].d & ~s[0].v) | (s[1].d & ~s[1].v);
      return all;
    case Flow::bitwise_or:
      if (n == 2) return all | (s[0].d & s[0].v) | (s[1].d & s[1].v);
      return all;
    case Flow::bitwise_xor:
    case Flow::bitwise_not:
    case Flow::copy:
      return all;
    case Flow::add:
      return below_lowest_undefined(all);
    case Flow::shift:
      if (n == 2) return shift(row.mnemonic, s[0], s[1]);
      if (row.mnemonic == "v_bfe_u32" && n == 3) return bitfield(s[0], s[1], s[2]);
      return all == kAll ? kAll : 0;
    case Flow::select: {
      if (n < 3) return all == kAll ? kAll : 0;
      if (!(s[2].d >> lane & 1)) return 0;
      return (s[2].v >> lane & 1) ? s[1].d : s[0].d;
    }
    case Flow::mix:
      return all == kAll ? kAll : 0;
    case Flow::half:
    case Flow::special:
      return 0;  // the handler's own masks say it
  }
  return 0;
}

uint32_t kept_bits(const Op& op, std::string_view m) {
  if (m.starts_with("v_pk_") || m.starts_with("v_cmp")) return 0;
  if (m.find("mixhi") != m.npos) return 0xffffu;
  if (m.find("mixlo") != m.npos) return 0xffff0000u;
  // The first type in the name is the result's: v_cvt_f16_f32, but v_cvt_f32_f16, v_pack_b32_f16.
  size_t first = m.npos;
  bool half = false;
  for (std::string_view type : {"_f16", "_bf16", "_i16", "_u16", "_b16"}) {
    const size_t at = m.find(type);
    if (at < first) {
      first = at;
      half = true;
    }
  }
  for (std::string_view type : {"_f32", "_i32", "_u32", "_b32", "_f64", "_i64", "_u64", "_b64"}) {
    const size_t at = m.find(type);
    if (at < first) {
      first = at;
      half = false;
    }
  }
  if (!half) return 0;
  return (op.src[0].mods & kDstOpSel) ? 0xffffu : 0xffff0000u;
}

}  // namespace w4::rdna
