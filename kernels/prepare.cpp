#include "kernels/prepare.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "core/dtypes.h"
#include "kernels/decode_checks.h"
#include "kernels/descriptors.h"
#include "kernels/nibbles.h"

namespace w4 {
namespace {

using Failed = std::optional<BrokenClause>;

template <class... A>
BrokenClause refusal(const char* clause, fmt::format_string<A...> f, A&&... a) {
  return {clause, fmt::format(f, std::forward<A>(a)...)};
}

struct Sizes {
  int64_t n, k, g, groups;
};

// Elements of a host tensor, row by row; the descriptor may have row strides of its own.
template <class T>
class Rows {
 public:
  explicit Rows(const w4_tensor& t)
      : base_(static_cast<std::byte*>(t.host)), stride_(t.stride[0]) {}
  T get(int64_t row, int64_t col) const {
    T v;
    std::memcpy(&v, at(row, col), sizeof(T));
    return v;
  }
  void set(int64_t row, int64_t col, T v) const { std::memcpy(at(row, col), &v, sizeof(T)); }

 private:
  std::byte* at(int64_t row, int64_t col) const {
    return base_ + (row * stride_ + col) * static_cast<int64_t>(sizeof(T));
  }
  std::byte* base_;
  int64_t stride_;
};

// A source tensor as its layout wants it, on the host.
Failed check_shape(const char* clause, const char* what, const w4_tensor& t, int64_t rows,
                   int64_t cols, bool words) {
  if (words && t.dtype != W4_I32 && t.dtype != W4_U32) {
    return refusal(clause, "{} dtype is {}; legal: i32, u32", what, name_of(t.dtype));
  }
  if (t.rank != 2 || t.dim[0] != rows || t.dim[1] != cols) {
    return refusal(clause, "{} shape is {} in {}; legal: [{},{}]", what, shape_of(t),
                   name_of(t.layout), rows, cols);
  }
  if (t.stride[1] != 1 || t.stride[0] < cols) {
    return refusal(clause, "{} strides are {} and {} elements; legal: at least {}, and 1", what,
                   t.stride[0], t.stride[1], cols);
  }
  if (t.host == nullptr && rows > 0 && cols > 0) {
    return refusal(clause, "{} has no host address; legal: a tensor in host memory", what);
  }
  return {};
}

Failed allocate(const w4_device& device, w4_dtype dtype, w4_layout layout, int64_t rows,
                int64_t cols, int64_t pad, w4_tensor& out) {
  const __int128 bytes = static_cast<__int128>(rows) * (cols + pad) * bytes_of(dtype);
  if (bytes > std::numeric_limits<int64_t>::max()) {
    return refusal("index.width", "prepared {} take {} bytes; legal: at most {}", name_of(layout),
                   bytes, std::numeric_limits<int64_t>::max());
  }
  out = {};
  out.dtype = dtype;
  out.layout = layout;
  out.rank = 2;
  out.dim[0] = rows;
  out.dim[1] = cols;
  out.stride[0] = cols + pad;
  out.stride[1] = 1;
  out.bytes = static_cast<uint64_t>(bytes);
  out.host = device.host_alloc(device.self, static_cast<size_t>(bytes));
  if (out.host == nullptr && bytes > 0) {
    return refusal("index.width", "no memory for {} bytes of prepared {}", bytes, name_of(layout));
  }
  return {};
}

Failed prepare_wei(const w4_source& s, const Sizes& z, const w4_device& device, w4_tensor& out) {
  if (s.wei == nullptr)
    return refusal("weight.stride", "the weight tensor is missing; legal: a tensor");
  const w4_tensor& in = *s.wei;
  const bool along_k = in.layout == W4_WEI_SEQUENTIAL || in.layout == W4_WEI_GPTQ;
  const bool along_n = in.layout == W4_WEI_AWQ;
  if ((along_k || along_n) && z.k % 8 != 0) {
    return refusal("k.step", "K = {} from {}; legal: multiples of 8", z.k, name_of(in.layout));
  }
  if (along_n && z.n % 8 != 0) {
    return refusal("source.octet", "N = {} from {}; legal: multiples of 8", z.n,
                   name_of(in.layout));
  }
  const int64_t row_bytes = z.k / 2 + z.k % 2;
  Failed bad;
  switch (in.layout) {
    case W4_WEI_SHUFFLED:
      if (in.dtype != W4_I8) {
        return refusal("weight.stride", "weight dtype is {} in {}; legal: i8", name_of(in.dtype),
                       name_of(in.layout));
      }
      bad = check_shape("weight.stride", "weight", in, z.n, row_bytes, false);
      break;
    case W4_WEI_SEQUENTIAL:
      bad = check_shape("weight.stride", "weight", in, z.n, z.k / 8, true);
      break;
    case W4_WEI_AWQ:
      bad = check_shape("weight.stride", "weight", in, z.k, z.n / 8, true);
      break;
    case W4_WEI_GPTQ:
      bad = check_shape("weight.stride", "weight", in, z.k / 8, z.n, true);
      break;
    default:
      return refusal("weight.stride",
                     "weights are {}; legal: shuffled, sequential, AWQ, GPTQ order",
                     name_of(in.layout));
  }
  if (bad) return bad;
  if (s.weight_row_pad_bytes < 0 ||
      s.weight_row_pad_bytes > std::numeric_limits<int32_t>::max() - row_bytes) {
    return refusal("weight.stride", "weight row pad is {} bytes; legal: 0 to {}",
                   s.weight_row_pad_bytes, std::numeric_limits<int32_t>::max() - row_bytes);
  }
  if (auto no =
          allocate(device, W4_I8, W4_WEI_SHUFFLED, z.n, row_bytes, s.weight_row_pad_bytes, out)) {
    return no;
  }
  auto* const to = static_cast<std::byte*>(out.host);
  const auto put = [&](int64_t n, int64_t word, uint32_t w) {
    std::memcpy(to + n * out.stride[0] + word * 4, &w, 4);
  };
  if (in.layout == W4_WEI_SHUFFLED) {
    const auto* const from = static_cast<const std::byte*>(in.host);
    for (int64_t n = 0; n < z.n; n++) {
      std::memcpy(to + n * out.stride[0], from + n * in.stride[0], static_cast<size_t>(row_bytes));
    }
    return {};
  }
  const Rows<uint32_t> words(in);
  if (in.layout == W4_WEI_AWQ) {
    for (int64_t k = 0; k < z.k / 8; k++) {
      for (int64_t n = 0; n < z.n / 8; n++) {
        std::array<uint32_t, 8> block{};
        for (int64_t i = 0; i < 8; i++) {
          block[static_cast<size_t>(i)] = unshuffle_nibbles(words.get(8 * k + i, n));
        }
        block = transpose_nibbles(block);
        for (int64_t i = 0; i < 8; i++) {
          put(8 * n + i, k, shuffle_nibbles(block[static_cast<size_t>(i)]));
        }
      }
    }
    return {};
  }
  const bool transposed = in.layout == W4_WEI_GPTQ;
  for (int64_t n = 0; n < z.n; n++) {
    for (int64_t k = 0; k < z.k / 8; k++) {
      put(n, k, shuffle_nibbles(transposed ? words.get(k, n) : words.get(n, k)));
    }
  }
  return {};
}

template <class T>
void copy_scales(const w4_tensor& in, const w4_tensor& out, const Sizes& z) {
  const Rows<T> from(in);
  const Rows<T> to(out);
  const bool transposed = in.layout == W4_SCALE_TRANSPOSED;
  for (int64_t n = 0; n < z.n; n++) {
    for (int64_t g = 0; g < z.groups; g++) {
      to.set(n, g, transposed ? from.get(g, n) : from.get(n, g));
    }
  }
}

// No change of dtype: whether it suits the activations is the kernel's check.
Failed prepare_scale(const w4_source& s, const Sizes& z, const w4_device& device, w4_tensor& out) {
  if (s.scale == nullptr)
    return refusal("scale.dtype", "the scale tensor is missing; legal: a tensor");
  const w4_tensor& in = *s.scale;
  if (in.layout != W4_DENSE && in.layout != W4_SCALE_TRANSPOSED) {
    return refusal("scale.stride", "scales are {}; legal: dense [N,K/G], transposed [K/G,N]",
                   name_of(in.layout));
  }
  const bool transposed = in.layout == W4_SCALE_TRANSPOSED;
  if (auto bad = check_shape("scale.stride", "scale", in, transposed ? z.groups : z.n,
                             transposed ? z.n : z.groups, false)) {
    return bad;
  }
  if (auto no = allocate(device, in.dtype, W4_DENSE, z.n, z.groups, s.scale_row_pad, out))
    return no;
  switch (bytes_of(in.dtype)) {
    case 2:
      copy_scales<uint16_t>(in, out, z);
      break;
    case 4:
      copy_scales<uint32_t>(in, out, z);
      break;
    case 8:
      copy_scales<uint64_t>(in, out, z);
      break;
    case 1:
      copy_scales<uint8_t>(in, out, z);
      break;
    default:
      return refusal("scale.dtype", "scale dtype is {}; legal: f16, bf16", name_of(in.dtype));
  }
  return {};
}

// The zero point of (n, g) whatever the encoding, as a code where the source is packed.
class Zeros {
 public:
  explicit Zeros(const w4_tensor& t) : layout_(t.layout), words_(t) {}
  uint32_t code(int64_t n, int64_t g) const {
    const auto slot = static_cast<uint32_t>(n % 8) * 4;
    switch (layout_) {
      case W4_ZP_PACKED:
        return words_.get(n / 8, g) >> slot & 15u;
      case W4_ZP_AWQ:
        return unshuffle_nibbles(words_.get(g, n / 8)) >> slot & 15u;
      case W4_ZP_GPTQ_V1:
        return ((words_.get(g, n / 8) >> slot) + 1u) & 15u;
      default:
        return words_.get(g, n / 8) >> slot & 15u;
    }
  }

 private:
  w4_layout layout_;
  Rows<uint32_t> words_;
};

Failed write_zeros(const w4_source& s, const Sizes& z, const w4_device& device, w4_tensor& out) {
  const w4_tensor& in = *s.zp;
  const bool from_numbers = in.layout == W4_ZP_UNPACKED;
  if (s.zp_wanted == W4_ZP_PACKED) {
    if (from_numbers) {
      return refusal(
          "zp.dtype",
          "packed zero points wanted from unpacked ones, which may be any number; legal: "
          "a packed source, or unpacked wanted");
    }
    if (auto no = allocate(device, W4_I32, W4_ZP_PACKED, z.n / 8, z.groups, s.scale_row_pad, out)) {
      return no;
    }
    const Zeros zeros(in);
    const Rows<uint32_t> to(out);
    for (int64_t row = 0; row < z.n / 8; row++) {
      for (int64_t g = 0; g < z.groups; g++) {
        uint32_t word = 0;
        for (int64_t i = 0; i < 8; i++) word |= zeros.code(8 * row + i, g) << (4 * i);
        to.set(row, g, word);
      }
    }
    return {};
  }
  const w4_dtype dtype = from_numbers ? in.dtype : s.scale->dtype;
  if (dtype != W4_F16 && dtype != W4_BF16) {
    return refusal("zp.dtype", "unpacked zero points would be {}; legal: f16, bf16",
                   name_of(dtype));
  }
  if (auto no = allocate(device, dtype, W4_ZP_UNPACKED, z.n, z.groups, s.scale_row_pad, out)) {
    return no;
  }
  const Rows<uint16_t> to(out);
  for (int64_t n = 0; n < z.n; n++) {
    for (int64_t g = 0; g < z.groups; g++) {
      to.set(n, g,
             from_numbers ? Rows<uint16_t>(in).get(n, g)
                          : from_f64(static_cast<DType>(dtype), Zeros(in).code(n, g)));
    }
  }
  return {};
}

Failed prepare_zp(const w4_source& s, const Sizes& z, const w4_device& device, w4_tensor& out) {
  if (s.symmetric != 0) return {};
  if (s.zp == nullptr) {
    return refusal("zp.dtype",
                   "asymmetric weights without zero points; legal: a zero-point tensor");
  }
  if (s.zp_wanted != W4_ZP_PACKED && s.zp_wanted != W4_ZP_UNPACKED) {
    return refusal("zp.dtype", "{} wanted; legal: packed or unpacked zero points",
                   name_of(s.zp_wanted));
  }
  const w4_tensor& in = *s.zp;
  const bool unpacked = in.layout == W4_ZP_UNPACKED;
  if (!unpacked && in.layout != W4_ZP_PACKED && in.layout != W4_ZP_AWQ &&
      in.layout != W4_ZP_GPTQ_V1 && in.layout != W4_ZP_GPTQ_V2) {
    return refusal("zp.dtype", "zero points are {}; legal: packed, unpacked, AWQ, GPTQ v1 or v2",
                   name_of(in.layout));
  }
  // `source.octet` speaks of checkpoint formats; the kernel's own packed form has `zp.octet`.
  if (!unpacked && z.n % 8 != 0) {
    const bool checkpoint = s.wei->layout != W4_WEI_SHUFFLED;
    return refusal(checkpoint ? "source.octet" : "zp.octet",
                   "N = {} with {}; legal: multiples of 8", z.n, name_of(in.layout));
  }
  const bool rows_of_n = unpacked || in.layout == W4_ZP_PACKED;
  const int64_t n = unpacked ? z.n : z.n / 8;
  if (auto bad = check_shape("zp.dtype", "zero-point", in, rows_of_n ? n : z.groups,
                             rows_of_n ? z.groups : n, !unpacked)) {
    return bad;
  }
  if (unpacked && in.dtype != W4_F16 && in.dtype != W4_BF16) {
    return refusal("zp.dtype", "unpacked zero-point dtype is {}; legal: f16, bf16",
                   name_of(in.dtype));
  }
  return write_zeros(s, z, device, out);
}

Failed prepare_all(const w4_source& s, const w4_device& device, w4_prepared& out) {
  if (s.group_size <= 0) {
    return refusal("group.size", "group size is {}; legal: 32, 64, 128", s.group_size);
  }
  if (s.n < 1) return refusal("n.positive", "N = {}; legal: at least 1", s.n);
  if (s.k < 1) return refusal("k.positive", "K = {}; legal: at least 1", s.k);
  if (s.k % s.group_size != 0) {
    return refusal("k.group",
                   "K = {} is not divisible by the group size {}; legal: multiples of {}", s.k,
                   s.group_size, s.group_size);
  }
  const Sizes z{s.n, s.k, s.group_size, s.k / s.group_size};
  if (s.scale_row_pad < 0 || s.scale_row_pad > std::numeric_limits<int32_t>::max() - z.groups) {
    return refusal("scale.stride", "scale row pad is {} groups; legal: 0 to {}", s.scale_row_pad,
                   std::numeric_limits<int32_t>::max() - z.groups);
  }
  if (auto bad = prepare_wei(s, z, device, out.wei)) return bad;
  if (auto bad = prepare_scale(s, z, device, out.scale)) return bad;
  return prepare_zp(s, z, device, out.zp);
}

}  // namespace

int prepare_weights(const w4_kernel*, const w4_source* source, const w4_device* device,
                    w4_prepared* out) {
  w4_prepared prepared{};
  if (const auto why = prepare_all(*source, *device, prepared)) {
    device->refuse(device->self, why->clause, why->message.c_str());
    return 1;
  }
  *out = prepared;
  return 0;
}

}  // namespace w4
