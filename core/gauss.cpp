#include "core/gauss.h"

#include <array>
#include <cstddef>

namespace w4 {
namespace {

// round(4096 * quantile(1/2 + i/256)), i = 0..127; the last knot, infinite, is 3.3 sigma.
// Frozen: a case line must mean the same data for ever.
constexpr std::array<int16_t, 129> kQuantile{
    0,    40,   80,   120,  160,  201,  241,  281,   321,  361,  402,  442,  482,  523,  563,
    604,  644,  685,  726,  766,  807,  848,  889,   930,  972,  1013, 1054, 1096, 1137, 1179,
    1221, 1263, 1305, 1347, 1390, 1432, 1475, 1518,  1561, 1604, 1648, 1691, 1735, 1779, 1823,
    1868, 1912, 1957, 2002, 2047, 2093, 2139, 2185,  2231, 2278, 2325, 2372, 2420, 2468, 2516,
    2565, 2613, 2663, 2713, 2763, 2813, 2864, 2916,  2968, 3020, 3073, 3126, 3180, 3235, 3290,
    3345, 3402, 3459, 3516, 3575, 3634, 3694, 3754,  3816, 3878, 3941, 4005, 4071, 4137, 4204,
    4273, 4342, 4414, 4486, 4560, 4635, 4712, 4790,  4871, 4953, 5038, 5124, 5213, 5304, 5399,
    5496, 5596, 5700, 5807, 5919, 6035, 6157, 6284,  6417, 6558, 6706, 6865, 7034, 7216, 7413,
    7630, 7870, 8141, 8452, 8822, 9282, 9902, 10896, 13517};

}  // namespace

int64_t gauss(uint64_t bits) {
  const std::size_t i = bits >> 1 & 127;
  const auto fraction = static_cast<int64_t>(bits >> 8 & 255);
  const int64_t low = kQuantile[i];
  const int64_t value = low + (kQuantile[i + 1] - low) * fraction / 256;
  return (bits & 1) != 0 ? -value : value;
}

}  // namespace w4
