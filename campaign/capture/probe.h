// What the capture kit asks of a GPU: the table of its probes. A probe is a kernel (probes.hip)
// that runs one instruction on operands which the program makes again from their numbers
// (operands.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace w4::capture {

// What the bits of an operand or a result are: how operands are drawn, how results are compared.
enum class Kind : uint8_t {
  none,
  word,
  f32,
  f32_narrow,   // operands: about the numbers between those of fp16
  f32_integer,  // operands: about integers, halves and the ends of the integer types
  f32_unit,     // operands: small numbers
  f32_power,    // operands: what 2^x can be asked of
  f16,          // the low half; the high half is compared as it is
  f16x2,
  bf16,
  bf16x2,
  exponent,
  lane_bytes,  // operands: 4 times a lane, each lane once
  lanes,       // results: words that depend on the whole wave
  f32_lanes,   // the same of numbers
  f32_ulp,     // results: documents allow one unit in the last place
  f16_ulp,
};

enum class Families : uint8_t { both, gfx11, gfx12 };

struct Probe {
  std::string_view name;  // of the kernel, too
  Families families;
  std::string_view instruction;  // a row of rdna/table.h
  std::string_view form;         // modifiers, mode; empty: plain
  Kind a, b, c, result;
  bool matrix = false;
  // Matrices: registers of A and of B on gfx11 and gfx12, of C and D on gfx12 (8 on gfx11).
  int a11 = 0, a12 = 0, c12 = 0;

  bool on(int family) const {
    return families == Families::both || (families == Families::gfx11) == (family == 11);
  }
  int registers_in(int family) const { return family == 11 ? a11 : a12; }
  int registers_out(int family) const { return !matrix ? 1 : family == 11 ? 8 : c12; }
  bool wave_wide() const { return result == Kind::lanes || result == Kind::f32_lanes; }
  bool within_ulp() const { return result == Kind::f32_ulp || result == Kind::f16_ulp; }
};

std::span<const Probe> probes();
const Probe* find_probe(std::string_view name);

// "v_dot2_f32_f16 (clamp)".
std::string title(const Probe& p);

// NaNs of one kind are one: what payload a result has nothing here models.
uint32_t canonical(Kind result, uint32_t word);
// Whether two results count as one: but for NaNs the same bits.
bool same_result(Kind result, uint32_t x, uint32_t y);
// Whether they lie at most one unit in the last place apart.
bool within_one_ulp(Kind result, uint32_t x, uint32_t y);

// "0x3f800000 (1)", both halves of a packed word.
std::string show(Kind kind, uint32_t word);

// The code object of the probes for an arch; empty: there is none.
std::span<const std::byte> probe_object(std::string_view arch);

}  // namespace w4::capture
