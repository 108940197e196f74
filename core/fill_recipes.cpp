#include "core/fill_recipes.h"

#include <algorithm>
#include <array>

#include "core/fill.h"

namespace w4::recipes {

// --- integer: |act| = 1 at few places of k, so that every sum is exact by construction.
// [0,16), [16,32), [32,64), ... [2^16,2^17) are 14 blocks; act is 0 beyond 2^17. Each block holds
// exactly 4 nonzeros in fp16 (one per quarter) and 1 in bf16, wherever the row ends, so that
//   fp16: |y| <= 14*4 * |q-z| 15 * s 2 + |bias| 368 = 2048
//   bf16: |y| <= 14*1 * |q-z|  7 * s 2 + |bias|  60 =  256   (q and z within 4..11)
// and every integer of that size is representable: no order of summation rounds, no store ties.
constexpr int64_t kIntegerEnd = int64_t{1} << 17;

struct Block {
  int64_t index, begin, size;
};
static Block block_of(int64_t k) {
  if (k < 32) return {k / 16, k / 16 * 16, 16};
  const int64_t width = std::bit_width(static_cast<uint64_t>(k));
  return {width - 4, int64_t{1} << (width - 1), int64_t{1} << (width - 1)};
}

double integer_act(uint64_t seed, DType act, int64_t m, int64_t k) {
  if (k < 0 || k >= kIntegerEnd) return 0;
  const Block b = block_of(k);
  const int64_t parts = act == DType::f16 ? 4 : 1;
  const int64_t size = b.size / parts;
  const int64_t part = (k - b.begin) / size;
  const uint64_t place = counter_bits(seed, kPlace, m, b.index * parts + part);
  if (b.begin + part * size + below(place, size) != k) return 0;
  return (counter_bits(seed, kAct, m, k) & 1) != 0 ? -1 : 1;
}

// --- onehot and special: one place in [0,K), uniform, that stays where it is when K shrinks to
// anything above it: k is taken with probability 1/(k+1), and the last one taken below K counts.
static bool taken(uint64_t seed, int64_t m, int64_t k) {
  return k == 0 || below(counter_bits(seed, kPlace, m, k), k + 1) == 0;
}
bool is_chosen(uint64_t seed, int64_t m, int64_t k, int64_t end) {
  if (k < 0 || k >= end || !taken(seed, m, k)) return false;
  for (int64_t later = k + 1; later < end; ++later) {
    if (taken(seed, m, later)) return false;
  }
  return true;
}

// --- lane: the decode kernels give k to lane (k div 16) mod 32 of a step of 512. Every output is a
// sum of distinct powers of two up to 255, each from one lane:
//   bit 0        lane 0 of step 0, in every row (so that no output is 0)
//   bits 1..4    lanes 4*(n mod 8) .. +3 of step 0
//   bits 5..7    lanes 3*((n div 8) mod 11) .. +2 of one later step, in the octave of steps
//                [2^(j-1), 2^j) with j = 1 + (n div 88 + something of the seed) mod 7
// One k of the 16 of a lane is nonzero. Odd rows of act are negative.
constexpr int64_t kLaneSteps = 128;

struct LanePlace {
  int64_t step, lane, octave;  // octave 0: step 0
  bool base, main;             // the k of bit 0; the k that carries the lane's bit
};
static LanePlace lane_place(uint64_t seed, int64_t k) {
  const int64_t step = k / 512;
  const int64_t lane = k / 16 % 32;
  const int64_t oct = std::bit_width(static_cast<uint64_t>(step));
  const int64_t at = below(counter_bits(seed, kPlace, step, lane), 16);
  bool shown = step == 0;
  if (step > 0 && step < kLaneSteps) {
    const int64_t first = int64_t{1} << (oct - 1);
    shown = first + below(counter_bits(seed, kPlace, -1, oct), first) == step;
  }
  return {.step = step,
          .lane = lane,
          .octave = oct,
          .base = k < 16 && k == (at + 1) % 16,
          .main = shown && k % 16 == at};
}

double lane_act(uint64_t seed, int64_t m, int64_t k) {
  if (k < 0) return 0;
  const LanePlace p = lane_place(seed, k);
  double v = 0;
  if (p.base) v = 1;
  if (p.main) v = power_of_two(p.step == 0 ? 1 + p.lane % 4 : 5 + p.lane % 3);
  return m % 2 != 0 && v != 0 ? -v : v;
}

// 8 + 1 where row n shows this k, 8 (nothing) elsewhere.
uint8_t lane_code(uint64_t seed, int64_t n, int64_t k) {
  if (k < 0) return 8;
  const LanePlace p = lane_place(seed, k);
  if (p.base) return 9;
  if (!p.main) return 8;
  if (p.step == 0) return p.lane / 4 == n % 8 ? 9 : 8;
  const int64_t turn = below(counter_bits(seed, kRow, -1, -1), 7);
  return p.lane / 3 == n / 8 % 11 && p.octave == 1 + (n / 88 + turn) % 7 ? 9 : 8;
}

// --- cancel: act of a pair is v and -v. Pairs are neighbours, or the same place of two
// neighbouring lanes; both lie within 32, so in one group of any legal G.
Pair pair_of(uint64_t seed, int64_t k) {
  const bool neighbours = (counter_bits(seed, kPair, 0, k / 32) & 1) != 0;
  const int64_t partner = k ^ (neighbours ? 1 : 16);
  return {std::min(k, partner), partner < k};
}

// sigma 2^-6; one channel and one element in a thousand is 16 to 1000 times larger.
double normal_act(uint64_t seed, int64_t m, int64_t k) {
  constexpr std::array<int64_t, 4> kFactor{16, 64, 250, 1000};
  const uint64_t bits = counter_bits(seed, kAct, m, k);
  const uint64_t channel = counter_bits(seed, kChannel, 0, k);
  const uint64_t outlier = (channel & 1023) == 0 ? channel >> 10 : bits >> 30;
  int64_t factor = 1;
  if ((channel & 1023) == 0 || (bits >> 20 & 1023) == 0) factor = kFactor[outlier & 3];
  return static_cast<double>(gauss(bits) * factor) * 0x1p-18;
}

// Ends of the number range. bf16 stops at 2^110: above it the offset form of the decode kernels
// may overflow by declaration (oracles.md 3), and nothing would be compared. One row in four has
// small numbers alone: beside large ones they are less than what rounding hides.
double extreme_act(DType act, uint64_t row, uint64_t bits) {
  constexpr std::array<double, 8> kF16{65504, 32768, 0x1p-14, 0x1p-24, 0x3FFp-24, 1, 0, 0.25};
  constexpr std::array<double, 8> kBf16{0x1p110,   0x1.FEp109, 0x1p-126, 0x1p-133,
                                        0x7Fp-133, 1,          0,        0x1p64};
  constexpr std::array<double, 8> kSmallF16{0x1p-14,   0x1p-24,  0x3FFp-24, 0x155p-24,
                                            0x2AAp-24, 0x33p-24, 0,         0x7p-24};
  constexpr std::array<double, 8> kSmallBf16{0x1p-60, 0x1.FEp-61, 0x1p-80, 0x1.02p-62,
                                             0x1p-64, 0x1.54p-60, 0,       0x1p-100};
  const bool half = act == DType::f16, small = (row & 3) == 3;
  const double v = (small ? half ? kSmallF16 : kSmallBf16 : half ? kF16 : kBf16)[bits & 7];
  return (bits & 8) != 0 ? -v : v;
}

// By weight row: zero, smallest and other subnormals, the smallest normal; one row in eight has
// ordinary scales, where fp16 outputs overflow.
double extreme_scale(DType act, uint64_t row, uint64_t bits) {
  const bool half = act == DType::f16;
  const double smallest = half ? 0x1p-24 : 0x1p-133;
  const auto subnormals = static_cast<double>(half ? 1 + bits % 1023 : 1 + bits % 127);
  switch (row & 7) {
    case 0:
      return 0;
    case 1:
    case 2:
      return smallest;
    case 3:
    case 4:
      return smallest * subnormals;
    case 5:
    case 6:
      return half ? 0x1p-14 : 0x1p-126;
    default:
      return half ? 1 : 0x1p-20;
  }
}

enum class Special : uint8_t { nan, plus_inf, minus_inf, minus_zeros };
static Special special_of(uint64_t seed, int64_t m) {
  return static_cast<Special>(counter_bits(seed, kRow, m, 0) & 3);
}

uint16_t special_act(uint64_t seed, DType act, int64_t m, int64_t k, int64_t end) {
  const uint64_t bits = counter_bits(seed, kAct, m, k);
  const uint16_t inf = act == DType::f16 ? 0x7C00 : 0x7F80;
  const Special kind = special_of(seed, m);
  if (kind == Special::minus_zeros) {
    if ((bits >> 20 & 7) == 0) return 0x8000;
  } else if (is_chosen(seed, m, k, end)) {
    switch (kind) {
      case Special::nan:
        return static_cast<uint16_t>(inf | (act == DType::f16 ? 0x200 : 0x40));
      case Special::plus_inf:
        return inf;
      default:
        return static_cast<uint16_t>(inf | 0x8000);
    }
  }
  return from_f64(act, flat_act(bits));
}

// Eight different values inside each octet of N (a wrong nibble order shows), `count` a power of
// two of values overall.
uint8_t octet_zero(uint64_t seed, int64_t n, int64_t g, int64_t count) {
  const uint64_t bits = counter_bits(seed, kZero, n / 8, g);
  const auto first = static_cast<int64_t>(bits & 15);
  const auto step = static_cast<int64_t>(bits >> 3 & 14) | 1;
  return static_cast<uint8_t>((first + step * (n % 8)) & (count - 1));
}

// Whether a column is the one of its octet that gets a bias 100 times larger.
bool is_loud(uint64_t seed, int64_t col) {
  return below(counter_bits(seed, kBias, -1, col / 8), 8) == col % 8;
}

// Different over any `range` neighbouring columns: 29 is prime to every range used.
int64_t column_value(uint64_t seed, int64_t row, int64_t col, int64_t range) {
  const int64_t turn = below(counter_bits(seed, kBias, row, -1), range);
  return (col % range * 29 + turn) % range;
}

double flat_bias(uint64_t seed, int64_t row, int64_t col) {
  const uint64_t bits = counter_bits(seed, kBias, row, col);
  const double v = static_cast<double>(64 + column_value(seed, row, col, 64)) * 0x1p-6;
  const double loud = is_loud(seed, col) ? power_of_two(6 + below(bits >> 1, 3)) : 1;
  return (bits & 1) != 0 ? -v * loud : v * loud;
}

}  // namespace w4::recipes
