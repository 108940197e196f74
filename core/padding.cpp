#include "core/padding.h"

namespace w4 {
namespace {

int64_t f2_weight_pad(int64_t r) {
  if (r % 512 == 0) return 256;
  const int64_t up = (128 - r % 128) % 128;
  return up == 0 || (r % 512 + up) % 512 != 0 ? up : up + 128;
}

}  // namespace

int64_t weight_row_pad(Padding rule, int64_t row_bytes) {
  if (row_bytes <= 0) return 0;
  switch (rule) {
    case Padding::none:
      break;
    case Padding::f1:
      return row_bytes % 2048 == 0 ? 128 : 0;
    case Padding::f2:
      return f2_weight_pad(row_bytes);
    case Padding::v3:
      return row_bytes % 1024 == 0 ? 128 : 0;
  }
  return 0;
}

int64_t scale_row_pad(Padding rule, int64_t groups) {
  constexpr int64_t kPeriod = 512 / 2;  // bytes, in 2-byte scales
  return rule == Padding::f2 && groups > 0 && groups % kPeriod == 0 ? 64 : 0;
}

Padding padding_rule(std::string_view arch) {
  return arch == "gfx1151" ? Padding::v3 : Padding::none;
}

}  // namespace w4
