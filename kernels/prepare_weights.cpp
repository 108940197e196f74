#include <algorithm>

#include "kernels/descriptors.h"
#include "kernels/nibbles.h"
#include "kernels/prepare_parts.h"

namespace w4::prepare {
namespace {

// N and K of the checkpoint that the weight tensor holds; a shuffled row of an odd K has a nibble
// too many, which find_part() settles.
void whole_sizes(const w4_tensor& wei, Part& p) {
  switch (wei.layout) {
    case W4_WEI_AWQ:
      p.all_n = 8 * wei.dim[1], p.all_k = wei.dim[0];
      break;
    case W4_WEI_GPTQ:
      p.all_n = wei.dim[1], p.all_k = 8 * wei.dim[0];
      break;
    case W4_WEI_SEQUENTIAL:
      p.all_n = wei.dim[0], p.all_k = 8 * wei.dim[1];
      break;
    default:
      p.all_n = wei.dim[0], p.all_k = 2 * wei.dim[1];
  }
}

Failed check_layout(const w4_tensor& wei) {
  const char* const clause = "weight.stride";
  const bool shuffled = wei.layout == W4_WEI_SHUFFLED;
  if (!shuffled && wei.layout != W4_WEI_SEQUENTIAL && wei.layout != W4_WEI_AWQ &&
      wei.layout != W4_WEI_GPTQ) {
    return refusal(clause, "weights are {}; legal: shuffled, sequential, AWQ, GPTQ order",
                   name_of(wei.layout));
  }
  if (shuffled && wei.dtype != W4_I8) {
    return refusal(clause, "weight dtype is {} in {}; legal: i8", name_of(wei.dtype),
                   name_of(wei.layout));
  }
  constexpr int64_t kMost = int64_t{1} << 59;  // eight times as many codes fit int64
  if (wei.rank != 2 || std::min(wei.dim[0], wei.dim[1]) < 0 ||
      std::max(wei.dim[0], wei.dim[1]) > kMost) {
    return refusal(clause, "weight shape is {} in {}; legal: a matrix", shape_of(wei),
                   name_of(wei.layout));
  }
  return check_shape(clause, "weight", wei, wei.dim[0], wei.dim[1], !shuffled);
}

// Where the part starts, in the words of the source.
Failed check_start(const w4_source& s, const Part& p) {
  if (p.n0 < 0 || p.k0 < 0 || p.n0 > p.all_n - p.n || p.k0 > p.all_k - p.k) {
    return refusal("shard.range",
                   "the shard is rows {} and {} more, columns {} and {} more; legal: inside the "
                   "checkpoint's [{},{}]",
                   p.n0, p.n, p.k0, p.k, p.all_n, p.all_k);
  }
  if (p.k0 % p.g != 0 || p.k0 % 8 != 0) {
    return refusal("shard.group",
                   "the shard starts at column {}; legal: multiples of the group size {} and of 8",
                   p.k0, p.g);
  }
  // Zero points of every format but unpacked ones are packed along N.
  const bool zeros = s.symmetric == 0 && s.zp != nullptr && s.zp->layout != W4_ZP_UNPACKED;
  if ((zeros || s.wei->layout == W4_WEI_AWQ) && p.n0 % 8 != 0) {
    return refusal("shard.octet", "the shard starts at row {} of {}; legal: multiples of 8", p.n0,
                   name_of(zeros ? s.zp->layout : s.wei->layout));
  }
  return {};
}

}  // namespace

Failed find_part(const w4_source& s, Part& p) {
  if (s.wei == nullptr)
    return refusal("weight.stride", "the weight tensor is missing; legal: a tensor");
  const w4_tensor& wei = *s.wei;
  if (auto bad = check_layout(wei)) return bad;
  p = {};
  p.n = s.n, p.k = s.k, p.g = s.group_size, p.groups = s.k / s.group_size;
  p.n0 = s.n0, p.k0 = s.k0;
  const bool shuffled = wei.layout == W4_WEI_SHUFFLED;
  if (!shuffled && p.k % 8 != 0) {
    return refusal("k.step", "K = {} from {}; legal: multiples of 8", p.k, name_of(wei.layout));
  }
  if (wei.layout == W4_WEI_AWQ && p.n % 8 != 0) {
    return refusal("source.octet", "N = {} from {}; legal: multiples of 8", p.n,
                   name_of(wei.layout));
  }
  whole_sizes(wei, p);
  if (p.n0 == 0 && p.k0 == 0 && shuffled && wei.dim[1] == p.k / 2 + p.k % 2) p.all_k = p.k;
  if (p.n0 == 0 && p.k0 == 0 && (p.all_n < p.n || p.all_k < p.k)) {
    return refusal("weight.stride", "weight shape is {} in {}, of [{},{}] weights; legal: [{},{}]",
                   shape_of(wei), name_of(wei.layout), p.all_n, p.all_k, p.n, p.k);
  }
  if (auto bad = check_start(s, p)) return bad;
  if (p.all_k % p.g != 0) {
    return refusal("weight.stride",
                   "weight shape is {} in {}, of {} columns; legal: multiples of the group size {}",
                   shape_of(wei), name_of(wei.layout), p.all_k, p.g);
  }
  p.g0 = p.k0 / p.g;
  p.all_groups = p.all_k / p.g;
  return {};
}

// Act-order is declined: the kernels read the scale of column k at k div G.
Failed check_group_index(const w4_source& s, const Part& p) {
  if (s.g_idx == nullptr) return {};
  const w4_tensor& t = *s.g_idx;
  if (s.wei->layout != W4_WEI_GPTQ) {
    return refusal("source.gidx", "there is a g_idx beside weights in {}; legal: only GPTQ sources",
                   name_of(s.wei->layout));
  }
  if (t.dtype != W4_I32 || t.layout != W4_GROUP_INDEX || t.rank != 1 || t.dim[0] != p.all_k ||
      t.stride[0] != 1 || t.host == nullptr) {
    return refusal("act.order", "g_idx is {} {} of {}; legal: contiguous i32 [{}] on the host",
                   name_of(t.dtype), shape_of(t), name_of(t.layout), p.all_k);
  }
  const auto* const group = static_cast<const int32_t*>(t.host);
  for (int64_t k = p.k0; k < p.k0 + p.k; k++) {
    if (group[k] == k / p.g) continue;
    return refusal("act.order",
                   "g_idx[{}] = {}; legal: k div G = {}: the kernels read the scale of column k at "
                   "k div G, and in act-order it is the scale of g_idx[k]",
                   k, group[k], k / p.g);
  }
  return {};
}

void shuffled_rows(const w4_tensor& wei, const Part& p, int64_t n, int64_t rows, std::byte* to,
                   int64_t stride) {
  const int64_t first = p.n0 + n;
  const int64_t words = p.k / 8;
  const int64_t word0 = p.k0 / 8;
  const auto put = [&](int64_t row, int64_t word, uint32_t w) {
    std::memcpy(to + row * stride + word * 4, &w, 4);
  };
  if (wei.layout == W4_WEI_SHUFFLED) {
    const auto* const from = static_cast<const std::byte*>(wei.host);
    for (int64_t i = 0; i < rows; i++) {
      std::memcpy(to + i * stride, from + (first + i) * wei.stride[0] + p.k0 / 2,
                  static_cast<size_t>(p.k / 2 + p.k % 2));
    }
    return;
  }
  const Rows<uint32_t> source(wei);
  if (wei.layout == W4_WEI_AWQ) {
    for (int64_t w = 0; w < words; w++) {
      for (int64_t octet = 0; octet < rows / 8; octet++) {
        std::array<uint32_t, 8> block{};
        for (int64_t i = 0; i < 8; i++) {
          block[static_cast<size_t>(i)] =
              unshuffle_nibbles(source.get(p.k0 + 8 * w + i, first / 8 + octet));
        }
        block = transpose_nibbles(block);
        for (int64_t i = 0; i < 8; i++) {
          put(8 * octet + i, w, shuffle_nibbles(block[static_cast<size_t>(i)]));
        }
      }
    }
    return;
  }
  if (wei.layout == W4_WEI_GPTQ) {
    for (int64_t w = 0; w < words; w++) {
      for (int64_t i = 0; i < rows; i++) {
        put(i, w, shuffle_nibbles(source.get(word0 + w, first + i)));
      }
    }
    return;
  }
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t w = 0; w < words; w++) {
      put(i, w, shuffle_nibbles(source.get(first + i, word0 + w)));
    }
  }
}

Failed shuffled_weights(const w4_source& s, const Part& p, const w4_device& device,
                        w4_tensor& out) {
  if (auto no = allocate(device, W4_I8, W4_WEI_SHUFFLED, p.n, p.k / 2 + p.k % 2,
                         s.weight_row_pad_bytes, out)) {
    return no;
  }
  // Sources that are packed or stored along N are read by cache lines of 16 words.
  constexpr int64_t kBlock = 64;
  for (int64_t n = 0; n < p.n; n += kBlock) {
    shuffled_rows(*s.wei, p, n, std::min(kBlock, p.n - n),
                  static_cast<std::byte*>(out.host) + n * out.stride[0], out.stride[0]);
  }
  return {};
}

}  // namespace w4::prepare
