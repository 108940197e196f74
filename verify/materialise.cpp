#include "verify/materialise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/layout.h"

namespace w4 {
namespace {

int64_t size(int64_t v) { return std::max<int64_t>(v, 0); }
int64_t octets(int64_t v) { return (size(v) + 7) / 8; }

using Wide = __int128;

// More than kCaseBytes wherever it matters: extents past it are cut, so that no product overflows.
Wide matrix_bytes(int64_t rows, int64_t stride, int64_t element) {
  constexpr int64_t kCut = kCaseBytes + 1;
  return Wide{std::clamp<int64_t>(rows, 0, kCut)} * std::clamp<int64_t>(stride, 1, kCut) * element;
}

// More than a MoE problem can have: every expert's last block may be padding but for one row.
int64_t padded_rows(const Problem& p) {
  const Wide rows = Wide{slots(p)} + Wide{std::min(slots(p), size(p.experts))} * size(p.blockm);
  return static_cast<int64_t>(std::min<Wide>(rows, int64_t{1} << 62));
}

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

int64_t clamped_sum(std::initializer_list<int64_t> parts) {
  Wide sum = 0;
  for (const int64_t v : parts) sum += size(v);
  return static_cast<int64_t>(std::min<Wide>(sum, std::numeric_limits<int64_t>::max()));
}

}  // namespace

bool sharded(const Problem& p) { return p.experts == 0 && (p.n0 != 0 || p.k0 != 0); }

int64_t checkpoint_rows(const Problem& p) {
  return sharded(p) ? clamped_sum({p.n0, p.n, 8}) : size(p.n);
}

int64_t checkpoint_columns(const Problem& p) {
  return sharded(p) ? clamped_sum({p.k0, p.k, p.g}) : size(p.k);
}

std::optional<std::string> too_large(const Problem& p, bool dense) {
  const auto [by, bx] = bias_dims(p);
  const int64_t n = weight_rows(p);
  const int64_t rows = p.experts == 0 ? p.m : padded_rows(p);
  const std::array<std::pair<const char*, Wide>, 12> parts{{
      // Codes one byte each, source and prepared words half a byte each, a device copy.
      {"weights", matrix_bytes(n, size(p.k), 2) + matrix_bytes(n, weight_stride_bytes(p), 2)},
      // Of a shard, the whole: codes, words, scales and zero points.
      {"checkpoint",
       sharded(p) ? matrix_bytes(checkpoint_rows(p), checkpoint_columns(p), 3) : Wide{0}},
      {"dense weights", dense ? matrix_bytes(n, dense_stride(p), 4) : Wide{0}},
      {"scales and zero points", matrix_bytes(n, scale_stride(p), 24)},
      {"carrier", matrix_bytes(n, carrier_stride(p), 8)},
      // Bits, doubles of the twin, a device copy.
      {"activations", matrix_bytes(rows, std::max(resolved_lda(p), size(act_columns(p))), 16)},
      {"output", matrix_bytes(rows, std::max(resolved_ldy(p), size(p.n)), 48)},
      {"bias", p.bias.rank == 1
                   ? matrix_bytes(std::max<int64_t>(bx, 1), bias_stride(p), 16)
                   : matrix_bytes(std::max<int64_t>(by, 1), std::max(bias_stride(p), bx), 16)},
      {"leading dimension", p.lead ? matrix_bytes(*p.lead, resolved_ldl(p), 16) : Wide{0}},
      // A row too long for the rest of the arithmetic, even where there are no rows.
      {"K", matrix_bytes(1, size(p.k), 16)},
      // Lists of the routing, even where there are no rows.
      {"experts", p.experts == 0 ? 0 : matrix_bytes(p.experts, 1, 64)},
      {"ids", p.experts == 0 ? 0 : matrix_bytes(rows, 1, 64)},
  }};
  Wide total = 0;
  for (const auto& [name, bytes] : parts) {
    total += bytes;
    if (total > kCaseBytes) {
      return fmt::format("{} bring the case over {} bytes of host memory", name, kCaseBytes);
    }
  }
  return std::nullopt;
}

bool has_meaning(const Problem& p) {
  if (p.lead && (*p.lead < 1 || p.m % *p.lead != 0)) return false;
  if (p.m < 0 || p.n <= 0 || p.k <= 0 || p.g <= 0 || p.k % p.g != 0 || p.k % 8 != 0) return false;
  if (p.act != DType::f16 && p.act != DType::bf16) return false;
  if (p.experts != 0 && (p.experts < 0 || p.topk < 1 || p.topk > p.experts || p.blockm < 1)) {
    return false;
  }
  const auto [by, bx] = bias_dims(p);
  return p.bias.rank == 0 || ((by > 0 || p.m == 0) && bx > 0);
}

namespace {

// Rows n0 to n0+n and columns k0 to k0+k of what the fill says.
std::shared_ptr<Weights> weights_at(const Case& c, int64_t n0, int64_t n, int64_t k0, int64_t k) {
  const Problem& p = c.problem;
  auto w = std::make_shared<Weights>();
  w->n = n, w->k = k, w->g = p.g, w->act = p.act, w->experts = p.experts;
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g);
  const int64_t groups = k / p.g, group0 = k0 / p.g;
  w->q.resize(static_cast<size_t>(n * k));
  w->s.resize(static_cast<size_t>(n * groups));
  if (p.zp != ZpMode::none) w->z.resize(w->s.size());
  std::vector<uint8_t> row(static_cast<size_t>(k0 == 0 ? 0 : k0 + k));
  uint8_t* q = w->q.data();
  size_t i = 0;
  for (int64_t r = n0; r < n0 + n; ++r, q += k) {
    if (row.empty()) {
      fill.code_row(r, {q, static_cast<size_t>(k)});
    } else {
      fill.code_row(r, row);
      std::copy(row.begin() + k0, row.end(), q);
    }
    for (int64_t g = group0; g < group0 + groups; ++g, ++i) {
      w->s[i] = fill.scale(r, g);
      if (!w->z.empty()) w->z[i] = fill.zero(r, g);
    }
  }
  return w;
}

}  // namespace

std::shared_ptr<const Weights> make_weights(const Case& c) {
  const Problem& p = c.problem;
  // Row n of expert e is row e*N + n of the fill; clause shard.range keeps experts whole.
  if (p.experts > 0) {
    auto all = weights_at(c, 0, weight_rows(p), 0, p.k);
    all->n = p.n;
    return all;
  }
  return weights_at(c, p.n0, p.n, p.k0, p.k);
}

std::shared_ptr<const Weights> make_checkpoint(const Case& c) {
  return weights_at(c, 0, checkpoint_rows(c.problem), 0, checkpoint_columns(c.problem));
}

Arrays make_arrays(const Case& c, std::shared_ptr<const Weights> weights, Gate gate) {
  const Problem& p = c.problem;
  if (p.experts > 0) return make_expert_arrays(c, std::move(weights), gate);
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g);
  Arrays x;
  x.m = p.m;
  x.wei = std::move(weights);
  x.a.reserve(static_cast<size_t>(p.m * p.k));
  for (int64_t m = 0; m < p.m; ++m) {
    for (int64_t k = 0; k < p.k; ++k) x.a.push_back(fill.act(m, k));
  }
  if (p.bias.rank == 0) return x;
  const auto [by, bx] = bias_dims(p);
  x.by = by, x.bx = bx;
  for (int64_t r = 0; r < by; ++r) {
    for (int64_t col = 0; col < bx; ++col) x.bias.push_back(fill.bias(r, col));
  }
  return x;
}

SourceTensors make_source(const Problem& p, const Weights* weights) {
  Problem all = p;
  all.n = weight_rows(p);
  return {source_weights(all, weights), source_scales(all, weights),
          source_zero_points(all, weights), source_group_index(p)};
}

// The two enumerations list the same types in the same order.
w4_dtype to_module(DType t) { return static_cast<w4_dtype>(t); }

}  // namespace w4
