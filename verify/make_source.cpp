// The tensors of a checkpoint in its format (contract.md 3), from logical weights.
#include <algorithm>
#include <array>
#include <cstring>

#include "core/layout.h"
#include "verify/materialise.h"

namespace w4 {
namespace {

int64_t octets(int64_t v) { return (std::max<int64_t>(v, 0) + 7) / 8; }

HostTensor make_tensor(w4_dtype dtype, w4_layout layout, int64_t rows, int64_t cols,
                       int64_t element) {
  HostTensor t;
  const int64_t bytes = rows * cols * element;
  t.data.resize(
      static_cast<size_t>(std::max<int64_t>(bytes, 1)));  // an empty tensor has an address
  t.desc = {.dtype = dtype,
            .layout = layout,
            .rank = 2,
            .dim = {rows, cols},
            .stride = {cols, 1},
            .bytes = static_cast<uint64_t>(bytes),
            .device = 0,
            .host = t.data.data()};
  return t;
}

// Layouts repeat every 8 codes along one axis: the table says which bits hold code j of an octet.
template <class F>
std::array<int, 8> shifts_of(F nibble_of) {
  std::array<int, 8> out{};
  for (int j = 0; j < 8; ++j) out[j] = 4 * nibble_of(j);
  return out;
}

// Row-major codes [rows, cols], octets along the columns: word (row, col/8).
void pack_along_columns(const uint8_t* codes, int64_t rows, int64_t cols,
                        const std::array<int, 8>& shift, std::byte* out) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; c += 8, out += 4) {
      uint32_t word = 0;
      const int64_t count = std::min<int64_t>(8, cols - c);
      for (int64_t j = 0; j < count; ++j) {
        word |= static_cast<uint32_t>(codes[r * cols + c + j]) << shift[j];
      }
      std::memcpy(out, &word, 4);
    }
  }
}

// Row-major codes [rows, cols], octets along the rows: word (col, row/8) of a [cols, rows/8] matrix
// where `transposed`, word (row/8, col) of [rows/8, cols] otherwise.
void pack_along_rows(const uint8_t* codes, int64_t rows, int64_t cols,
                     const std::array<int, 8>& shift, bool transposed, std::byte* out) {
  const int64_t words = octets(rows);
  for (int64_t r0 = 0; r0 < rows; r0 += 8) {
    const int64_t count = std::min<int64_t>(8, rows - r0);
    for (int64_t c = 0; c < cols; ++c) {
      uint32_t word = 0;
      for (int64_t j = 0; j < count; ++j) {
        word |= static_cast<uint32_t>(codes[(r0 + j) * cols + c]) << shift[j];
      }
      const int64_t at = transposed ? c * words + r0 / 8 : r0 / 8 * cols + c;
      std::memcpy(out + 4 * at, &word, 4);
    }
  }
}

int64_t checkpoint_groups(const Problem& p) { return p.g <= 0 ? 0 : checkpoint_columns(p) / p.g; }

HostTensor source_weights(const Problem& p, const Weights* w) {
  const int64_t n = checkpoint_rows(p), k = checkpoint_columns(p);
  const uint8_t* q = w ? w->q.data() : nullptr;
  switch (p.src) {
    case Source::shuffled: {
      HostTensor t = make_tensor(W4_I8, W4_WEI_SHUFFLED, n, k / 2 + k % 2, 1);
      // Whole words per row wherever there are weights at all (has_meaning).
      if (q) {
        pack_along_columns(q, n, k, shifts_of([](int j) { return wei_shuffled({0, j}).nibble; }),
                           t.data.data());
      }
      return t;
    }
    case Source::ct: {
      HostTensor t = make_tensor(W4_I32, W4_WEI_SEQUENTIAL, n, octets(k), 4);
      if (q) {
        pack_along_columns(q, n, k, shifts_of([](int j) { return wei_sequential({0, j}).nibble; }),
                           t.data.data());
      }
      return t;
    }
    case Source::awq: {
      HostTensor t = make_tensor(W4_I32, W4_WEI_AWQ, k, octets(n), 4);
      if (q) {
        pack_along_rows(q, n, k, shifts_of([](int j) { return wei_awq({j, 0}).nibble; }), true,
                        t.data.data());
      }
      return t;
    }
    case Source::gptq1:
    case Source::gptq2:
      break;
  }
  HostTensor t = make_tensor(W4_I32, W4_WEI_GPTQ, octets(k), n, 4);
  const std::array<int, 8> shift = shifts_of([](int j) { return wei_gptq({0, j}).nibble; });
  if (!q) return t;
  std::vector<std::byte> rows(t.data.size());
  pack_along_columns(q, n, k, shift, rows.data());
  const int64_t words = octets(k);
  for (int64_t r = 0; r < n; ++r) {
    for (int64_t c = 0; c < words; ++c) {
      std::memcpy(t.data.data() + 4 * (c * n + r), rows.data() + 4 * (r * words + c), 4);
    }
  }
  return t;
}

HostTensor source_scales(const Problem& p, const Weights* w) {
  const int64_t n = checkpoint_rows(p), g = checkpoint_groups(p);
  const bool transposed = p.src != Source::shuffled && p.src != Source::ct;
  const auto layout = transposed ? W4_SCALE_TRANSPOSED : W4_DENSE;
  const int bytes = bytes_of(p.act);
  HostTensor t =
      make_tensor(to_module(p.act), layout, transposed ? g : n, transposed ? n : g, bytes);
  if (!w) return t;
  for (int64_t r = 0; r < n; ++r) {
    for (int64_t c = 0; c < g; ++c) {
      const int64_t at = transposed ? c * n + r : r * g + c;
      std::memcpy(t.data.data() + 2 * at, &w->s[static_cast<size_t>(r * g + c)], 2);
    }
  }
  return t;
}

// What a symmetric checkpoint may hold beside its weights: zero points as they were stored, which
// mean nothing. Where the format packs them as the kernel does they come in GPTQ's shape, which for
// N/8 = K/G coincides with the kernel's (contract.md K5). Taken for zero points they are wrong.
HostTensor redundant_zero_points(const Problem& p) {
  const w4_layout layout = p.src == Source::awq ? W4_ZP_AWQ : W4_ZP_PACKED;
  HostTensor t = make_tensor(W4_I32, layout, checkpoint_groups(p), octets(checkpoint_rows(p)), 4);
  std::fill(t.data.begin(), t.data.end(), std::byte{0x77});
  return t;
}

std::optional<HostTensor> source_zero_points(const Problem& p, const Weights* w) {
  const int64_t n = checkpoint_rows(p), g = checkpoint_groups(p);
  const bool gptq = p.src == Source::gptq1 || p.src == Source::gptq2;
  // A symmetric GPTQ checkpoint carries its constant all the same (contract.md 3.3).
  if (p.zp == ZpMode::none && !gptq) {
    return p.qzeros ? std::optional(redundant_zero_points(p)) : std::nullopt;
  }
  std::vector<uint8_t> z(static_cast<size_t>(n * g), 8);
  if (w && !w->z.empty()) z = w->z;
  if (p.src == Source::gptq1) {
    for (uint8_t& v : z) v = static_cast<uint8_t>((v + 15) & 15);  // stored as z - 1
  }
  if (p.src == Source::shuffled && p.zp == ZpMode::unpacked) {
    HostTensor t = make_tensor(to_module(p.act), W4_ZP_UNPACKED, n, g, bytes_of(p.act));
    if (bytes_of(p.act) != 2) return t;
    for (size_t i = 0; i < z.size(); ++i) {
      const uint16_t bits = from_f64(p.act, z[i]);
      std::memcpy(t.data.data() + 2 * i, &bits, 2);
    }
    return t;
  }
  if (p.src == Source::shuffled || p.src == Source::ct) {
    HostTensor t = make_tensor(W4_I32, W4_ZP_PACKED, octets(n), g, 4);
    pack_along_rows(z.data(), n, g, shifts_of([](int j) { return zp_packed({j, 0}).nibble; }),
                    false, t.data.data());
    return t;
  }
  const bool awq = p.src == Source::awq;
  const w4_layout layout = awq ? W4_ZP_AWQ : p.src == Source::gptq1 ? W4_ZP_GPTQ_V1 : W4_ZP_GPTQ_V2;
  HostTensor t = make_tensor(W4_I32, layout, g, octets(n), 4);
  pack_along_rows(z.data(), n, g, shifts_of([awq](int j) {
                    return awq ? zp_awq({j, 0}).nibble : zp_gptq({j, 0}).nibble;
                  }),
                  true, t.data.data());
  return t;
}

// In act-order neighbouring columns belong to different groups.
std::optional<HostTensor> source_group_index(const Problem& p) {
  if (p.gidx == GroupIndex::none) return std::nullopt;
  const int64_t k = checkpoint_columns(p), g = checkpoint_groups(p);
  HostTensor t = make_tensor(W4_I32, W4_GROUP_INDEX, k, 1, 4);
  t.desc.rank = 1;
  t.desc.dim[1] = 0, t.desc.stride[1] = 0;
  for (int64_t i = 0; i < k && g > 0; ++i) {
    const auto group = static_cast<int32_t>(p.gidx == GroupIndex::act ? i % g : i / p.g);
    std::memcpy(t.data.data() + 4 * i, &group, 4);
  }
  return t;
}

}  // namespace

SourceTensors make_source(const Problem& p, const Weights* weights) {
  Problem all = p;
  all.n = weight_rows(p);
  return {source_weights(all, weights), source_scales(all, weights),
          source_zero_points(all, weights), source_group_index(p)};
}

w4_source source_of(const Problem& p, const SourceTensors& tensors) {
  return {.wei = &tensors.wei.desc,
          .scale = &tensors.scale.desc,
          .zp = tensors.zp ? &tensors.zp->desc : nullptr,
          .n = p.n,
          .k = p.k,
          .group_size = p.g,
          .symmetric = p.zp == ZpMode::none,
          .zp_wanted = p.zp == ZpMode::unpacked ? W4_ZP_UNPACKED : W4_ZP_PACKED,
          .weight_row_pad_bytes = resolved_wpad(p),
          .scale_row_pad = resolved_spad(p),
          .carrier_row_pad = p.cpad.value_or(0),
          .n0 = p.n0,
          .k0 = p.k0,
          .experts = p.experts,
          .g_idx = tensors.gidx ? &tensors.gidx->desc : nullptr};
}

}  // namespace w4
