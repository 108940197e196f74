// A small checkpoint in every source format, packed nibble by nibble through core/layout.
#pragma once

#include <cstring>
#include <vector>

#include "core/layout.h"
#include "kernels/module.h"

namespace w4 {

// Every code in every position, each neighbour different.
inline uint32_t code_of(int64_t n, int64_t k) {
  return static_cast<uint32_t>((n * 7 + k * 5 + k / 8) & 15);
}
inline uint32_t zero_of(int64_t n, int64_t g) {
  return static_cast<uint32_t>((n * 3 + g * 11 + n / 8) & 15);
}
inline uint16_t scale_of(int64_t n, int64_t g) {
  return static_cast<uint16_t>(0x3000 + n * 64 + g);
}

// A 32-bit word matrix on the host and its descriptor.
struct Words {
  std::vector<uint32_t> data;
  w4_tensor t{};
  Words(w4_layout layout, int64_t rows, int64_t cols, int64_t stride)
      : data(static_cast<size_t>(rows * stride), 0xdeadbeefu) {
    t.dtype = W4_I32;
    t.layout = layout;
    t.rank = 2;
    t.dim[0] = rows;
    t.dim[1] = cols;
    t.stride[0] = stride;
    t.stride[1] = 1;
    t.host = data.data();
    t.bytes = data.size() * 4;
  }
  void set(Nibble at, uint32_t code) { set_nibble(data.data(), t.stride[0], at, code); }
};

struct Numbers {
  std::vector<uint16_t> data;
  w4_tensor t{};
  Numbers(w4_layout layout, int64_t rows, int64_t cols) : data(static_cast<size_t>(rows * cols)) {
    t.dtype = W4_F16;
    t.layout = layout;
    t.rank = 2;
    t.dim[0] = rows;
    t.dim[1] = cols;
    t.stride[0] = cols;
    t.stride[1] = 1;
    t.host = data.data();
    t.bytes = data.size() * 2;
  }
};

struct Format {
  const char* name;
  w4_layout wei;
  Nibble (*wei_at)(LogicalNK);
  w4_layout zp;
  Nibble (*zp_at)(LogicalNG);
  bool transposed;     // scales [K/G,N]
  uint32_t zp_stored;  // added to z, modulo 16
};
inline const Format kFormats[] = {
    {"shuffled", W4_WEI_SHUFFLED, wei_shuffled, W4_ZP_PACKED, zp_packed, false, 0},
    {"ct", W4_WEI_SEQUENTIAL, wei_sequential, W4_ZP_PACKED, zp_packed, false, 0},
    {"awq", W4_WEI_AWQ, wei_awq, W4_ZP_AWQ, zp_awq, true, 0},
    {"gptq1", W4_WEI_GPTQ, wei_gptq, W4_ZP_GPTQ_V1, zp_gptq, true, 15},
    {"gptq2", W4_WEI_GPTQ, wei_gptq, W4_ZP_GPTQ_V2, zp_gptq, true, 0},
};

inline constexpr int64_t kN = 24;
inline constexpr int64_t kK = 128;
inline constexpr int64_t kG = 32;
inline constexpr int64_t kGroups = kK / kG;

// A whole checkpoint of kN x kK.
struct Checkpoint {
  Words wei, zp;
  Numbers scale;
  w4_source source{};

  explicit Checkpoint(const Format& f)
      : wei(wei_words(f)),
        zp(f.zp == W4_ZP_PACKED ? Words(f.zp, kN / 8, kGroups, kGroups + 1)
                                : Words(f.zp, kGroups, kN / 8, kN / 8 + 2)),
        scale(f.transposed ? Numbers(W4_SCALE_TRANSPOSED, kGroups, kN)
                           : Numbers(W4_DENSE, kN, kGroups)) {
    for (int64_t n = 0; n < kN; n++) {
      for (int64_t k = 0; k < kK; k++) wei.set(f.wei_at({n, k}), code_of(n, k));
      for (int64_t g = 0; g < kGroups; g++) {
        zp.set(f.zp_at({n, g}), (zero_of(n, g) + f.zp_stored) & 15u);
        scale.data[static_cast<size_t>(f.transposed ? g * kN + n : n * kGroups + g)] =
            scale_of(n, g);
      }
    }
    if (f.wei == W4_WEI_SHUFFLED) {  // the kernel's own form is a tensor of bytes
      wei.t.dtype = W4_I8;
      wei.t.dim[1] *= 4;
      wei.t.stride[0] *= 4;
    }
    source.wei = &wei.t;
    source.scale = &scale.t;
    source.zp = &zp.t;
    source.n = kN;
    source.k = kK;
    source.group_size = kG;
    source.zp_wanted = W4_ZP_PACKED;
  }
  Checkpoint(const Checkpoint&) = delete;

  static Words wei_words(const Format& f) {
    switch (f.wei) {
      case W4_WEI_AWQ:
        return Words(f.wei, kK, kN / 8, kN / 8 + 1);
      case W4_WEI_GPTQ:
        return Words(f.wei, kK / 8, kN, kN + 3);
      default:
        return Words(f.wei, kN, kK / 8, kK / 8 + 2);
    }
  }
};

inline uint32_t prepared_code(const w4_tensor& t, Nibble at) {
  uint32_t word = 0;
  const auto* row =
      static_cast<const std::byte*>(t.host) + at.row * t.stride[0] * (t.dtype == W4_I8 ? 1 : 4);
  std::memcpy(&word, row + at.col * 4, 4);
  return word >> (4 * at.nibble) & 15u;
}
inline uint16_t prepared_number(const w4_tensor& t, int64_t row, int64_t col) {
  uint16_t bits = 0;
  std::memcpy(&bits, static_cast<const std::byte*>(t.host) + (row * t.stride[0] + col) * 2, 2);
  return bits;
}

}  // namespace w4
