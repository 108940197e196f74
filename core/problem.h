// A W4A16 problem as a value:
//   out[m,n] = round( sum_k act[m,k] * (wei[n,k] - zp[n,g(k)]) * scale[n,g(k)] + bias ),  g(k) = k
//   div G
// Any value of the right type is a Problem; whether a kernel takes it is decided by its clauses
// (core/contract.h). Shapes: act [M,K], wei codes [N,K], scale and zp [N,K/G], out [M,N].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/dtypes.h"
#include "core/gpu.h"

namespace w4 {

enum class ZpMode : uint8_t {
  none,      // symmetric: z = 8, no tensor
  packed,    // int32 [N/8,K/G], row n at bits 4*(n mod 8) of word [n div 8, g] (contract.md 5)
  unpacked,  // act dtype [N,K/G], the raw z as a number
};

// Where the weights come from; preparation turns each into the kernel's layout (contract.md 3).
enum class Source : uint8_t { shuffled, ct, awq, gptq1, gptq2 };

// Bias tensor shape: rank 0 (none), 1 or 2; each extent is M, N or a literal. The legal forms are
// `n`, `1xn`, `mxn`, `1x1`, `mx1`; others break clause bias.shape.
struct Extent {
  enum class Of : uint8_t { m, n, literal } of = Of::n;
  int64_t value = 0;  // literal
  bool operator==(const Extent&) const = default;
};
struct BiasShape {
  int rank = 0;
  std::array<Extent, 2> dim{};
  bool operator==(const BiasShape&) const = default;
};

// Forced tile. Decode (y2u4a16w16): rows per wave, unroll, K elements per lane and step, waves.
// Prefill (bm64bn64bk32w4): rows, columns and depth of a workgroup's tile, waves.
struct Tile {
  int y = 0, u = 0, a = 0, w = 0;
  bool gemm = false;
  int bm = 0, bn = 0, bk = 0;
  bool operator==(const Tile&) const = default;
};

// Row padding of prepared weights and scales (core/padding.h), one rule per public version.
enum class Padding : uint8_t { none, f1, f2, v3 };

// GPTQ's g_idx: absent, k div G, or act-order.
enum class GroupIndex : uint8_t { none, sequential, act };

// MoE: which experts a token goes to. Rows of an expert that is elsewhere have id -1.
enum class Routing : uint8_t {
  uniform,    // top_k different experts, drawn evenly
  single,     // every token to experts 0..top_k-1
  skewed,     // half of all draws fall on a quarter of the experts
  elsewhere,  // uniform, and every third expert lives on another rank
  nowhere,    // all of them do
  outside,    // uniform, and every third expert's id is no expert's: past the last, or below -1
};

// MoE: act [T,K] with sorted ids that name a slot for each row, or act [S,K] already in the order
// of the blocks.
enum class Rows : uint8_t { scattered, contiguous };

using Auto = std::optional<int64_t>;  // nullopt: the value the contract derives

struct Problem {
  int64_t m = 1, n = 64, k = 256, g = 128;
  DType act = DType::f16;  // f16, bf16; f32 breaks act.dtype
  ZpMode zp = ZpMode::none;
  BiasShape bias{};
  Source src = Source::shuffled;
  // Row strides and pads. Units: elements of the tensor unless said otherwise.
  Auto lda{};   // activation row stride; auto = K
  Auto wpad{};  // bytes added to each weight row of K/2 bytes; auto: by `pad`
  Auto spad{};  // groups added to each scale row, and to each zero-point row; auto: by `pad`
  Auto ldy{};   // output row stride; auto = N
  Auto ldb{};   // row stride of a 2-D bias (element stride of a 1-D one); auto = contiguous
  // Base pointer offsets in bytes from a 256-byte aligned address.
  int64_t aoff = 0, woff = 0, soff = 0, zoff = 0, boff = 0, yoff = 0;
  // Element types other than the contract's, to break it; auto = as the contract says.
  std::optional<DType> sdt{}, zdt{}, bdt{};
  std::optional<Tile> tile{};  // auto = the kernel's tile table
  // What the device reports to host code; auto = the arch's (core/gpu.h). lds in bytes.
  Auto cus{}, lds{};
  // Leading dimension L: act [L,M/L,K], out [L,M/L,N]; auto = none. ldl: its stride in act, in
  // elements; auto = M/L rows.
  Auto lead{}, ldl{};
  // Preparation. pad: the rule behind wpad and spad where those are auto. n0, k0: rows and columns
  // of the checkpoint before this shard. qzeros: a symmetric checkpoint carries zero points all the
  // same. cpad, coff: row pad (groups) and pointer offset of the carrier.
  Padding pad = Padding::none;
  GroupIndex gidx = GroupIndex::none;
  int64_t n0 = 0, k0 = 0;
  bool qzeros = false;
  Auto cpad{};
  int64_t coff = 0;
  // MoE, where experts > 0: M tokens, S = M*topk slots. blockm: rows per block. idt: type of the
  // expert ids; auto = i32.
  int64_t experts = 0, topk = 1, blockm = 1;
  Routing route = Routing::uniform;
  Rows rows = Rows::scattered;
  bool silu = false;
  std::optional<DType> idt{};

  bool operator==(const Problem&) const = default;
};

// K/G, ceil(K/8) and friends for ANY problem, legal or not: never divide by zero, never negative.
int64_t groups(const Problem& p);            // floor(K/G), 0 where G <= 0 or K <= 0
int64_t weight_row_bytes(const Problem& p);  // ceil(K/2)
int64_t resolved_lda(const Problem& p);
int64_t resolved_ldy(const Problem& p);
// act [L,T,K] where `lead` is given, T = M/L (0 where L < 1): strides of T and L in elements;
// whether rows are equally far apart, so that it is [M,K] as well; and how far then.
int64_t lead_rows(const Problem& p);
int64_t resolved_ldl(const Problem& p);
bool lead_collapses(const Problem& p);
bool lead_divides(const Problem& p);  // L*T = M; true without `lead`
int64_t collapsed_lda(const Problem& p);
int64_t resolved_wpad(const Problem& p);        // bytes, wherever the pad comes from
int64_t resolved_spad(const Problem& p);        // groups
int64_t weight_stride_bytes(const Problem& p);  // row stride: weight_row_bytes + pad
int64_t scale_stride(const Problem& p);         // row stride in groups: groups + pad
int64_t carrier_stride(const Problem& p);       // row stride of the carrier in groups
int64_t dense_stride(const Problem& p);         // row stride of dense weights [N,K] in elements
// Bias dims resolved against M and N: {By, Bx}; rank 1 gives {1, Bx}; rank 0 gives {0, 0}.
std::array<int64_t, 2> bias_dims(const Problem& p);
int64_t bias_stride(const Problem& p);  // elements between rows (rank 2) or elements (rank 1)

Reported resolve_reported(const Problem& p, const GpuModel& gpu);

// MoE. Slots: T*topk, clamped to [0, 2^62]. Columns of act: K, or 2K where silu (gate, then up).
int64_t slots(const Problem& p);
int64_t act_columns(const Problem& p);
// Rows of all weights: N, or experts*N; clamped as above.
int64_t weight_rows(const Problem& p);

// Text of the closed sets, as in a case line: to_string prints, parse_* accepts exactly that.
std::string_view name_of(ZpMode v);
std::string_view name_of(Source v);
std::string_view name_of(Padding v);
std::string_view name_of(GroupIndex v);
std::string_view name_of(Routing v);
std::string_view name_of(Rows v);
std::string to_string(const BiasShape& b);
std::string to_string(const Tile& t);

// Calls f(key, member) for every field: print, parse, generators and shrinkers stay complete by
// construction. `P` is Problem or const Problem.
template <class P, class F>
void for_each_field(P& p, F&& f) {
  f("m", p.m);
  f("n", p.n);
  f("k", p.k);
  f("g", p.g);
  f("act", p.act);
  f("zp", p.zp);
  f("bias", p.bias);
  f("src", p.src);
  f("lda", p.lda);
  f("wpad", p.wpad);
  f("spad", p.spad);
  f("ldy", p.ldy);
  f("ldb", p.ldb);
  f("aoff", p.aoff);
  f("woff", p.woff);
  f("soff", p.soff);
  f("zoff", p.zoff);
  f("boff", p.boff);
  f("yoff", p.yoff);
  f("sdt", p.sdt);
  f("zdt", p.zdt);
  f("bdt", p.bdt);
  f("tile", p.tile);
  f("cus", p.cus);
  f("lds", p.lds);
  f("lead", p.lead);
  f("ldl", p.ldl);
  f("pad", p.pad);
  f("gidx", p.gidx);
  f("n0", p.n0);
  f("k0", p.k0);
  f("qzeros", p.qzeros);
  f("cpad", p.cpad);
  f("coff", p.coff);
  f("experts", p.experts);
  f("topk", p.topk);
  f("blockm", p.blockm);
  f("route", p.route);
  f("rows", p.rows);
  f("silu", p.silu);
  f("idt", p.idt);
}

}  // namespace w4
