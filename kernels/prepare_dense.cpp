// What kernels read beside or instead of the packed weights: the dense copy (contract.md 11.5) and
// the carrier of scales and zero points (11.4).
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/dtypes.h"
#include "core/layout.h"
#include "kernels/descriptors.h"
#include "kernels/prepare_parts.h"

namespace w4::prepare {
namespace {

// Bits of the scale of (n, g) of a part.
class Scales {
 public:
  Scales(const w4_tensor& t, const Part& p)
      : transposed_(t.layout == W4_SCALE_TRANSPOSED), part_(p), rows_(t) {}
  uint16_t bits(int64_t n, int64_t g) const {
    const int64_t row = part_.n0 + n;
    const int64_t group = part_.g0 + g;
    return transposed_ ? rows_.get(group, row) : rows_.get(row, group);
  }

 private:
  bool transposed_;
  const Part& part_;
  Rows<uint16_t> rows_;
};

Failed check_numbers(const w4_source& s) {
  if (s.scale->dtype == W4_F16 || s.scale->dtype == W4_BF16) return {};
  return refusal("scale.dtype", "scale dtype is {}; legal: f16, bf16", name_of(s.scale->dtype));
}

// fl_T((q - z)*s) for every code: q - z and its product with s are exact in double for z in 0..15.
std::array<uint16_t, 16> values_of(DType t, double z, double s) {
  std::array<uint16_t, 16> out{};
  for (int q = 0; q < 16; q++) out[static_cast<size_t>(q)] = from_f64(t, (q - z) * s);
  return out;
}

// Columns k to k+count of a row of words in shuffled order, as values by their group's table. On
// input: K % 8 == 0.
void expand(const std::byte* words, int64_t k, int64_t count, const std::array<uint16_t, 16>& table,
            uint16_t* to) {
  const auto shift = [](int64_t j) {
    return 4 * static_cast<uint32_t>(kShuffledSlot[static_cast<size_t>(j)]);
  };
  const int64_t end = k + count;
  while (k < end) {
    uint32_t word = 0;
    std::memcpy(&word, words + k / 8 * 4, 4);
    if (k % 8 == 0 && k + 8 <= end) {
      for (int64_t j = 0; j < 8; j++) to[k + j] = table[word >> shift(j) & 15u];
      k += 8;
    } else {  // a group that is no whole number of words
      to[k] = table[word >> shift(k % 8) & 15u];
      k++;
    }
  }
}

}  // namespace

Failed dense_weights(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  if (auto bad = check_numbers(s)) return bad;
  if (p.k % 8 != 0) return refusal("k.step", "K = {}; legal: multiples of 8", p.k);
  if (auto no =
          allocate(device, s.scale->dtype, W4_DENSE, p.n, p.k, s.weight_row_pad_bytes / 2, out)) {
    return no;
  }
  const auto t = static_cast<DType>(s.scale->dtype);
  const bool symmetric = s.symmetric != 0;
  const bool numbers = !symmetric && s.zp->layout == W4_ZP_UNPACKED;
  const Scales scales(*s.scale, p);
  const Zeros zeros(symmetric ? *s.wei : *s.zp, p);
  const auto zero = [&](int64_t n, int64_t g) -> double {
    if (symmetric) return 8;
    if (!numbers) return zeros.code(n, g);
    return to_f64(static_cast<DType>(s.zp->dtype), Rows<uint16_t>(*s.zp).get(p.n0 + n, p.g0 + g));
  };
  constexpr int64_t kBlock = 64;
  const int64_t stride = p.k / 2;
  std::vector<std::byte> words(static_cast<size_t>(kBlock * stride));
  for (int64_t n0 = 0; n0 < p.n; n0 += kBlock) {
    const int64_t rows = std::min(kBlock, p.n - n0);
    shuffled_rows(*s.wei, p, n0, rows, words.data(), stride);
    for (int64_t n = n0; n < n0 + rows; n++) {
      auto* const to = static_cast<uint16_t*>(out.host) + n * out.stride[0];
      for (int64_t g = 0; g < p.groups; g++) {
        expand(words.data() + (n - n0) * stride, g * p.g, p.g,
               values_of(t, zero(n, g), to_f64(t, scales.bits(n, g))), to);
      }
    }
  }
  return {};
}

Failed carrier(const w4_source& s, const Part& p, const w4_device& device, w4_tensor& out) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (s.carrier_row_pad < 0 || s.carrier_row_pad > kMost - p.groups) {
    return refusal("carrier.stride", "carrier row pad is {} groups; legal: 0 to {}",
                   s.carrier_row_pad, kMost - p.groups);
  }
  if (auto bad = check_numbers(s)) return bad;
  const bool symmetric = s.symmetric != 0;
  if (!symmetric && s.zp->layout == W4_ZP_UNPACKED) {
    return refusal("zp.encoding",
                   "a carrier wanted from {}, which may be any number; legal: a packed source",
                   name_of(s.zp->layout));
  }
  if (auto no = allocate(device, W4_F32, W4_SCALE_CARRIER, p.n, p.groups, s.carrier_row_pad, out)) {
    return no;
  }
  const bool half = s.scale->dtype == W4_F16;
  const Scales scales(*s.scale, p);
  const Zeros zeros(symmetric ? *s.wei : *s.zp, p);
  const Rows<uint32_t> to(out);
  for (int64_t n = 0; n < p.n; n++) {
    for (int64_t g = 0; g < p.groups; g++) {
      const uint32_t z = symmetric ? 8 : zeros.code(n, g);
      const uint16_t bits = scales.bits(n, g);
      uint32_t high = z;
      if (half) {
        // Formed in fp32, where every step is exact; the conversion rounds once, and overflows from
        // z*s = 65520 on.
        const auto scale = static_cast<float>(to_f64(DType::f16, bits));
        const float offset = 8 * scale + (static_cast<float>(z) - 8) * scale;
        high = f32_to_f16(-offset);
      }
      to.set(n, g, high << 16 | bits);
    }
  }
  return {};
}

}  // namespace w4::prepare
