// What numbers a kernel makes of codes, zero points and their absence: tables of 16 values, read
// off outputs with one activation of 1 and scales of 1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"
#include "verify/probe/rig.h"

namespace w4::probe {

// Output for each of 16 values written everywhere; nullopt where outputs differ among themselves.
using Table = std::array<std::optional<double>, 16>;

enum class Encoding : uint8_t { none, packed, unpacked, carrier, neither };
std::string_view name_of(Encoding e);

struct Values {
  Table codes;             // of weight codes 0..15, zero points zero
  Table packed, unpacked;  // of zero points written as nibbles, as numbers; weights 0
  Encoding encoding = Encoding::none;
  std::optional<int> offset;  // z = what is stored + offset; encoding none: z
  bool wraps = false;         // modulo 16
  bool scaled = true;         // scales are read at all
};

// On input: a fresh rig. Leaves scales 1, weights and zero points 0.
Result<Values> values_of(Rig& rig);

// Code whose output is `value` while zero points are zero; nullopt: there is none.
std::optional<unsigned> code_for(const Values& v, double value);
std::string codes_text(const Values& v);  // "0 to 15", or the table
std::string zero_text(const Values& v);   // "z as stored", "z + 1", "8", or the table

// Writes 1 into every scale, or into the scale half of every carrier word.
void unit_scales(Rig& rig);

}  // namespace w4::probe
