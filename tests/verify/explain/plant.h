// Faults planted for `explain`: a module around the built-in one, whose kernels do one thing wrong
// in preparation, in the call's descriptors, or by calling in pieces. The plants work on tensors as
// memory; they share nothing with what the hypotheses predict from.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "kernels/module.h"

namespace w4::test {

// Prepared tensors as rows of codes, scales and zero points, with the nibble order of contract.md
// written out.
class Tensors {
 public:
  explicit Tensors(w4_prepared& p, int64_t g);
  int64_t rows, k, g, groups, stride;  // rows of all experts; stride of scales, in elements
  int64_t each;                        // rows of one expert

  uint32_t code(int64_t r, int64_t c) const;
  void set_code(int64_t r, int64_t c, uint32_t q);
  uint16_t scale(int64_t flat) const;  // element `flat` of the tensor, pads included
  void set_scale(int64_t r, int64_t c, uint16_t bits);
  bool has_zeros() const { return zp_ != nullptr; }
  bool packed() const { return packed_; }
  // Zero point of row r where its table row (8 rows share one where packed) starts at `flat`.
  uint32_t zero(int64_t r, int64_t flat) const;
  void set_zero(int64_t r, int64_t c, uint32_t z);
  void set_zero_bits(int64_t r, int64_t c, uint16_t bits);  // of a zero point that is a number
  uint32_t zero_of(int64_t r, int64_t c) const { return zero(r, table_row(r) * stride + c); }
  int64_t table_row(int64_t r) const { return packed_ ? r / 8 : r; }
  // The code whose product vanishes.
  uint32_t nothing(int64_t r, int64_t c) const { return zp_ ? zero_of(r, c / g) : 8; }

 private:
  uint8_t* wei_;
  uint16_t* scale_;
  void* zp_;
  int64_t wei_stride_;
  bool packed_, half_;
};

using Prepare = std::function<void(Tensors& t)>;
// Runs the built-in kernel, in one call or in several.
using RunInner = std::function<int(const w4_call& call)>;
using RunPlant = std::function<int(const w4_call& call, const RunInner& inner)>;

struct Plant {
  std::string name;
  std::string hypothesis;          // that explain must name; empty: none fits
  std::vector<std::string> lines;  // where the fault shows; without module=
  Prepare prepare{};
  RunPlant run{};
  std::vector<std::string> pattern{};  // where none fits: what the description has to say
};

inline void PrintTo(const Plant& p, std::ostream* out) { *out << p.name; }

std::span<const Plant> plants_of_weights();  // in preparation
std::span<const Plant> plants_of_calls();    // in the call

// A module "planted" with every built-in kernel; lives as long as the program.
const w4_module& planted_module(const Plant& plant);

}  // namespace w4::test
