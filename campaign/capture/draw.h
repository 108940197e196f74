// Numbers for operands: a pure function of probe, item and place, the same in ten years; kOperands
// (document.h) counts the versions of it.
#pragma once

#include <cstdint>
#include <string_view>

#include "campaign/capture/probe.h"
#include "core/fill.h"
#include "core/hash.h"

namespace w4::capture {

class Draw {
 public:
  Draw(std::string_view probe, uint64_t item, uint64_t place)
      : stream_(hash_of(probe)), item_(item), place_(place << 8) {}
  uint64_t bits64() {
    return counter_bits(stream_, 0x63617074, static_cast<int64_t>(item_),
                        static_cast<int64_t>(place_++));
  }
  uint32_t bits() { return static_cast<uint32_t>(bits64() >> 32); }
  int below(int n) { return static_cast<int>(bits64() >> 33) % n; }
  int within(int from, int to) { return from + below(to - from + 1); }  // both included

 private:
  uint64_t stream_, item_, place_;
};

// How the operands of an item are related.
enum class Style : uint8_t {
  special,   // zeros, ends of ranges, subnormals, infinities, NaNs
  raw,       // any bits
  near,      // about 1
  cancel,    // the third is about minus what the others give
  far,       // the third is far above or below it
  few_bits,  // integers and short mantissas: ties
  mixed,     // one special, the others about 1
  wide,      // any exponent
};

Style matrix_style(uint64_t tile);

// A 16-bit element (f16x2, bf16x2, f16, bf16); `near`: for cancel and far.
uint32_t draw_half(Draw& d, Kind k, Style s, double near = 0);
// Bits of an fp32 number, of any of the kinds f32*.
uint32_t draw_f32(Draw& d, Style s, double near = 0);
double value_of_half(Kind k, uint32_t half);

struct Triple {
  uint32_t a, b, c;
};
Triple draw_triple(const Probe& p, uint64_t item);

}  // namespace w4::capture
