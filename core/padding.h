// Row padding of prepared weights, scales and zero points (contract.md 11.2): rows whose length is
// a multiple of a power of two fall on the same cache sets of a gfx1151. Only strides change; the
// shapes stay [N,K/2] and [N,K/G].
#pragma once

#include <cstdint>
#include <string_view>

#include "core/problem.h"

namespace w4 {

// Bytes added to a weight row of `row_bytes` = K/2. With r = row_bytes:
//   f1  r % 2048 == 0: 128
//   f2  r % 512 == 0: 256; otherwise up to the next multiple of 128, and 128 more where that is a
//       multiple of 512
//   v3  r % 1024 == 0: 128
// 0 in every other case, and for an empty row.
int64_t weight_row_pad(Padding rule, int64_t row_bytes);

// Groups added to a row of `groups` 2-byte scales, and to a row of as many zero points of any
// width: the two share one stride in elements. f2: 64 where the scale row is a multiple of 512
// bytes; otherwise 0.
int64_t scale_row_pad(Padding rule, int64_t groups);

// The rule of a production build: V3's on gfx1151, none elsewhere.
Padding padding_rule(std::string_view arch);

}  // namespace w4
