#include "rdna/exact_flow.h"

#include <optional>

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

uint64_t and_mask(const Bits& a, const Bits& b) {
  return (a.d & b.d) | (a.d & ~a.v) | (b.d & ~b.v);
}
uint64_t or_mask(const Bits& a, const Bits& b) { return (a.d & b.d) | (a.d & a.v) | (b.d & b.v); }

Bits shifted_left(const Bits& x, const Bits& amount) {
  if ((amount.d & 31) != 31) return {0, 0};
  const auto n = static_cast<int>(amount.v & 31);
  return {~((~x.d & 0xffffffffu) << n), x.v << n};
}

// Bytes of src[0]:src[1] by the selectors in src[2].
uint64_t permuted(const Bits* s) {
  uint64_t out = kAll;
  const uint64_t from = s[0].d << 32 | (s[1].d & 0xffffffffu);
  for (int i = 0; i < 4; ++i) {
    const uint64_t selector = s[2].v >> (8 * i) & 255, field = uint64_t{255} << (8 * i);
    const bool known = (s[2].d & field) == field;
    uint64_t byte = 0;
    if (known && selector >= 12) {
      byte = 255;  // constants 0x00 and 0xff
    } else if (known && selector >= 8) {
      byte = from >> (16 * (selector - 8) + 15) & 1 ? 255 : 0;  // copies of a sign bit
    } else if (known) {
      byte = from >> (8 * selector) & 255;
    }
    out &= ~field | byte << (8 * i);
  }
  return out;
}

// Instructions of three sources whose bits go their own ways; nothing where the name is another.
std::optional<uint64_t> three_sources(std::string_view m, const Bits* s) {
  if (m == "v_lshl_or_b32") return or_mask(shifted_left(s[0], s[1]), s[2]);
  if (m == "v_lshl_add_u32") return below_lowest_undefined(shifted_left(s[0], s[1]).d & s[2].d);
  if (m == "v_add_lshl_u32") {
    return shifted_left({below_lowest_undefined(s[0].d & s[1].d), 0}, s[2]).d;
  }
  if (m == "v_and_or_b32") return or_mask({and_mask(s[0], s[1]), s[0].v & s[1].v}, s[2]);
  if (m == "v_or3_b32") return or_mask({or_mask(s[0], s[1]), s[0].v | s[1].v}, s[2]);
  if (m == "v_bfi_b32") {
    const uint64_t chosen = (s[0].v & s[1].d) | (~s[0].v & s[2].d);
    return (s[0].d & chosen) | (s[1].d & s[2].d & ~(s[1].v ^ s[2].v));
  }
  if (m == "v_bfe_u32") return bitfield(s[0], s[1], s[2]);
  if (m == "v_perm_b32") return permuted(s);
  if (m == "v_alignbit_b32" || m == "v_alignbyte_b32") {
    const uint64_t field = m == "v_alignbit_b32" ? 31 : 3;
    if ((s[2].d & field) != field) return 0;
    const auto n = static_cast<int>((s[2].v & field) * (field == 31 ? 1 : 8));
    return ~((~s[0].d << 32 | (~s[1].d & 0xffffffffu)) >> n & 0xffffffffu);
  }
  return std::nullopt;
}

}  // namespace

uint64_t exact_flow(const Row& row, const Bits* s, int n, int lane) {
  if (n == 0) return kAll;
  uint64_t all = kAll;
  for (int i = 0; i < n; ++i) all &= s[i].d;
  if (all == kAll && row.flow != Flow::special && row.flow != Flow::half) return kAll;
  if (n == 3) {
    if (const auto d = three_sources(row.mnemonic, s)) return *d;
  }
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
