#include "oracles/faults.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace w4 {
namespace {

constexpr int64_t kChunk = 16;

// The weights of x, its own from now on.
Weights& own_weights(Arrays& x) {
  auto w = std::make_shared<Weights>(*x.wei);
  Weights& out = *w;
  x.wei = std::move(w);
  return out;
}
int64_t rows_of(const Weights& w) { return w.n * std::max<int64_t>(1, w.experts); }

// f(row, k) on every row of activations: of the product, and of the call where there are experts.
// Not with fused silu, whose activations are not the product's.
template <class F>
bool for_act_rows(Arrays& x, const F& f) {
  const int64_t k = x.wei->k;
  if (x.moe && x.moe->act_columns != k) return false;
  for (int64_t m = 0; m < x.m; ++m) f(x.a.data() + m * k, k);
  if (x.moe) {
    for (int64_t m = 0; m < x.moe->act_rows; ++m) f(x.moe->act.data() + m * k, k);
  }
  return true;
}
template <class F>
bool for_acts(Arrays& x, const F& f) {
  return for_act_rows(x, [&](uint16_t* row, int64_t k) { std::transform(row, row + k, row, f); });
}

bool neighbour_scale(Arrays& x) {
  Weights& w = own_weights(x);
  const int64_t g = w.groups(), hurt = (g - 1) / 2;
  if (g < 2) return false;
  for (int64_t r = 0; r < rows_of(w); ++r) w.s[r * g + hurt] = w.s[r * g + hurt + 1];
  return true;
}

bool scale_doubled(Arrays& x) {
  Weights& w = own_weights(x);
  const int64_t g = w.groups(), hurt = (g - 1) / 2;
  for (int64_t r = 0; r < rows_of(w); ++r) {
    uint16_t& s = w.s[r * g + hurt];
    s = from_f64(w.act, 2 * to_f64(w.act, s));
  }
  return true;
}

bool scale_one_ulp(Arrays& x) {
  for (uint16_t& s : own_weights(x).s) ++s;
  return true;
}

bool bf16_scales(Arrays& x) {
  if (x.wei->act != DType::f16) return false;
  for (uint16_t& s : own_weights(x).s)
    s = f64_to_f16(to_f64(DType::bf16, f64_to_bf16(to_f64(DType::f16, s))));
  return true;
}

bool zero_point_plus_1(Arrays& x) {
  Weights& w = own_weights(x);
  if (w.z.empty()) return false;
  const int64_t g = w.groups(), hurt = (g - 1) / 2;
  for (int64_t r = 0; r < rows_of(w); ++r) {
    uint8_t& z = w.z[r * g + hurt];
    z = z == 15 ? 14 : z + 1;
  }
  return true;
}

bool zero_points_minus_1(Arrays& x) {
  Weights& w = own_weights(x);
  for (uint8_t& z : w.z) z = z == 0 ? 0 : z - 1;
  return !w.z.empty();
}

bool zero_points_ignored(Arrays& x) {
  Weights& w = own_weights(x);
  std::ranges::fill(w.z, uint8_t{8});
  return !w.z.empty();
}

// Columns 2 and 3 of each octet.
bool zero_point_nibbles(Arrays& x) {
  Weights& w = own_weights(x);
  const int64_t g = w.groups();
  if (w.z.empty() || w.n % 8 != 0) return false;
  for (int64_t r = 2; r < rows_of(w); r += 8)
    std::swap_ranges(w.z.begin() + r * g, w.z.begin() + (r + 1) * g, w.z.begin() + (r + 1) * g);
  return true;
}

bool group_of_half(Arrays& x) {
  Weights& w = own_weights(x);
  const Weights old = w;
  const int64_t g = old.groups();
  if (old.g < 64) return false;
  w.g = old.g / 2;
  w.s.clear();
  w.z.clear();
  for (int64_t r = 0; r < rows_of(w); ++r) {
    for (int64_t i = 0; i < 2 * g; ++i) {
      const int64_t from = r * g + std::min(i, g - 1);
      w.s.push_back(old.s[from]);
      if (!old.z.empty()) w.z.push_back(old.z[from]);
    }
  }
  return true;
}

bool swapped_nibbles(Arrays& x) {
  Weights& w = own_weights(x);
  for (int64_t r = 0; r < rows_of(w); ++r) {
    const int64_t at = r * w.k + w.k / 2 + 2 * (r % 8);
    std::swap(w.q[at], w.q[at + 1]);
  }
  return true;
}

bool code_off_by_one(Arrays& x) {
  Weights& w = own_weights(x);
  for (int64_t r = 0; r < rows_of(w); ++r) w.q[r * w.k + (w.k / 3 + 5 * r) % w.k] ^= 1;
  return true;
}

bool dropped_last_k(Arrays& x) {
  return for_act_rows(x, [](uint16_t* row, int64_t k) { row[k - 1] = 0; });
}

bool dropped_last_group(Arrays& x) {
  const int64_t g = x.wei->g;
  return for_act_rows(x, [g](uint16_t* row, int64_t k) { std::fill(row + k - g, row + k, 0); });
}

bool dropped_chunk(Arrays& x) {
  return for_act_rows(x, [](uint16_t* row, int64_t k) {
    uint16_t* const at = row + k / 2 / kChunk * kChunk;
    std::fill(at, at + kChunk, 0);
  });
}

bool stale_activation(Arrays& x) {
  return for_act_rows(x, [](uint16_t* row, int64_t k) { row[k / 3] = row[k / 3 - 1]; });
}

// Two neighbours of a pair change places.
bool swapped_activations(Arrays& x) {
  return for_act_rows(x, [](uint16_t* row, int64_t k) { std::swap(row[k / 2], row[k / 2 + 1]); });
}

bool flushed_subnormals(Arrays& x) {
  const DType t = x.wei->act;
  const double least = t == DType::f16 ? 0x1p-14 : 0x1p-126;
  const auto flush = [&](uint16_t v) {
    return std::abs(to_f64(t, v)) < least ? static_cast<uint16_t>(v & 0x8000) : v;
  };
  Weights& w = own_weights(x);
  std::ranges::transform(w.s, w.s.begin(), flush);
  return for_acts(x, flush);
}

bool bf16_activations(Arrays& x) {
  if (x.wei->act != DType::f16) return false;
  return for_acts(x, [](uint16_t v) {
    return f64_to_f16(to_f64(DType::bf16, f64_to_bf16(to_f64(DType::f16, v))));
  });
}

bool last_bit_of_act(Arrays& x) {
  return for_acts(x, [](uint16_t v) { return static_cast<uint16_t>(v & 0xfffe); });
}

bool clipped_activations(Arrays& x) {
  const DType t = x.wei->act;
  return for_acts(x, [&](uint16_t v) {
    const double a = to_f64(t, v);
    return std::abs(a) > 4 ? from_f64(t, std::copysign(4, a)) : v;
  });
}

bool bias_next_column(Arrays& x) {
  if (!x.has_bias() || x.bx < 2) return false;
  for (int64_t r = 0; r < x.by; ++r)
    std::rotate(x.bias.begin() + r * x.bx, x.bias.begin() + r * x.bx + 1,
                x.bias.begin() + (r + 1) * x.bx);
  return true;
}

bool bias_missing(Arrays& x) {
  for (size_t i = 3; i < x.bias.size(); i += 8) x.bias[i] = 0;
  return x.has_bias();
}

constexpr Fault breach(Breach b, std::string_view name, std::string_view says) {
  return {name, says, b, nullptr};
}
constexpr Fault change(std::string_view name, bool (*f)(Arrays&), std::string_view says) {
  return {name, says, Breach::none, f};
}

constexpr std::array kFaults{
    breach(Breach::half_accumulator, "half_accumulator",
           "the sum is kept in 16 bits, rounded after each chunk or matrix step"),
    breach(Breach::half_split, "half_split",
           "split sums in 16 bits: each lane's, or each half of K"),
    breach(Breach::half_partial, "half_partial", "a chunk's sum in 16 bits before its scale"),
    breach(Breach::half_act_sum, "half_act_sum", "a chunk's sum of activations in 16 bits"),
    breach(Breach::other_weight, "other_weight", "the weight rounded once more, or once less"),
    breach(Breach::truncated_weight, "truncated_weight", "the rounding of the weight cuts off"),
    breach(Breach::truncating_store, "truncating_store", "the last rounding cuts off"),
    breach(Breach::other_store, "other_store",
           "rounded before the bias too, or not before it where it should be"),
    change("neighbour_scale", neighbour_scale, "one group of each row has the next group's scale"),
    change("scale_doubled", scale_doubled, "one group of each row: exponent of the scale off by 1"),
    change("scale_one_ulp", scale_one_ulp, "every scale one ulp too large"),
    change("bf16_scales", bf16_scales, "fp16 scales pass through bf16"),
    change("zero_point_plus_1", zero_point_plus_1, "one group of each row"),
    change("zero_points_minus_1", zero_points_minus_1, "everywhere: the other convention of GPTQ"),
    change("zero_points_ignored", zero_points_ignored, "8 for every zero point"),
    change("zero_point_nibbles", zero_point_nibbles, "columns 2 and 3 of each octet swapped"),
    change("group_of_half", group_of_half, "scales and zero points by k / (G/2)"),
    change("swapped_nibbles", swapped_nibbles, "one byte of codes in each row"),
    change("code_off_by_one", code_off_by_one, "one code of each row"),
    change("dropped_last_k", dropped_last_k, "the last element of K"),
    change("dropped_last_group", dropped_last_group, "the last group of K"),
    change("dropped_chunk", dropped_chunk, "16 elements in the middle of K"),
    change("stale_activation", stale_activation,
           "one element of each row has its neighbour's value"),
    change("swapped_activations", swapped_activations, "one pair of each row"),
    change("flushed_subnormals", flushed_subnormals, "subnormal activations and scales are zero"),
    change("bf16_activations", bf16_activations, "fp16 activations pass through bf16"),
    change("last_bit_of_act", last_bit_of_act, "activations without their last bit"),
    change("clipped_activations", clipped_activations, "to -4..4"),
    change("bias_next_column", bias_next_column, "bias of column n+1"),
    change("bias_missing", bias_missing, "in column 3 of each octet"),
};

}  // namespace

std::span<const Fault> faults() { return kFaults; }

}  // namespace w4
