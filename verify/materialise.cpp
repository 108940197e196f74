#include "verify/materialise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace w4 {
namespace {

int64_t size(int64_t v) { return std::max<int64_t>(v, 0); }

using Wide = __int128;

// More than kCaseBytes wherever it matters: extents past it are cut, so that no product overflows.
Wide matrix_bytes(int64_t rows, int64_t stride, int64_t element) {
  constexpr int64_t kCut = kCaseBytes + 1;
  return Wide{std::clamp<int64_t>(rows, 0, kCut)} * std::clamp<int64_t>(stride, 1, kCut) * element;
}

// More than a MoE problem can have: every expert's last block may be padding but for one row. A
// call that is refused has the blocks of one expert at least.
int64_t padded_rows(const Problem& p) {
  const Wide rows =
      Wide{slots(p)} + Wide{std::min(slots(p), std::max<int64_t>(p.experts, 1))} * size(p.blockm);
  return static_cast<int64_t>(std::min<Wide>(rows, int64_t{1} << 62));
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
  const int64_t rows = p.experts == 0 ? p.m : std::max(p.m, padded_rows(p));
  // Nothing of the pads of act is in host memory.
  if (matrix_bytes(rows, resolved_lda(p), 2) > kBufferBytes) {
    return fmt::format("activations span more than {} bytes", kBufferBytes);
  }
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
      {"activations", matrix_bytes(rows, size(act_columns(p)), 16)},
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
  if (p.lead && (*p.lead < 0 || !lead_divides(p))) return false;
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
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g, p.experts == 0 ? p.k0 : 0);
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
      w->s[i] = c.only.row(p.experts > 0 ? r % p.n : r - p.n0) ? fill.scale(r, g) : uint16_t{0};
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
    for (int64_t k = 0; k < p.k; ++k) {
      x.a.push_back(c.only.act(m, k) ? fill.act(m, k) : uint16_t{0});
    }
  }
  if (p.bias.rank == 0) return x;
  const auto [by, bx] = bias_dims(p);
  x.by = by, x.bx = bx;
  for (int64_t r = 0; r < by; ++r) {
    for (int64_t col = 0; col < bx; ++col) x.bias.push_back(fill.bias(r, col));
  }
  return x;
}

// The two enumerations list the same types in the same order.
w4_dtype to_module(DType t) { return static_cast<w4_dtype>(t); }

}  // namespace w4
