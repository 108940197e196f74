#include "verify/probe/codes.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace w4::probe {
namespace {

constexpr int64_t kBits = 8;  // products of one output

void clear_act(Rig& rig) { fill_halves(rig.bytes(Tensor::act), 0); }

void set_act(Rig& rig, int64_t m, int64_t k, double value) {
  const int64_t stride = rig.desc(Tensor::act)->stride[0];
  set_half(rig.bytes(Tensor::act), static_cast<size_t>(m * stride + k),
           from_f64(rig.line().problem.act, value));
}

// Rows m hold the eight k from base + 8*m.
void coded_rows(Rig& rig, int64_t base) {
  clear_act(rig);
  for (int64_t m = 0; m < rig.m(); ++m) {
    for (int64_t j = 0; j < kBits && base + kBits * m + j < rig.k(); ++j) {
      set_act(rig, m, base + kBits * m + j, std::ldexp(1.0, static_cast<int>(j)));
    }
  }
}

Result<unsigned> bits_of(double value, int unit, unsigned most) {
  const double v = value * unit;
  if (v >= 0 && v <= most && v == std::floor(v)) return static_cast<unsigned>(v);
  return fail("an output is {}; legal: {} times 0 to {}", value, unit, most);
}

// Numbers start at 1: 0 is what an element that was not numbered looks like.
void write_plane(size_t elements, const Write& write, int plane) {
  for (size_t i = 0; i < elements; ++i) write(i, ((i + 1) >> plane & 1u) != 0);
}

int planes_of(size_t elements) { return std::bit_width(elements); }

}  // namespace

void set_nibble(std::span<std::byte> bytes, size_t nibble, unsigned code) {
  std::byte& b = bytes[nibble / 2];
  const unsigned shift = nibble % 2 * 4;
  b = static_cast<std::byte>((static_cast<unsigned>(b) & ~(15u << shift)) | (code & 15u) << shift);
}

void set_half(std::span<std::byte> bytes, size_t element, uint16_t bits) {
  std::memcpy(bytes.data() + 2 * element, &bits, 2);
}

void fill_nibbles(std::span<std::byte> bytes, unsigned code) {
  for (std::byte& b : bytes) b = static_cast<std::byte>((code & 15u) * 0x11u);
}

void fill_halves(std::span<std::byte> bytes, uint16_t bits) {
  for (size_t i = 0; i < bytes.size() / 2; ++i) set_half(bytes, i, bits);
}

void one_hot_rows(Rig& rig) {
  clear_act(rig);
  const int64_t step = std::max<int64_t>(rig.k() / rig.m(), 1);
  for (int64_t m = 0; m < rig.m(); ++m) set_act(rig, m, m * step % rig.k(), 1.0);
}

Result<Map> products(Rig& rig, size_t elements, const Write& write, int unit) {
  Map map{rig.n(), rig.k(), std::vector<int64_t>(static_cast<size_t>(rig.n() * rig.k()))};
  for (int plane = 0; plane < planes_of(elements); ++plane) {
    write_plane(elements, write, plane);
    for (int64_t base = 0; base < rig.k(); base += kBits * rig.m()) {
      coded_rows(rig, base);
      const auto out = rig.run();
      if (!out) return std::unexpected(out.error());
      for (int64_t m = 0; m < rig.m(); ++m) {
        for (int64_t n = 0; n < rig.n(); ++n) {
          const int64_t first = base + kBits * m;
          const auto bits = bits_of((*out)[static_cast<size_t>(m * rig.n() + n)], unit, 255);
          if (!bits) return fail("{} (out[{},{}], k from {})", bits.error().text, m, n, first);
          for (int64_t j = 0; j < kBits && first + j < rig.k(); ++j) {
            map.of[static_cast<size_t>(n * rig.k() + first + j)] |=
                static_cast<int64_t>(*bits >> j & 1u) << plane;
          }
        }
      }
    }
  }
  for (int64_t& i : map.of) --i;
  return map;
}

Result<Map> additions(Rig& rig, size_t elements, const Write& write) {
  Map map{rig.m(), rig.n(), std::vector<int64_t>(static_cast<size_t>(rig.m() * rig.n()))};
  clear_act(rig);
  for (int plane = 0; plane < planes_of(elements); ++plane) {
    write_plane(elements, write, plane);
    const auto out = rig.run();
    if (!out) return std::unexpected(out.error());
    for (size_t i = 0; i < map.of.size(); ++i) {
      const auto bit = bits_of((*out)[i], 1, 1);
      if (!bit) return fail("{} (out[{},{}])", bit.error().text, i / map.cols, i % map.cols);
      map.of[i] |= static_cast<int64_t>(*bit) << plane;
    }
  }
  for (int64_t& i : map.of) --i;
  return map;
}

}  // namespace w4::probe
