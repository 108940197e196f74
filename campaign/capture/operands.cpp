#include "campaign/capture/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "campaign/capture/draw.h"
#include "core/hash.h"

namespace w4::capture {
namespace {

constexpr int kSide = 16;

bool of_half(Kind k) { return k == Kind::f16x2 || k == Kind::bf16x2; }

// Operands of a tile as matrices: A by rows, B by columns, C; elements as bits.
struct Tile {
  std::array<std::array<uint32_t, kSide>, kSide> a{}, b{};
};

// Elements of A and B, and, by style, what C is drawn about.
Tile draw_tile(const Probe& p, uint64_t tile) {
  Tile t;
  const int bits = bits_of_input(p);
  for (int line = 0; line < kSide; ++line) {
    for (int k = 0; k < kSide; ++k) {
      Draw da(p.name, tile, static_cast<uint64_t>(line * kSide + k));
      Draw db(p.name, tile, static_cast<uint64_t>(256 + line * kSide + k));
      const auto l = static_cast<size_t>(line), i = static_cast<size_t>(k);
      if (bits < 16) {
        t.a[l][i] = da.bits() & ((1u << bits) - 1), t.b[l][i] = db.bits() & ((1u << bits) - 1);
      } else {
        const Style s = matrix_style(tile);
        t.a[l][i] = draw_half(da, p.a, s), t.b[l][i] = draw_half(db, p.b, s);
      }
    }
  }
  return t;
}

double product_sum(const Probe& p, const Tile& t, Element e) {
  double sum = 0;
  for (size_t k = 0; k < kSide; ++k) {
    sum += value_of_half(p.a, t.a[static_cast<size_t>(e.row)][k]) *
           value_of_half(p.b, t.b[static_cast<size_t>(e.column)][k]);
  }
  return sum;
}

uint32_t draw_sum(const Probe& p, const Tile& t, uint64_t tile, Element e, int half) {
  Draw d(p.name, tile, static_cast<uint64_t>(512 + (half * kSide + e.row) * kSide + e.column));
  if (bits_of_input(p) < 16) {
    // Near the ends of the range, so that clamping shows.
    const uint32_t x = d.bits();
    return tile % 2 == 0 ? static_cast<uint32_t>(static_cast<int32_t>(x) >> 12)
                         : (x & 1 ? 0x7fffffffu : 0x80000000u) ^ (x >> 20);
  }
  const double near = product_sum(p, t, e);
  if (p.c == Kind::f32) return draw_f32(d, matrix_style(tile), near);
  return draw_half(d, p.c, matrix_style(tile), near);
}

void put_inputs(const Probe& p, int family, const Tile& t, size_t tile, Operands& out) {
  const auto registers = static_cast<size_t>(p.registers_in(family));
  const int bits = bits_of_input(p);
  const uint32_t mask = bits == 16 ? 0xffffu : (1u << bits) - 1;
  for (int line = 0; line < kSide; ++line) {
    for (int k = 0; k < kSide; ++k) {
      const Place at = place_of(p, family, line, k);
      const auto l = static_cast<size_t>(line), i = static_cast<size_t>(k);
      const size_t word =
          (tile * registers + static_cast<size_t>(at.reg)) * 32 + static_cast<size_t>(at.lane);
      // gfx11 has every row and column in both halves of the wave.
      for (size_t copy = 0; copy < (family == 11 ? 2u : 1u); ++copy) {
        out.a[word + 16 * copy] |= (t.a[l][i] & mask) << at.shift;
        out.b[word + 16 * copy] |= (t.b[l][i] & mask) << at.shift;
      }
    }
  }
}

Operands matrix_operands(const Probe& p, int family, size_t words) {
  const auto out_registers = static_cast<size_t>(p.registers_out(family));
  const auto in_registers = static_cast<size_t>(p.registers_in(family));
  const size_t tiles = words / (out_registers * 32);
  Operands out;
  out.a.resize(tiles * in_registers * 32), out.b.resize(out.a.size()), out.c.resize(words);
  for (size_t tile = 0; tile < tiles; ++tile) {
    const Tile t = draw_tile(p, tile);
    put_inputs(p, family, t, tile, out);
    for (size_t r = 0; r < out_registers; ++r) {
      for (size_t lane = 0; lane < 32; ++lane) {
        uint32_t& c = out.c[(tile * out_registers + r) * 32 + lane];
        for (int half = 0; half < (of_half(p.c) ? 2 : 1); ++half) {
          const Element e =
              element_of(p, family, static_cast<int>(r), static_cast<int>(lane), half);
          c |= draw_sum(p, t, tile, e, family == 11 ? half : 0) << (16 * half);
        }
      }
    }
  }
  return out;
}

std::string line_of(const Probe& p, int family, std::span<const uint32_t> words, size_t tile,
                    int line) {
  std::string out;
  const auto registers = static_cast<size_t>(p.registers_in(family));
  const int bits = bits_of_input(p);
  for (int k = 0; k < kSide; ++k) {
    const Place at = place_of(p, family, line, k);
    const uint32_t word =
        words[(tile * registers + static_cast<size_t>(at.reg)) * 32 + static_cast<size_t>(at.lane)];
    const uint32_t element = word >> at.shift & (bits == 16 ? 0xffffu : (1u << bits) - 1);
    out += fmt::format("{}{:0{}x}", k == 0 ? "" : " ", element, bits / 4);
  }
  return out;
}

}  // namespace

uint64_t Operands::hash() const {
  uint64_t h = 0;
  for (const auto* words : {&a, &b, &c})
    for (const uint32_t w : *words) h = mixed(h, w);
  return h;
}

int bits_of_input(const Probe& p) {
  if (p.a != Kind::word) return 16;
  return p.a11 == 4 ? 8 : 4;
}

Extent extent_of(const Probe& p, int family, bool quick) {
  if (p.matrix) {
    const auto tile = static_cast<size_t>(p.registers_out(family)) * 32;
    return {2 * tile, (quick ? 4 : 24) * tile};
  }
  if (p.wave_wide()) return {64, 64};
  if (p.within_ulp()) return {256, 256};
  const bool dot = p.instruction.starts_with("v_dot2");
  return {dot ? 256u : 128u, quick ? 256u : dot ? 2048u : 640u};
}

Element element_of(const Probe& p, int family, int reg, int lane, int half) {
  const int column = lane % 16, upper = lane / 16;
  if (family == 11) return {2 * reg + upper, column};
  return {(of_half(p.c) ? 2 * reg + half : reg) + 8 * upper, column};
}

Place place_of(const Probe& p, int family, int line, int k) {
  const int bits = bits_of_input(p), each = 32 / bits;
  if (family == 11) return {k / each, line, k % each * bits};
  const int i = k % 8;
  return {i / each, line + 16 * (k / 8), i % each * bits};
}

Operands make_operands(const Probe& p, int family, size_t words) {
  if (p.matrix) return matrix_operands(p, family, words);
  Operands out;
  out.a.resize(words), out.b.resize(words), out.c.resize(words);
  for (size_t i = 0; i < words; ++i) {
    const Triple t = draw_triple(p, i);
    out.a[i] = t.a, out.b[i] = t.b, out.c[i] = t.c;
  }
  return out;
}

std::string describe(const Probe& p, int family, const Operands& operands, size_t word) {
  if (!p.matrix) {
    std::string out;
    const auto add = [&](const char* name, Kind k, uint32_t bits) {
      if (k != Kind::none)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, show(k, bits));
    };
    add("a", p.a, operands.a[word]), add("b", p.b, operands.b[word]);
    add("c", p.c, operands.c[word]);
    if (p.wave_wide()) out += fmt::format(" in lane {} of wave {}", word % 32, word / 32);
    return out;
  }
  const auto tile_words = static_cast<size_t>(p.registers_out(family)) * 32;
  const size_t tile = word / tile_words;
  const int reg = static_cast<int>(word % tile_words / 32), lane = static_cast<int>(word % 32);
  const Element e = element_of(p, family, reg, lane, 0);
  return fmt::format(
      "tile {}, D of row {}, column {} (register {}, lane {}): A {{{}}}, B {{{}}}, C {}", tile,
      e.row, e.column, reg, lane, line_of(p, family, operands.a, tile, e.row),
      line_of(p, family, operands.b, tile, e.column), show(p.c, operands.c[word]));
}

}  // namespace w4::capture
