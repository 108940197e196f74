// Integer vector instructions as the ISA documents write them.
#include <algorithm>
#include <cstdlib>

#include "tests/rdna/isa/reference.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

u32 bits(u64 x, int from, int n) {
  return n <= 0 ? 0 : static_cast<u32>((x >> from) & ((1ull << n) - 1));
}
i64 sx(u64 x, int n) { return static_cast<i64>(x << (64 - n)) >> (64 - n); }
i64 within(i64 x, i64 low, i64 high) { return x < low ? low : x > high ? high : x; }

u32 byte_of_permute(u32 a, u32 b, u32 k) {
  if (k >= 13) return 255;
  switch (k) {
    case 8:
      return (b >> 15 & 1) * 255;
    case 9:
      return (b >> 31) * 255;
    case 10:
      return (a >> 15 & 1) * 255;
    case 11:
      return (a >> 31) * 255;
    case 12:
      return 0;
    default:
      return static_cast<u32>((u64{a} << 32 | b) >> (8 * k)) & 255;
  }
}
u32 permute(u32 a, u32 b, u32 s) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= byte_of_permute(a, b, bits(s, 8 * i, 8)) << (8 * i);
  return r;
}
u32 first_from_top(u32 x) {
  for (u32 i = 0; i < 32; ++i)
    if (x >> (31 - i) & 1) return i;
  return ~0u;
}
u32 first_from_bottom(u32 x) {
  for (u32 i = 0; i < 32; ++i)
    if (x >> i & 1) return i;
  return ~0u;
}
u32 first_unlike_sign(u32 x) {
  for (u32 i = 1; i < 32; ++i)
    if ((x >> (31 - i) & 1) != x >> 31) return i;
  return ~0u;
}
i64 byte_differences(u32 a, u32 b, bool skip_zero) {
  i64 s = 0;
  for (int i = 0; i < 4; ++i) {
    const i64 x = bits(a, 8 * i, 8), y = bits(b, 8 * i, 8);
    if (!(skip_zero && y == 0)) s += std::abs(x - y);
  }
  return s;
}

using W = u32;  // a source word of a row
struct Words {
  const char* mnemonic;
  int sources;
  u64 (*f)(W a, W b, W c);
  unsigned traits = 0;
};

const Words kWords[] = {
    {"v_mov_b32", 1, [](W a, W, W) -> u64 { return a; }},
    {"v_not_b32", 1, [](W a, W, W) -> u64 { return 0xffffffff - a; }},
    {"v_and_b32", 2, [](W a, W b, W) -> u64 { return ~(~a | ~b); }},
    {"v_or_b32", 2, [](W a, W b, W) -> u64 { return ~(~a & ~b); }},
    {"v_xor_b32", 2, [](W a, W b, W) -> u64 { return (a | b) - (a & b); }},
    {"v_xnor_b32", 2, [](W a, W b, W) -> u64 { return ~((a | b) - (a & b)); }},
    {"v_add_nc_u32", 2, [](W a, W b, W) -> u64 { return u64{a} + b; }},
    {"v_sub_nc_u32", 2, [](W a, W b, W) -> u64 { return u64{a} - b; }},
    {"v_subrev_nc_u32", 2, [](W a, W b, W) -> u64 { return u64{b} - a; }},
    {"v_add_nc_u32", 2, [](W a, W b, W) -> u64 { return a > ~b ? ~0u : a + b; }, kClamped},
    {"v_sub_nc_u32", 2, [](W a, W b, W) -> u64 { return a < b ? 0u : a - b; }, kClamped},
    {"v_subrev_nc_u32", 2, [](W a, W b, W) -> u64 { return b < a ? 0u : b - a; }, kClamped},
    {"v_add_nc_i32", 2, [](W a, W b, W) -> u64 { return u64{a} + b; }},
    {"v_sub_nc_i32", 2, [](W a, W b, W) -> u64 { return u64{a} - b; }},
    {"v_add_nc_i32", 2,
     [](W a, W b, W) -> u64 {
       return static_cast<u64>(within(sx(a, 32) + sx(b, 32), -2147483648ll, 2147483647));
     },
     kClamped},
    {"v_sub_nc_i32", 2,
     [](W a, W b, W) -> u64 {
       return static_cast<u64>(within(sx(a, 32) - sx(b, 32), -2147483648ll, 2147483647));
     },
     kClamped},
    {"v_lshlrev_b32", 2, [](W a, W b, W) -> u64 { return u64{b} << (a % 32); }},
    {"v_lshrrev_b32", 2, [](W a, W b, W) -> u64 { return u64{b} >> (a % 32); }},
    {"v_ashrrev_i32", 2,
     [](W a, W b, W) -> u64 { return static_cast<u64>(sx(b, 32) >> (a % 32)); }},
    {"v_mul_lo_u32", 2, [](W a, W b, W) -> u64 { return u64{a} * b; }},
    {"v_mul_hi_u32", 2, [](W a, W b, W) -> u64 { return u64{a} * b >> 32; }},
    {"v_mul_hi_i32", 2,
     [](W a, W b, W) -> u64 { return static_cast<u64>(sx(a, 32) * sx(b, 32) >> 32); }},
    {"v_mul_u32_u24", 2, [](W a, W b, W) -> u64 { return u64{bits(a, 0, 24)} * bits(b, 0, 24); }},
    {"v_mul_i32_i24", 2,
     [](W a, W b, W) -> u64 { return static_cast<u64>(sx(a, 24) * sx(b, 24)); }},
    {"v_mul_hi_u32_u24", 2,
     [](W a, W b, W) -> u64 { return u64{bits(a, 0, 24)} * bits(b, 0, 24) >> 32; }},
    {"v_mul_hi_i32_i24", 2,
     [](W a, W b, W) -> u64 { return static_cast<u64>(sx(a, 24) * sx(b, 24) >> 32); }},
    {"v_mad_u32_u24", 3,
     [](W a, W b, W c) -> u64 { return u64{bits(a, 0, 24)} * bits(b, 0, 24) + c; }},
    {"v_mad_i32_i24", 3,
     [](W a, W b, W c) -> u64 { return static_cast<u64>(sx(a, 24) * sx(b, 24) + c); }},
    {"v_add3_u32", 3, [](W a, W b, W c) -> u64 { return u64{a} + b + c; }},
    {"v_lshl_add_u32", 3, [](W a, W b, W c) -> u64 { return (u64{a} << (b % 32)) + c; }},
    {"v_add_lshl_u32", 3, [](W a, W b, W c) -> u64 { return (u64{a} + b) << (c % 32); }},
    {"v_lshl_or_b32", 3, [](W a, W b, W c) -> u64 { return (u64{a} << (b % 32)) | c; }},
    {"v_and_or_b32", 3, [](W a, W b, W c) -> u64 { return ~(~(a & b) & ~c); }},
    {"v_or3_b32", 3, [](W a, W b, W c) -> u64 { return ~(~a & ~b & ~c); }},
    {"v_xor3_b32", 3, [](W a, W b, W c) -> u64 { return c ^ (b ^ a); }},
    {"v_xad_u32", 3, [](W a, W b, W c) -> u64 { return u64{a ^ b} + c; }},
    {"v_bfe_u32", 3,
     [](W a, W b, W c) -> u64 {
       return bits(a, static_cast<int>(b % 32), static_cast<int>(c % 32));
     }},
    {"v_bfe_i32", 3,
     [](W a, W b, W c) -> u64 {
       // The source is signed: a field that reaches beyond bit 31 is filled with the sign.
       const int n = static_cast<int>(c % 32);
       return n ? static_cast<u64>(sx(static_cast<u64>(sx(a, 32)) >> (b % 32), n)) : 0;
     }},
    {"v_bfi_b32", 3, [](W a, W b, W c) -> u64 { return c ^ (a & (b ^ c)); }},
    {"v_bfm_b32", 2, [](W a, W b, W) -> u64 { return ((1ull << (a % 32)) - 1) << (b % 32); }},
    {"v_alignbit_b32", 3,
     [](W a, W b, W c) -> u64 { return ((u64{a} << 32) + b) >> (c % 32) & 0xffffffff; }},
    {"v_alignbyte_b32", 3,
     [](W a, W b, W c) -> u64 { return ((u64{a} << 32) + b) >> (c % 4 * 8) & 0xffffffff; }},
    {"v_perm_b32", 3, [](W a, W b, W c) -> u64 { return permute(a, b, c); }},
    {"v_sad_u32", 3,
     [](W a, W b, W c) -> u64 { return static_cast<u64>(std::abs(i64{a} - i64{b})) + c; }},
    {"v_sad_u16", 3,
     [](W a, W b, W c) -> u64 {
       const i64 lo = i64{bits(a, 0, 16)} - bits(b, 0, 16), hi = i64{a >> 16} - (b >> 16);
       return static_cast<u64>(std::abs(lo) + std::abs(hi)) + c;
     }},
    {"v_sad_u8", 3,
     [](W a, W b, W c) -> u64 { return static_cast<u64>(byte_differences(a, b, false)) + c; }},
    {"v_sad_hi_u8", 3,
     [](W a, W b, W c) -> u64 {
       return static_cast<u64>(byte_differences(a, b, false) * 65536) + c;
     }},
    {"v_msad_u8", 3,
     [](W a, W b, W c) -> u64 { return static_cast<u64>(byte_differences(a, b, true)) + c; }},
    {"v_bfrev_b32", 1,
     [](W a, W, W) -> u64 {
       u32 r = 0;
       for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
       return r;
     }},
    {"v_clz_i32_u32", 1, [](W a, W, W) -> u64 { return first_from_top(a); }},
    {"v_ctz_i32_b32", 1, [](W a, W, W) -> u64 { return first_from_bottom(a); }},
    {"v_cls_i32", 1, [](W a, W, W) -> u64 { return first_unlike_sign(a); }},
    {"v_bcnt_u32_b32", 2,
     [](W a, W b, W) -> u64 {
       u64 r = b;
       for (int i = 0; i < 32; ++i) r += a >> i & 1;
       return r;
     }},
    {"v_cvt_pk_u16_u32", 2,
     [](W a, W b, W) -> u64 {
       return static_cast<u64>(within(a, 0, 65535) | within(b, 0, 65535) << 16);
     }},
    {"v_cvt_pk_i16_i32", 2,
     [](W a, W b, W) -> u64 {
       const u64 lo = static_cast<u64>(within(sx(a, 32), -32768, 32767)) & 0xffff;
       return lo | static_cast<u64>(within(sx(b, 32), -32768, 32767)) << 16;
     }},
};

// 16-bit sources, zero-extended; the result is cut to 16 bits.
const Words kHalves[] = {
    {"v_not_b16", 1, [](W a, W, W) -> u64 { return 0xffff - a; }},
    {"v_and_b16", 2, [](W a, W b, W) -> u64 { return ~(~a | ~b); }},
    {"v_or_b16", 2, [](W a, W b, W) -> u64 { return ~(~a & ~b); }},
    {"v_xor_b16", 2, [](W a, W b, W) -> u64 { return (a | b) - (a & b); }},
    {"v_add_nc_u16", 2, [](W a, W b, W) -> u64 { return a + b; }},
    {"v_sub_nc_u16", 2, [](W a, W b, W) -> u64 { return u64{a} - b; }},
    {"v_add_nc_i16", 2, [](W a, W b, W) -> u64 { return a + b; }},
    {"v_sub_nc_i16", 2, [](W a, W b, W) -> u64 { return u64{a} - b; }},
    {"v_add_nc_u16", 2, [](W a, W b, W) -> u64 { return a + b > 65535 ? 65535 : a + b; }, kClamped},
    {"v_sub_nc_u16", 2, [](W a, W b, W) -> u64 { return a < b ? 0 : a - b; }, kClamped},
    {"v_add_nc_i16", 2,
     [](W a, W b, W) -> u64 {
       return static_cast<u64>(within(sx(a, 16) + sx(b, 16), -32768, 32767));
     },
     kClamped},
    {"v_sub_nc_i16", 2,
     [](W a, W b, W) -> u64 {
       return static_cast<u64>(within(sx(a, 16) - sx(b, 16), -32768, 32767));
     },
     kClamped},
    {"v_mul_lo_u16", 2, [](W a, W b, W) -> u64 { return u64{a} * b; }},
    {"v_mad_u16", 3, [](W a, W b, W c) -> u64 { return u64{a} * b + c; }},
    {"v_mad_i16", 3,
     [](W a, W b, W c) -> u64 { return static_cast<u64>(sx(a, 16) * sx(b, 16)) + c; }},
    {"v_lshlrev_b16", 2, [](W a, W b, W) -> u64 { return u64{b} << (a % 16); }},
    {"v_lshrrev_b16", 2, [](W a, W b, W) -> u64 { return b >> (a % 16); }},
    {"v_ashrrev_i16", 2,
     [](W a, W b, W) -> u64 { return static_cast<u64>(sx(b, 16) >> (a % 16)); }},
};

// min, max and their pairs over one type: the values in order.
struct Selection {
  const char* stem;
  int sources;
  i64 (*pick)(i64 a, i64 b, i64 c);
};
i64 middle(i64 a, i64 b, i64 c) {
  i64 x[3] = {a, b, c};
  std::sort(x, x + 3);
  return x[1];
}
const Selection kSelections[] = {
    {"min", 2, [](i64 a, i64 b, i64) { return a < b ? a : b; }},
    {"max", 2, [](i64 a, i64 b, i64) { return a < b ? b : a; }},
    {"min3", 3, [](i64 a, i64 b, i64 c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }},
    {"max3", 3, [](i64 a, i64 b, i64 c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }},
    {"med3", 3, middle},
    {"minmax", 3, [](i64 a, i64 b, i64 c) { return (a < b ? a : b) < c ? c : (a < b ? a : b); }},
    {"maxmin", 3, [](i64 a, i64 b, i64 c) { return (a > b ? a : b) > c ? c : (a > b ? a : b); }},
};

Reference words(const Words& w, Kind k) {
  const auto f = w.f;
  Reference r{w.mnemonic, k, {}, [f](const In& a, const In& b, const In& c) -> Out {
                return f(static_cast<W>(a.bits), static_cast<W>(b.bits), static_cast<W>(c.bits));
              }};
  for (int i = 0; i < w.sources; ++i) r.src[static_cast<size_t>(i)] = k;
  r.traits = w.traits;
  return r;
}

template <class F>
void add(std::vector<Reference>& out, const char* m, Kind dst, std::array<Kind, 3> src, F f) {
  out.push_back({m, dst, src, [f](const In& a, const In& b, const In& c) -> Out {
                   return f(a.bits, b.bits, c.bits);
                 }});
}

void add_mixed_widths(std::vector<Reference>& out) {
  constexpr Kind h = Kind::b16, w = Kind::b32, d = Kind::b64, no = Kind::none;
  add(out, "v_mad_u32_u16", w, {h, h, w}, [](u64 a, u64 b, u64 c) { return a * b + c; });
  add(out, "v_mad_i32_i16", w, {h, h, w},
      [](u64 a, u64 b, u64 c) { return sx(a, 16) * sx(b, 16) + static_cast<i64>(c); });
  add(out, "v_cvt_u32_u16", w, {h, no, no}, [](u64 a, u64, u64) { return a; });
  out.back().traits = kNoOpSel;
  add(out, "v_cvt_i32_i16", w, {h, no, no}, [](u64 a, u64, u64) { return sx(a, 16); });
  out.back().traits = kNoOpSel;
  add(out, "v_lshlrev_b64", d, {w, d, no}, [](u64 a, u64 b, u64) { return b << (a % 64); });
  add(out, "v_lshrrev_b64", d, {w, d, no}, [](u64 a, u64 b, u64) { return b >> (a % 64); });
  add(out, "v_ashrrev_i64", d, {w, d, no},
      [](u64 a, u64 b, u64) { return static_cast<i64>(b) >> (a % 64); });
}

}  // namespace

std::vector<Reference> integer_references() {
  std::vector<Reference> out;
  for (const Words& w : kWords) out.push_back(words(w, Kind::b32));
  for (const Words& w : kHalves) out.push_back(words(w, Kind::b16));
  for (const Selection& s : kSelections) {
    for (const char* type : {"u32", "i32", "u16", "i16"}) {
      const std::string name = std::string("v_") + s.stem + "_" + type;
      if (!has_row(name)) continue;
      const bool is_signed = type[0] == 'i';
      const int n = type[1] == '3' ? 32 : 16;
      const auto pick = s.pick;
      const auto value = [=](u64 x) { return is_signed ? sx(x, n) : static_cast<i64>(x); };
      Reference r{name,
                  n == 32 ? Kind::b32 : Kind::b16,
                  {},
                  [=](const In& a, const In& b, const In& c) -> Out {
                    return pick(value(a.bits), value(b.bits), value(c.bits));
                  }};
      for (int i = 0; i < s.sources; ++i) r.src[static_cast<size_t>(i)] = r.dst;
      out.push_back(r);
    }
  }
  add_mixed_widths(out);
  return out;
}

}  // namespace w4::rdna::test
