#include "verify/row_cases.h"

#include <algorithm>
#include <array>

#include "core/contract.h"

namespace w4 {
namespace {

constexpr std::array<std::string_view, 2> kRows{"decode", "chunked"};

int64_t whole_octets(int64_t n) { return (n + 7) / 8 * 8; }

// Zero points are packed where there are any; the offset keeps their alignment.
void pack_zero_points(Problem& p) {
  if (p.zp != ZpMode::unpacked) return;
  p.zp = ZpMode::packed;
  p.n = whole_octets(p.n);
  p.zoff = p.zoff / 4 * 4;
}

// Rows of activations further apart than K, 16 bytes aligned.
void choose_act_stride(Chooser& choose, Problem& p) {
  if (choose.pick(3) == 1) p.lda = p.k + 8 * (1 + choose.pick(5));
}

// K so that K*M is past the array, by a group, by part of a piece or by several; a few rows of the
// output, so that the case stays small.
void choose_k_past_the_array(Chooser& choose, Problem& p) {
  const int64_t fits = kLdsElements / p.m / p.g;
  const int64_t pieces = 1 + choose.pick(3);
  p.k = p.g * (choose.pick(2) == 0 ? pieces * fits + 1
                                   : pieces * fits + 1 + choose.pick(static_cast<int>(fits)));
  p.n = p.zp == ZpMode::packed || p.n % 8 == 0 ? 8 : std::min<int64_t>(p.n, 7);
}

Case choose_chunked(Chooser& choose, CaseLimits limits) {
  const bool past = limits.lds_edge && choose.pick(6) == 5;
  limits.lds_edge = false;  // decode's edges, some of which it would refuse past
  Case c = choose_decode_case(choose, limits);
  c.kernel = "chunked";
  pack_zero_points(c.problem);
  if (past) choose_k_past_the_array(choose, c.problem);
  choose_act_stride(choose, c.problem);
  return c;
}

}  // namespace

std::span<const std::string_view> generated_rows() { return kRows; }

Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  if (row == "chunked") return choose_chunked(choose, limits);
  return choose_decode_case(choose, limits);
}

}  // namespace w4
