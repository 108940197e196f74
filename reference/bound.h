// B, what the order of accumulation leaves open of one output element: a sum of terms derived from
// the declared chain (oracles.md 2), each of which can say what it is.
//   n steps, A elements per chunk, J = A/2 dot2 per chunk, u = 2^-24, gamma_n = n u / (1 - n u)
//
//   ieee       random fills      min(gamma_n, 6 sqrt(n) u) S
//              structured fills  gamma_n S          (errors of equal addends share a sign)
//   offset     random fills      min((A+1) u T1, 6 u sqrt((A+1) T2)) + min(n2, 6 sqrt(n2)) u S
//              structured fills  (A+1) u T1 + n2 u S
//              T1, T2 = sum of t_c and of t_c^2 over the chunks, n2 = chunks per lane + 7,
//              t_c = |s| sum|a| ((128+q) + (128+z)), bounded with q <= 15: 3 % more than with the
//              codes, and then independent of them
//   gfx1151    gamma_(2 A) S + gamma_(n-J) S + 3 u F, deterministic only; with the offset trick
//              4 u Q + u T1 + n2 u S. One dot2 aligns its three terms to a grid of at most u L, L
//              its largest term; each lands within one unit of its value (cut off where it agrees
//              with the accumulator, one unit further from zero where it opposes), all three to the
//              same side in the worst case: 3 u L; rounding the sum to fp32 loses at most u of it.
//              L and the sum are at most the chunk's magnitude T: 4 u T per dot2, J of them:
//              2 A u T. With the offset trick the weights are nearly equal, and the growth of the
//              sum is known from the activations alone: Q takes for dot2 number j the 2j largest
//              |a| of the chunk, times |s| (143 + 128 + z). A subnormal operand counts with the
//              smallest normal exponent: F = f |w| |s| summed over subnormal activations,
//              f = 2^-14 (fp16) or 2^-126, |w| <= 15.
//              Where no scale comes between dot2 (A = 0, fp16 alone) the chunk is all of K, A = n,
//              and F counts subnormal weights too: f |a|.
//   gfx1201    the same with 4 units a dot2 for 3: two products, their sum and the accumulator are
//              each rounded down; 5 u T per dot2
//   cuda       the portable dot product rounds twice, each time to nearest: 2 u T per dot2, as
//              above with 1 unit, and no F
//   wmma       all fills         gamma_(rho n) S, its order and its rounding are not public: no
//              random walk is assumed. rho, roundings that a product stands for: 1 under ieee;
//              gfx1151 (steps of two products, 3 units, 4 u T) and gfx1201 (of four, 7 units, 8 u
//              T) 2, plus units u F, where F counts subnormal weights too: f |a|; cuda (a step of
//              16 products and the accumulator, each cut off on a grid of at most u L, as of
//              compute capability 9.0, and the sum cut off: 19 u T, taken as 32) 2. Where steps of
//              A products are declared to follow each other along K, also rho A u (R + S) (1 +
//              gamma_(rho n)), whichever is smaller: every sum inside step j is at most |P_j| +
//              T_j + E_j, P_j the exact sum before it, T_j the step's magnitude, E_j the error so
//              far; each of its rho A roundings loses u of that, so E_(j+1) <= E_j + rho A u
//              (|P_j| + T_j + E_j), and R = sum |P_j|, S = sum T_j. For data of both signs R is
//              far below its worst case K S/(2 A).
//   bf16       dot2 flushes fp32 denormals whatever the mode says: 2 x 2^-126 per dot2, times |s|
//              (times 1 + 143 with the offset trick, whose second sum is multiplied by 128 + z);
//              it reads subnormal activations as zero: sum |a| 15 |s| over them. fp16 has no
//              such term: its partial sums are multiples of 2^-24. Matrix instructions under
//              gfx1151 flush what enters and leaves a step by itself: sum |a| |w| over subnormal
//              weights (those of |s| < 2^-126), and 2^-126 for each of n/2 steps.
// and K 2^-53 S for the twin's own sum.
//
// B = 0 where no order of summation can round (integer, lane and one-hot fills under ieee, and
// of dot2 under gfx1201): with
// all activations of the row multiples of 2^x, and all scales of the channel of 2^y, every partial
// sum is a multiple of 2^x and every scaled one of 2^(x+y); fp32 holds them all exactly where
//   w max_c P_c <= 2^(24+x)  (w = 15, or 143 with the offset trick)   and   S <= 2^(24+x+y).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/arrays.h"
#include "reference/numerics.h"
#include "reference/twin.h"

namespace w4 {

struct Bound {
  std::vector<double> b;  // B [M,N]
  // [M,N]: a finite intermediate may exceed fp32, or an infinite activation meets the offset trick
  // or a weight that the matrix unit reads as zero: Inf and NaN are legal besides the interval
  // (oracles.md 3).
  std::vector<uint8_t> overflow;
};

Bound make_bound(const Arrays& x, const Twin& twin, const Chain& chain, Arithmetic arithmetic,
                 bool random_fill);

struct BoundTerm {
  std::string_view name;     // "chunk sums"
  std::string_view formula;  // "(A+1) u T1", in the symbols above
  double value = 0;
  // Where two formulas bound the same roundings, the one that is larger here and counts for
  // nothing. Empty: there is one.
  std::string_view larger_formula{};
  double larger_value = 0;
};

// The terms whose sum, in this order, is B of element (m, n): the numbers of make_bound, not others
// like them. None: B is 0, no order of summation rounds. x has no experts (reference/explain.h).
std::vector<BoundTerm> explain_bound(const Arrays& x, const Twin& twin, const Chain& chain,
                                     Arithmetic arithmetic, bool random_fill, int64_t m, int64_t n);

}  // namespace w4
