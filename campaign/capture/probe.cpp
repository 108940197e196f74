#include "campaign/capture/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace w4::capture {
namespace {

constexpr Probe kProbes[] = {
#define ON(families, kernel, instruction, form, A, B, C, RESULT, text) \
  Probe{#kernel, Families::families, instruction, form, Kind::A, Kind::B, Kind::C, Kind::RESULT},
#include "campaign/capture/scalar_probes.inc"
#undef ON
#define ON(families, kernel, instruction, form, INPUTS, SUMS, A11, A12, C12, text)     \
  Probe{#kernel,    Families::families, instruction, form, Kind::INPUTS, Kind::INPUTS, \
        Kind::SUMS, Kind::SUMS,         true,        A11,  A12,          C12},
#include "campaign/capture/matrix_probes.inc"
#undef ON
};

bool nan_f32(uint32_t x) { return (x & 0x7fffffffu) > 0x7f800000u; }
uint32_t one_nan_f16(uint32_t half) { return (half & 0x7fffu) > 0x7c00u ? 0x7e00u : half; }
uint32_t one_nan_bf16(uint32_t half) { return (half & 0x7fffu) > 0x7f80u ? 0x7fc0u : half; }

// Places of numbers on a line where neighbours lie one apart.
int64_t place(uint32_t magnitude, bool negative) {
  return negative ? -int64_t{magnitude} : int64_t{magnitude};
}

float f16_value(uint32_t half) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
}

}  // namespace

std::span<const Probe> probes() { return kProbes; }

const Probe* find_probe(std::string_view name) {
  const auto found = std::ranges::find(kProbes, name, &Probe::name);
  return found == std::end(kProbes) ? nullptr : found;
}

std::string title(const Probe& p) {
  return p.form.empty() ? std::string(p.instruction)
                        : fmt::format("{} ({})", p.instruction, p.form);
}

uint32_t canonical(Kind result, uint32_t word) {
  switch (result) {
    case Kind::f32:
    case Kind::f32_lanes:
    case Kind::f32_ulp:
      return nan_f32(word) ? 0x7fc00000u : word;
    case Kind::f16:
    case Kind::f16_ulp:
      return (word & 0xffff0000u) | one_nan_f16(word & 0xffffu);
    case Kind::f16x2:
      return one_nan_f16(word >> 16) << 16 | one_nan_f16(word & 0xffffu);
    case Kind::bf16:
      return (word & 0xffff0000u) | one_nan_bf16(word & 0xffffu);
    case Kind::bf16x2:
      return one_nan_bf16(word >> 16) << 16 | one_nan_bf16(word & 0xffffu);
    default:
      return word;
  }
}

bool same_result(Kind result, uint32_t x, uint32_t y) {
  return canonical(result, x) == canonical(result, y);
}

bool within_one_ulp(Kind result, uint32_t x, uint32_t y) {
  x = canonical(result, x), y = canonical(result, y);
  if (x == y) return true;
  if (result == Kind::f16_ulp) {
    if (x >> 16 != y >> 16) return false;
    x = (x & 0x8000u) << 16 | (x & 0x7fffu), y = (y & 0x8000u) << 16 | (y & 0x7fffu);
    if ((x & 0x7fffu) > 0x7c00u || (y & 0x7fffu) > 0x7c00u) return false;
  } else if (nan_f32(x) || nan_f32(y)) {
    return false;
  }
  const auto of = [](uint32_t v) { return place(v & 0x7fffffffu, v >> 31 != 0); };
  return std::abs(of(x) - of(y)) <= 1;
}

std::string show(Kind kind, uint32_t word) {
  const auto halves = [&](auto value) {
    return fmt::format("0x{:08x} ({:.9g}, {:.9g})", word, value(word & 0xffffu), value(word >> 16));
  };
  const auto bf16 = [](uint32_t half) { return std::bit_cast<float>(half << 16); };
  switch (kind) {
    case Kind::f32:
    case Kind::f32_narrow:
    case Kind::f32_integer:
    case Kind::f32_unit:
    case Kind::f32_power:
    case Kind::f32_lanes:
    case Kind::f32_ulp:
      return fmt::format("0x{:08x} ({:.9g})", word, std::bit_cast<float>(word));
    case Kind::f16:
    case Kind::f16_ulp:
      return fmt::format("0x{:08x} ({:.9g})", word, f16_value(word & 0xffffu));
    case Kind::bf16:
      return fmt::format("0x{:08x} ({:.9g})", word, bf16(word & 0xffffu));
    case Kind::f16x2:
      return halves(f16_value);
    case Kind::bf16x2:
      return halves(bf16);
    default:
      return fmt::format("0x{:08x}", word);
  }
}

}  // namespace w4::capture
