#include "intake/relayout.h"

#include <cstring>
#include <vector>

#include "core/layout.h"
#include "kernels/descriptors.h"

namespace w4 {
namespace {

// The payload of a matrix in device memory, row after row.
Result<std::vector<std::byte>> payload(const w4_device& device, const w4_tensor& t) {
  const auto row = static_cast<size_t>(t.dim[1] * bytes_of(t.dtype));
  std::vector<std::byte> out(static_cast<size_t>(t.dim[0]) * row);
  for (int64_t r = 0; r < t.dim[0]; ++r) {
    const uint64_t from = t.device + static_cast<uint64_t>(r * t.stride[0] * bytes_of(t.dtype));
    if (device.read(device.self, from, out.data() + static_cast<size_t>(r) * row, row) != 0) {
      return fail("cannot read row {} of the {}", r, name_of(t.layout));
    }
  }
  return out;
}

template <class T>
std::vector<T> as(const std::vector<std::byte>& bytes) {
  std::vector<T> out((bytes.size() + sizeof(T) - 1) / sizeof(T));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

struct Words {
  std::vector<uint32_t> words;
  int64_t stride = 0;
  Words(int64_t rows, int64_t cols) : words(static_cast<size_t>(rows * cols)), stride(cols) {}
};

Words weights(const std::vector<uint32_t>& from, int64_t n, int64_t k, w4_layout to) {
  Words out = to == W4_WEI_AWQ    ? Words(k, n / 8)
              : to == W4_WEI_GPTQ ? Words(k / 8, n)
                                  : Words(n, k / 8);
  for (LogicalNK at; at.n < n; ++at.n) {
    for (at.k = 0; at.k < k; ++at.k) {
      const Nibble where = to == W4_WEI_AWQ    ? wei_awq(at)
                           : to == W4_WEI_GPTQ ? wei_gptq(at)
                                               : wei_sequential(at);
      set_nibble(out.words.data(), out.stride, where,
                 get_nibble(from.data(), k / 8, wei_shuffled(at)));
    }
  }
  return out;
}

// GPTQ v1 stores z - 1 modulo 16 (contract.md 3.3).
Words zeros(const std::vector<uint32_t>& from, int64_t octets, int64_t groups, w4_layout to) {
  Words out(groups, octets);
  for (LogicalNG at; at.n < 8 * octets; ++at.n) {
    for (at.g = 0; at.g < groups; ++at.g) {
      const uint32_t z = get_nibble(from.data(), groups, zp_packed(at));
      set_nibble(out.words.data(), out.stride, to == W4_ZP_AWQ ? zp_awq(at) : zp_gptq(at),
                 to == W4_ZP_GPTQ_V1 ? z - 1 : z);
    }
  }
  return out;
}

Result<Relaid> put(const w4_device& device, const void* from, size_t bytes, int64_t stride) {
  Relaid out{device.device_alloc(device.self, bytes), stride};
  if (out.device == 0) return fail("no device memory for {} bytes", bytes);
  if (device.write(device.self, out.device, from, bytes) != 0) return fail("cannot write a copy");
  return out;
}

}  // namespace

bool is_relaid(w4_layout layout) {
  return layout == W4_WEI_SEQUENTIAL || layout == W4_WEI_AWQ || layout == W4_WEI_GPTQ ||
         layout == W4_SCALE_TRANSPOSED || layout == W4_ZP_AWQ || layout == W4_ZP_GPTQ_V1 ||
         layout == W4_ZP_GPTQ_V2;
}

Result<Relaid> relay(const w4_device& device, const w4_tensor& from, w4_layout to) {
  const auto bytes = payload(device, from);
  if (!bytes) return std::unexpected(bytes.error());
  const int64_t rows = from.dim[0], cols = from.dim[1];
  if (to == W4_SCALE_TRANSPOSED) {
    const auto scales = as<uint16_t>(*bytes);
    std::vector<uint16_t> turned(scales.size());
    for (int64_t n = 0; n < rows; ++n) {
      for (int64_t g = 0; g < cols; ++g) {
        turned[static_cast<size_t>(g * rows + n)] = scales[static_cast<size_t>(n * cols + g)];
      }
    }
    return put(device, turned.data(), bytes->size(), rows);
  }
  const auto words = as<uint32_t>(*bytes);
  const bool zero_points = from.layout == W4_ZP_PACKED;
  const Words made =
      zero_points ? zeros(words, rows, cols, to) : weights(words, rows, 2 * cols, to);
  return put(device, made.words.data(), 4 * made.words.size(), made.stride);
}

}  // namespace w4
