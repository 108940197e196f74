#include "campaign/capture/draw.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

namespace w4::capture {
namespace {

constexpr uint32_t kSpecialF32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x7f800001, 0xffa00000, 0x3f7fffff, 0x3f800001, 0x33800000, 0x34000000, 0x4b800000, 0x4b800001,
    0x00400000, 0x00ffffff, 0x01000000, 0x7f000000, 0x3f000000, 0x3effffff, 0x40490fdb, 0xc2000000};
constexpr uint32_t kSpecialF16[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x83ff,
                                    0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe5a,
                                    0x7c01, 0xfd00, 0x3bff, 0x3c01, 0x0200, 0x07ff, 0x0800, 0x7800,
                                    0x3800, 0x1400, 0x6400, 0x6401, 0xe800, 0x4248, 0x1000, 0x9000};
constexpr uint32_t kSpecialBf16[] = {
    0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x7f7f,
    0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc5, 0x7f81, 0xffa0, 0x3f7f, 0x3f81, 0x0040, 0x00ff,
    0x0100, 0x7f00, 0x3f00, 0x3380, 0x4b80, 0x4b81, 0xcb80, 0x4049, 0x2000, 0xa000};

bool is_bf16(Kind k) { return k == Kind::bf16 || k == Kind::bf16x2; }

uint32_t special_of(Draw& d, std::span<const uint32_t> all) {
  return all[static_cast<size_t>(d.below(static_cast<int>(all.size())))];
}

// Sign, exponent of the number itself, `keep` bits of mantissa.
uint32_t put_f32(Draw& d, int exponent, int keep = 23) {
  const uint32_t x = d.bits();
  const int e = std::clamp(exponent + 127, 0, 254);
  return (x & 0x80000000u) | static_cast<uint32_t>(e) << 23 |
         ((x & 0x7fffffu) >> (23 - keep) << (23 - keep));
}
uint32_t put_half(Draw& d, Kind k, int exponent, int keep = 10) {
  const uint32_t x = d.bits();
  if (is_bf16(k)) {
    const int e = std::clamp(exponent + 127, 0, 254), kept = std::min(keep, 7);
    return (x & 0x8000u) | static_cast<uint32_t>(e) << 7 |
           ((x & 0x7fu) >> (7 - kept) << (7 - kept));
  }
  const int e = std::clamp(exponent + 15, 0, 30);
  return (x & 0x8000u) | static_cast<uint32_t>(e) << 10 |
         ((x & 0x3ffu) >> (10 - keep) << (10 - keep));
}

// The bits of the half that is nearest, ties to even; fp32 that is not finite stays so.
uint32_t half_of(Kind k, double value) {
  const auto f = static_cast<float>(value);
  if (!is_bf16(k)) return std::bit_cast<uint16_t>(static_cast<_Float16>(f));
  const auto x = std::bit_cast<uint32_t>(f);
  if (!std::isfinite(f)) return x >> 16;
  return (x + 0x7fff + (x >> 16 & 1)) >> 16;
}

int exponent_of(double value) {
  return value == 0 || !std::isfinite(value) ? 0 : std::ilogb(value);
}

Style style_of(uint64_t item) { return static_cast<Style>(item % 8); }

// Results of chips that the project knows of come first (tests/rdna/isa/measured_test.cpp), then
// what tells adders apart: sticky bits, ties, signs of zeros, what lies just below the unit.
constexpr Triple kDotF16[] = {
    {0x48004200, 0x44004800, 0xbf800000}, {0xc800c200, 0x44004800, 0x3f800000},
    {0x3c00bc00, 0x3c003c00, 0x3f800000}, {0x3c003c00, 0x3c003c00, 0xc0000000},
    {0x3c004000, 0x3c003c00, 0xc0000000}, {0x4800c800, 0x48004800, 0x3f800000},
    {0x3c00bc00, 0x3c000000, 0x00000000}, {0x3c003c00, 0x3c000000, 0x80000000},
    {0x80008000, 0x3c003c00, 0x00800000}, {0x00000001, 0x3c003c00, 0x00000000},
    {0xe9f969f9, 0x612c612c, 0x00000000}, {0x3c003c00, 0x7bff7e5a, 0xffa6c1fe},
    {0x7c003c00, 0x00003c00, 0x3f800000}, {0x00010001, 0x00010001, 0x00000001},
    {0x3c013c00, 0x3c010001, 0x4b800000}, {0x00010001, 0x3c003c00, 0x4b000000}};
constexpr Triple kDotBf16[] = {
    {0x41004040, 0x40804100, 0xbf800000}, {0x3f80bf80, 0x3f803f80, 0x3f800000},
    {0x3f803f80, 0x3f803f80, 0xc0000000}, {0x3f80bf80, 0x3f800000, 0x00000000},
    {0x80000000, 0x3f803f80, 0x00800000}, {0x00800000, 0x3f808000, 0x00000001},
    {0x00000001, 0x3f804980, 0x00000000}, {0x00800080, 0x3f003f00, 0x00000000},
    {0xff7f7f7f, 0x7f7f7f7f, 0x00000000}, {0xc395629b, 0xd9633359, 0xdc60025c},
    {0x2061bc39, 0x96b40093, 0x0056dd77}, {0x7f800081, 0x80000081, 0xff9a5ce2},
    {0x7f803f80, 0x00003f80, 0x3f800000}, {0x00010001, 0x3f803f80, 0x00000001},
    {0x3f813f80, 0x3f810080, 0x4b800000}, {0x33803380, 0x3f803f80, 0x4b000000}};

bool packed(Kind k) { return k == Kind::f16x2 || k == Kind::bf16x2; }
bool float_half(Kind k) { return packed(k) || k == Kind::f16 || k == Kind::bf16; }

// What a and b give: the sum of the products of their halves, or their product.
double product_of(const Probe& p, uint32_t a, uint32_t b) {
  const auto value = [](Kind k, uint32_t word, int half) {
    if (float_half(k)) return value_of_half(k, word >> (16 * half) & 0xffffu);
    return half == 0 ? double{std::bit_cast<float>(word)} : 0.0;
  };
  const double low = value(p.a, a, 0) * value(p.b, b, 0);
  return p.instruction.starts_with("v_dot2") ? low + value(p.a, a, 1) * value(p.b, b, 1) : low;
}

uint32_t draw_integer_f32(Draw& d, Style s) {
  if (s == Style::special || s == Style::raw) return draw_f32(d, s);
  constexpr float kEnds[] = {2147483648.f, 4294967296.f, 32768.f, 65536.f, 256.f, 8388608.f};
  const float base = s == Style::far ? kEnds[d.below(6)] : static_cast<float>(d.within(-300, 300));
  auto x = std::bit_cast<uint32_t>(base + (s == Style::few_bits ? 0.5f : 0.f));
  if (s == Style::near || s == Style::wide || s == Style::far)
    x += static_cast<uint32_t>(d.within(-2, 2));
  return x ^ (s == Style::far && d.below(2) == 1 ? 0x80000000u : 0u);
}

// Numbers about those that lie between two of fp16.
uint32_t draw_narrow_f32(Draw& d, Style s) {
  if (s == Style::special || s == Style::raw) return draw_f32(d, s);
  const uint32_t half = draw_half(d, Kind::f16, s == Style::near ? Style::near : Style::raw);
  const float value = static_cast<float>(value_of_half(Kind::f16, half));
  if (!std::isfinite(value)) return std::bit_cast<uint32_t>(value);
  const float next =
      static_cast<float>(value_of_half(Kind::f16, (half & 0x7fffu) == 0x7bffu ? half : half + 1));
  const float middle = value + (next - value) / 2;
  return std::bit_cast<uint32_t>(middle) + static_cast<uint32_t>(d.within(-1, 1));
}

uint32_t draw_operand(Draw& d, Kind k, Style s, double near, uint64_t item) {
  if (packed(k) || k == Kind::f16 || k == Kind::bf16) {
    const uint32_t low = draw_half(d, k, s, near);
    return draw_half(d, k, s, near) << 16 | low;
  }
  switch (k) {
    case Kind::f32:
      return draw_f32(d, s, near);
    case Kind::f32_narrow:
      return draw_narrow_f32(d, s);
    case Kind::f32_integer:
      return draw_integer_f32(d, s);
    case Kind::f32_unit:
      if (s == Style::special || s == Style::raw) return draw_f32(d, s);
      return put_f32(d, d.within(s == Style::wide ? -40 : -6, s == Style::far ? 9 : 0),
                     s == Style::few_bits ? 3 : 23);
    case Kind::f32_power:
      if (s == Style::special || s == Style::raw) return draw_f32(d, s);
      return put_f32(d, d.within(s == Style::wide ? -40 : -3, 7), s == Style::few_bits ? 5 : 23);
    case Kind::exponent:
      return static_cast<uint32_t>(d.within(-300, 300));
    case Kind::lane_bytes:
      return static_cast<uint32_t>(4 * ((item % 32 * 11 + 5 + 6 * (item / 32)) % 32));
    case Kind::none:
      return 0;
    default:  // words: mostly any bits, now and then small ones
      return s == Style::few_bits ? d.bits() >> d.within(0, 31) : d.bits();
  }
}

}  // namespace

Style matrix_style(uint64_t tile) {
  // The first two are kept bit for bit: integers without a rounding, then numbers about 1.
  constexpr std::array kStyles{Style::few_bits, Style::near, Style::cancel,  Style::far,
                               Style::raw,      Style::wide, Style::special, Style::mixed};
  return kStyles[tile % kStyles.size()];
}

double value_of_half(Kind k, uint32_t half) {
  if (is_bf16(k)) return std::bit_cast<float>(half << 16);
  return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
}

uint32_t draw_half(Draw& d, Kind k, Style s, double near) {
  const bool wide_type = is_bf16(k);
  switch (s) {
    case Style::special:
      return wide_type ? special_of(d, kSpecialBf16) : special_of(d, kSpecialF16);
    case Style::raw:
      return d.bits() & 0xffffu;
    case Style::mixed:
      if (d.below(3) == 0) return draw_half(d, k, Style::special);
      return put_half(d, k, d.within(-3, 3));
    case Style::cancel:
      if (near != 0) return (half_of(k, -near) + static_cast<uint32_t>(d.below(3))) & 0xffffu;
      return put_half(d, k, d.within(-2, 2));
    case Style::far:
      if (near != 0) return put_half(d, k, exponent_of(near) + d.within(-14, 14));
      return put_half(d, k, d.within(-4, 4));
    case Style::few_bits:
      return d.below(8) == 0 ? (d.bits() & 0x8000u) : put_half(d, k, d.within(0, 3), 2);
    case Style::wide:
      return put_half(d, k, wide_type ? d.within(-127, 60) : d.within(-15, 15));
    case Style::near:
      break;
  }
  return put_half(d, k, d.within(-4, 4));
}

uint32_t draw_f32(Draw& d, Style s, double near) {
  switch (s) {
    case Style::special:
      return special_of(d, kSpecialF32);
    case Style::raw:
      return d.bits();
    case Style::mixed:
      if (d.below(3) == 0) return special_of(d, kSpecialF32);
      return put_f32(d, d.within(-3, 3));
    case Style::cancel:
      if (near != 0) {
        return std::bit_cast<uint32_t>(static_cast<float>(-near)) +
               static_cast<uint32_t>(d.within(-2, 2));
      }
      return put_f32(d, d.within(-2, 2));
    case Style::far:
      if (near != 0) return put_f32(d, exponent_of(near) + d.within(-32, 32));
      return put_f32(d, d.within(-30, 30));
    case Style::few_bits:
      return d.below(8) == 0 ? (d.bits() & 0x80000000u) : put_f32(d, d.within(0, 6), 3);
    case Style::wide:
      return put_f32(d, d.within(-140, 127));
    case Style::near:
      break;
  }
  return put_f32(d, d.within(-4, 4));
}

Triple draw_triple(const Probe& p, uint64_t item) {
  if (p.instruction.starts_with("v_dot2") && p.c == Kind::f32 && item < std::size(kDotF16))
    return p.a == Kind::f16x2 ? kDotF16[item] : kDotBf16[item];
  const Style s = style_of(item);
  Draw d(p.name, item, 0);
  Triple t{};
  t.a = draw_operand(d, p.a, s, 0, item);
  t.b = draw_operand(d, p.b, s, 0, item);
  // Sums of two numbers cancel in the second.
  const bool sum = p.instruction.find("add_f") != std::string_view::npos ||
                   p.instruction.find("sub_f") != std::string_view::npos;
  if (sum && s == Style::cancel && p.a == Kind::f32)
    t.b = draw_f32(d, s, double{std::bit_cast<float>(t.a)});
  const double near = s == Style::cancel || s == Style::far ? product_of(p, t.a, t.b) : 0;
  t.c = draw_operand(d, p.c, s, std::isfinite(near) ? near : 0, item);
  return t;
}

}  // namespace w4::capture
