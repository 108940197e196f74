#include "core/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/padding.h"

namespace w4 {
namespace {

// a + b clamped to [0, int64 max]: an illegal problem still has a size that can be printed and
// compared.
int64_t size_sum(int64_t a, int64_t b) {
  const __int128 sum = static_cast<__int128>(a) + b;
  return static_cast<int64_t>(std::clamp<__int128>(sum, 0, std::numeric_limits<int64_t>::max()));
}

int64_t size(int64_t v) { return std::max<int64_t>(v, 0); }

int64_t size_product(int64_t a, int64_t b) {
  const __int128 product = static_cast<__int128>(size(a)) * size(b);
  return static_cast<int64_t>(std::min<__int128>(product, int64_t{1} << 62));
}

int64_t extent(const Problem& p, const Extent& e) {
  switch (e.of) {
    case Extent::Of::m:
      return size(p.m);
    case Extent::Of::n:
      return size(p.n);
    case Extent::Of::literal:
      break;
  }
  return size(e.value);
}

std::string to_string(const Extent& e) {
  switch (e.of) {
    case Extent::Of::m:
      return "m";
    case Extent::Of::n:
      return "n";
    case Extent::Of::literal:
      break;
  }
  return fmt::format("{}", e.value);
}

}  // namespace

int64_t slots(const Problem& p) { return size_product(p.m, p.topk); }

int64_t act_columns(const Problem& p) {
  return p.experts != 0 && p.silu ? size_product(p.k, 2) : p.k;
}

int64_t weight_rows(const Problem& p) {
  return p.experts != 0 ? size_product(p.n, p.experts) : size(p.n);
}

int64_t groups(const Problem& p) { return p.g <= 0 || p.k <= 0 ? 0 : p.k / p.g; }

int64_t weight_row_bytes(const Problem& p) { return p.k <= 0 ? 0 : p.k / 2 + p.k % 2; }

int64_t resolved_lda(const Problem& p) { return size(p.lda.value_or(act_columns(p))); }

int64_t lead_rows(const Problem& p) {
  return p.lead.value_or(1) < 1 ? 0 : p.m / p.lead.value_or(1);
}

int64_t resolved_ldl(const Problem& p) {
  return p.ldl ? size(*p.ldl) : size_product(lead_rows(p), resolved_lda(p));
}

bool lead_collapses(const Problem& p) {
  const int64_t rows = lead_rows(p);
  if (p.lead.value_or(1) <= 1 || rows <= 1) return true;
  return static_cast<__int128>(rows) * resolved_lda(p) == resolved_ldl(p);
}

bool lead_divides(const Problem& p) {
  return !p.lead || static_cast<__int128>(*p.lead) * lead_rows(p) == p.m;
}

int64_t collapsed_lda(const Problem& p) {
  return p.lead.value_or(1) > 1 && lead_rows(p) == 1 ? resolved_ldl(p) : resolved_lda(p);
}

int64_t resolved_ldy(const Problem& p) { return size(p.ldy.value_or(p.n)); }

int64_t resolved_wpad(const Problem& p) {
  return p.wpad ? *p.wpad : weight_row_pad(p.pad, weight_row_bytes(p));
}

int64_t resolved_spad(const Problem& p) {
  return p.spad ? *p.spad : scale_row_pad(p.pad, groups(p));
}

int64_t weight_stride_bytes(const Problem& p) {
  return size_sum(weight_row_bytes(p), resolved_wpad(p));
}

int64_t scale_stride(const Problem& p) { return size_sum(groups(p), resolved_spad(p)); }

int64_t carrier_stride(const Problem& p) { return size_sum(groups(p), p.cpad.value_or(0)); }

// A pad that is no whole number of words stays none: half an element becomes an odd number of them.
int64_t dense_stride(const Problem& p) {
  const int64_t pad = resolved_wpad(p);
  return size_sum(size(p.k), pad % 4 == 0 ? pad / 2 : (pad / 2) | 1);
}

std::array<int64_t, 2> bias_dims(const Problem& p) {
  switch (p.bias.rank) {
    case 1:
      return {1, extent(p, p.bias.dim[0])};
    case 2:
      return {extent(p, p.bias.dim[0]), extent(p, p.bias.dim[1])};
    default:
      return {0, 0};
  }
}

int64_t bias_stride(const Problem& p) {
  if (p.ldb) return size(*p.ldb);
  return p.bias.rank == 2 ? bias_dims(p)[1] : p.bias.rank;
}

Reported resolve_reported(const Problem& p, const GpuModel& gpu) {
  return {.cus = p.cus.value_or(gpu.wgps), .lds = p.lds.value_or(gpu.lds_per_block)};
}

std::string_view name_of(ZpMode v) {
  switch (v) {
    case ZpMode::none:
      return "none";
    case ZpMode::packed:
      return "packed";
    case ZpMode::unpacked:
      break;
  }
  return "unpacked";
}

std::string_view name_of(Source v) {
  switch (v) {
    case Source::shuffled:
      return "shuffled";
    case Source::ct:
      return "ct";
    case Source::awq:
      return "awq";
    case Source::gptq1:
      return "gptq1";
    case Source::gptq2:
      break;
  }
  return "gptq2";
}

std::string_view name_of(Padding v) {
  constexpr std::array<std::string_view, 4> kNames{"none", "f1", "f2", "v3"};
  return kNames[static_cast<size_t>(v)];
}

std::string_view name_of(GroupIndex v) {
  constexpr std::array<std::string_view, 3> kNames{"none", "sequential", "act"};
  return kNames[static_cast<size_t>(v)];
}

std::string_view name_of(Routing v) {
  constexpr std::array<std::string_view, 6> kNames{"uniform",   "single",  "skewed",
                                                   "elsewhere", "nowhere", "outside"};
  return kNames[static_cast<size_t>(v)];
}

std::string_view name_of(Rows v) { return v == Rows::scattered ? "scattered" : "contiguous"; }

std::string to_string(const BiasShape& b) {
  if (b.rank == 0) return "none";
  if (b.rank == 1) return to_string(b.dim[0]);
  return to_string(b.dim[0]) + "x" + to_string(b.dim[1]);
}

std::string to_string(const Tile& t) {
  return t.gemm ? fmt::format("bm{}bn{}bk{}w{}", t.bm, t.bn, t.bk, t.w)
                : fmt::format("y{}u{}a{}w{}", t.y, t.u, t.a, t.w);
}

}  // namespace w4
