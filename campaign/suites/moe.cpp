#include "campaign/suites/moe.h"

#include <array>

#include "kernels/moe_tile.h"

namespace w4 {
namespace {

constexpr std::array<int64_t, 3> kGroups{32, 64, 128};
constexpr std::array kActs{DType::f16, DType::bf16};
constexpr std::array kRoutes{Routing::uniform,   Routing::single,  Routing::skewed,
                             Routing::elsewhere, Routing::nowhere, Routing::outside};
constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};

template <class Range>
auto turn(const Range& r, size_t i) {
  return r[i % std::size(r)];
}

Case base(const char* kernel, int64_t m, int64_t n, int64_t k, int64_t experts, int64_t topk,
          uint64_t seed) {
  Case c;
  c.kernel = kernel;
  c.seed = seed;
  Problem& p = c.problem;
  p.m = m, p.n = n, p.k = k, p.experts = experts, p.topk = topk;
  return c;
}

// Qwen3-30B-A3B, G = 128: w13 and w2 of an expert. 16 of its 128 experts: the rest would add
// weights to make and nothing to compute.
constexpr int64_t kExperts = 16, kTopk = 8;
struct Layer {
  int64_t n, k;
};
constexpr std::array kLayers{Layer{1536, 2048}, Layer{2048, 768}};

void add_model(std::vector<Case>& out, uint64_t seed) {
  size_t at = 0;
  for (const Layer& layer : kLayers) {
    for (const int64_t block_m : {1, 2, 4}) {
      const int64_t tokens = block_m == 1 ? 1 : block_m == 2 ? 3 : 5;
      Case c = base("moe", tokens, layer.n, layer.k, kExperts, kTopk, seed);
      c.problem.blockm = block_m;
      c.problem.act = turn(kActs, at);
      c.problem.zp = at % 3 == 1 ? ZpMode::packed : ZpMode::none;
      c.problem.src = at % 2 == 0 ? Source::ct : Source::shuffled;
      out.push_back(c);
      ++at;
    }
  }
  // w2 takes the gate and the up half of every slot.
  Case fused = base("moe", 1, 2048, 768, kExperts, kTopk, seed);
  fused.problem.silu = true;
  out.push_back(fused);
}

// Every tokens 1-5 x block_m 1-5 x G x type x zero points x order of rows, the routings in turn.
void add_small(std::vector<Case>& out, uint64_t seed) {
  constexpr std::array<int64_t, 6> kN{24, 8, 40, 136, 16, 72};
  constexpr std::array<int64_t, 6> kRagged{19, 1, 3, 33, 66, 7};
  size_t at = 0;
  for (int64_t m = 1; m <= 5; ++m) {
    for (int64_t block_m = 1; block_m <= 5; ++block_m) {
      for (const int64_t g : kGroups) {
        for (const DType act : kActs) {
          for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
            for (const Rows rows : {Rows::scattered, Rows::contiguous}) {
              const int64_t groups = 1 + static_cast<int64_t>(at % 7);
              Case c = base("moe", m, 0, g * groups, 5, 1 + static_cast<int64_t>(at / 3 % 3), seed);
              Problem& p = c.problem;
              p.n = zp == ZpMode::packed ? turn(kN, at / 5) : turn(kRagged, at / 5);
              p.g = g, p.act = act, p.zp = zp, p.rows = rows, p.blockm = block_m;
              p.route = turn(kRoutes, at);
              p.src = at / 2 % 2 == 0 ? Source::ct : Source::shuffled;
              p.cus = std::array<Auto, 4>{Auto{}, 1, 3, 48}[at / 7 % 4];
              if (at % 5 == 2) p.wpad = 12, p.spad = 3;
              if (at % 5 == 3) p.aoff = 16, p.woff = 4, p.soff = 2, p.yoff = 2;
              c.fill =
                  turn(std::array{Fill::flat, Fill::normal, Fill::integer, Fill::onehot}, at / 11);
              c.sched.order = turn(kOrders, at / 2);
              out.push_back(c);
              ++at;
            }
          }
        }
      }
    }
  }
}

// Every tile at every K that a rule looks at, and both sides of both arrays.
void add_tiles(std::vector<Case>& out, uint64_t seed) {
  constexpr std::array<int64_t, 7> kK{256, 512, 768, 1024, 2048, 8192, 8320};
  size_t at = 0;
  for (const bool silu : {false, true}) {
    for (const int64_t k : kK) {
      for (const DType act : kActs) {
        if (silu && !moe_silu_fits(1, k)) continue;
        Case c = base("moe", 2, 24, k, 4, 2, seed);
        c.problem.silu = silu;
        c.problem.act = act;
        c.problem.g = turn(kGroups, at);
        c.problem.zp = at / 2 % 2 == 0 ? ZpMode::packed : ZpMode::none;
        c.problem.rows = silu && at % 3 == 0 ? Rows::contiguous : Rows::scattered;
        c.problem.route = silu && at % 4 == 1 ? Routing::elsewhere : Routing::uniform;
        out.push_back(c);
        if (k == 1024 || k == 8192) {
          for (const Tile& tile : moe_tiles(1, k, silu)) {
            c.problem.tile = tile;
            c.problem.cus = 1;
            out.push_back(c);
          }
        }
        ++at;
      }
    }
  }
  for (int64_t block_m = 1; block_m <= 5; ++block_m) {
    for (const int64_t elements : {int64_t{8192}, int64_t{32768}}) {
      for (const int64_t past : {0, 1, 2}) {
        const int64_t g = turn(kGroups, at);
        const int64_t fits = elements / block_m / g * g;
        Case c = base("moe", 3, 19, past == 2 ? 2 * fits + g : fits + past * g, 2, 2, seed);
        c.problem.g = g;
        c.problem.blockm = block_m;
        c.problem.act = turn(kActs, at);
        c.problem.lds = past == 1 ? Auto{163840} : Auto{};
        c.problem.cus = 2;
        out.push_back(c);
        ++at;
      }
    }
    for (const int64_t k : {int64_t{512}, int64_t{65536} / block_m / 128 * 128}) {
      for (const Tile& tile : moe_tiles(block_m, k, false)) {
        Case c = base("moe", 3, 24, k, 3, 1, seed);
        c.problem.blockm = block_m;
        c.problem.tile = tile;
        c.problem.act = turn(kActs, at);
        c.problem.zp = at / 2 % 2 == 0 ? ZpMode::packed : ZpMode::none;
        out.push_back(c);
        ++at;
      }
    }
    // Enough columns a CU that the table takes tiles of 4 rows.
    if (block_m >= 3) {
      Case c = base("moe", 3, 168, 256, 3, 2, seed);
      c.problem.blockm = block_m;
      c.problem.cus = 1;
      out.push_back(c);
    }
  }
}

// 16 and 64 tokens of the model with 8 of its experts, then every block_m x G x type x zero points
// x order of rows at small shapes, ragged in rows and columns.
void add_prefill(std::vector<Case>& out, uint64_t seed) {
  size_t at = 0;
  for (const Layer& layer : kLayers) {
    for (const int64_t tokens : {16, 64}) {
      Case c = base("moe_prefill", tokens, layer.n, layer.k, 8, tokens == 16 ? 4 : 2, seed);
      c.problem.blockm = tokens == 16 ? 16 : 64;
      c.problem.act = turn(kActs, at);
      c.problem.zp = at / 2 % 2 == 0 ? ZpMode::packed : ZpMode::none;
      out.push_back(c);
      ++at;
    }
  }
  constexpr std::array<int64_t, 3> kBlocks{16, 32, 64};
  constexpr std::array<int64_t, 4> kN{24, 72, 8, 136};
  constexpr std::array<int64_t, 4> kRagged{19, 1, 65, 130};
  constexpr std::array<int64_t, 5> kTokens{16, 5, 64, 1, 23};
  for (const int64_t block_m : kBlocks) {
    for (const int64_t g : kGroups) {
      for (const DType act : kActs) {
        for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
          for (const Rows rows : {Rows::scattered, Rows::contiguous}) {
            Case c =
                base("moe_prefill", turn(kTokens, at), 0, g * (1 + static_cast<int64_t>(at % 5)), 5,
                     1 + static_cast<int64_t>(at / 3 % 3), seed);
            Problem& p = c.problem;
            p.n = zp == ZpMode::packed ? turn(kN, at / 5) : turn(kRagged, at / 5);
            p.g = g, p.act = act, p.zp = zp, p.rows = rows, p.blockm = block_m;
            p.route = turn(kRoutes, at);
            p.src = at / 2 % 2 == 0 ? Source::ct : Source::shuffled;
            if (at % 5 == 2) p.wpad = 12, p.spad = 3;
            if (at % 5 == 3) p.aoff = 16, p.woff = 4, p.soff = 2, p.yoff = 2;
            c.fill = turn(std::array{Fill::flat, Fill::normal, Fill::integer}, at / 11);
            c.sched.order = turn(kOrders, at / 2);
            out.push_back(c);
            ++at;
          }
        }
      }
    }
  }
}

constexpr std::array kRefusals{
    MoeRefusal{"experts.positive", "moe m=2"},
    MoeRefusal{"experts.positive", "moe m=2 experts=-1"},
    MoeRefusal{"act.rank", "moe m=2 experts=2 lead=2"},
    MoeRefusal{"act.rank", "moe m=2 experts=2 silu=1 rows=contiguous lead=1"},
    MoeRefusal{"topk.range", "moe m=2 experts=2 topk=3"},
    MoeRefusal{"topk.range", "moe m=2 experts=2 topk=0"},
    MoeRefusal{"act.dtype", "moe m=2 experts=2 act=f32"},
    MoeRefusal{"tokens.positive", "moe m=0 experts=2"},
    MoeRefusal{"blockm.range", "moe m=2 experts=2 blockm=6"},
    MoeRefusal{"blockm.range", "moe m=2 experts=2 blockm=0"},
    MoeRefusal{"bias.none", "moe m=2 experts=2 bias=n"},
    MoeRefusal{"k.positive", "moe m=2 experts=2 k=0"},
    MoeRefusal{"n.positive", "moe m=2 experts=2 n=0"},
    MoeRefusal{"out.contiguous", "moe m=2 experts=2 ldy=80"},
    MoeRefusal{"ids.dtype", "moe m=2 experts=2 idt=i64"},
    MoeRefusal{"silu.guard", "moe m=2 experts=2 silu=1 blockm=2"},
    MoeRefusal{"silu.guard", "moe m=2 experts=2 silu=1 k=8320 n=18"},
    MoeRefusal{"act.contiguous", "moe m=2 experts=2 lda=512"},
    MoeRefusal{"act.contiguous", "moe m=2 experts=2 silu=1 lda=256"},
    MoeRefusal{"weight.stride", "moe m=2 experts=2 wpad=2"},
    MoeRefusal{"scale.dtype", "moe m=2 experts=2 sdt=f32"},
    MoeRefusal{"group.size", "moe m=2 experts=2 g=16"},
    MoeRefusal{"k.group", "moe m=2 experts=2 k=96 g=64"},
    MoeRefusal{"scale.stride", "moe m=2 experts=2 spad=-1"},
    MoeRefusal{"zp.encoding", "moe m=2 experts=2 zp=unpacked"},
    MoeRefusal{"zp.dtype", "moe m=2 experts=2 zp=packed zdt=f16"},
    MoeRefusal{"zp.octet", "moe m=2 experts=2 n=12 zp=packed"},
    MoeRefusal{"k.step", "moe m=2 experts=2 k=24 g=24"},
    MoeRefusal{"cus.positive", "moe m=2 experts=2 cus=0"},
    MoeRefusal{"lds.device", "moe m=2 experts=2 lds=65535"},
    MoeRefusal{"align.act", "moe m=2 experts=2 aoff=8"},
    MoeRefusal{"align.weight", "moe m=2 experts=2 woff=2"},
    MoeRefusal{"align.scale", "moe m=2 experts=2 soff=1"},
    MoeRefusal{"align.zp", "moe m=2 experts=2 zp=packed zoff=2"},
    MoeRefusal{"align.out", "moe m=2 experts=2 yoff=1"},
    MoeRefusal{"tile.moe", "moe m=2 experts=2 tile=y2u4a16w16"},
    MoeRefusal{"tile.moe", "moe m=2 experts=2 blockm=3 k=16384 tile=y2u2a16w16"},
    MoeRefusal{"source.experts", "moe m=2 experts=2 src=awq"},
    MoeRefusal{"source.experts", "moe m=2 experts=2 src=gptq1"},
    MoeRefusal{"source.octet", "moe m=2 experts=2 n=12 src=ct zp=packed"},
    MoeRefusal{"experts.positive", "moe_prefill m=16 blockm=16"},
    MoeRefusal{"act.rank", "moe_prefill m=16 blockm=16 experts=2 lead=3"},
    MoeRefusal{"topk.range", "moe_prefill m=16 blockm=16 experts=2 topk=3"},
    MoeRefusal{"act.dtype", "moe_prefill m=16 blockm=16 experts=2 act=f32"},
    MoeRefusal{"tokens.positive", "moe_prefill m=0 blockm=16 experts=2"},
    MoeRefusal{"blockm.tile", "moe_prefill m=16 blockm=24 experts=2"},
    MoeRefusal{"blockm.tile", "moe_prefill m=16 blockm=4 experts=2"},
    MoeRefusal{"bias.none", "moe_prefill m=16 blockm=16 experts=2 bias=n"},
    MoeRefusal{"k.positive", "moe_prefill m=16 blockm=16 experts=2 k=0"},
    MoeRefusal{"n.positive", "moe_prefill m=16 blockm=16 experts=2 n=0"},
    MoeRefusal{"silu.none", "moe_prefill m=16 blockm=16 experts=2 silu=1"},
    MoeRefusal{"out.contiguous", "moe_prefill m=16 blockm=16 experts=2 ldy=80"},
    MoeRefusal{"ids.dtype", "moe_prefill m=16 blockm=16 experts=2 idt=i64"},
    MoeRefusal{"act.contiguous", "moe_prefill m=16 blockm=16 experts=2 lda=512"},
    MoeRefusal{"weight.stride", "moe_prefill m=16 blockm=16 experts=2 wpad=2"},
    MoeRefusal{"tile.auto", "moe_prefill m=16 blockm=16 experts=2 tile=bm16bn32bk32w2"},
    MoeRefusal{"scale.dtype", "moe_prefill m=16 blockm=16 experts=2 sdt=f32"},
    MoeRefusal{"group.size", "moe_prefill m=16 blockm=16 experts=2 g=16"},
    MoeRefusal{"k.group", "moe_prefill m=16 blockm=16 experts=2 k=96 g=64"},
    MoeRefusal{"scale.stride", "moe_prefill m=16 blockm=16 experts=2 spad=-1"},
    MoeRefusal{"zp.encoding", "moe_prefill m=16 blockm=16 experts=2 zp=unpacked"},
    MoeRefusal{"zp.dtype", "moe_prefill m=16 blockm=16 experts=2 zp=packed zdt=f16"},
    MoeRefusal{"zp.octet", "moe_prefill m=16 blockm=16 experts=2 n=12 zp=packed"},
    MoeRefusal{"lds.device", "moe_prefill m=16 blockm=16 experts=2 lds=65535"},
    MoeRefusal{"align.act", "moe_prefill m=16 blockm=16 experts=2 aoff=8"},
    MoeRefusal{"align.weight", "moe_prefill m=16 blockm=16 experts=2 woff=2"},
    MoeRefusal{"align.scale", "moe_prefill m=16 blockm=16 experts=2 soff=1"},
    MoeRefusal{"align.zp", "moe_prefill m=16 blockm=16 experts=2 zp=packed zoff=2"},
    MoeRefusal{"align.out", "moe_prefill m=16 blockm=16 experts=2 yoff=1"},
    MoeRefusal{"source.experts", "moe_prefill m=16 blockm=16 experts=2 src=awq"},
    MoeRefusal{"source.octet", "moe_prefill m=16 blockm=16 experts=2 n=12 src=ct zp=packed"},
};

}  // namespace

std::span<const MoeRefusal> moe_refusals() { return kRefusals; }

std::vector<Case> moe_cases(uint64_t seed) {
  std::vector<Case> out;
  add_model(out, seed);
  add_small(out, seed);
  add_tiles(out, seed);
  add_prefill(out, seed);
  for (const MoeRefusal& r : kRefusals) {
    Result<Case> c = parse_case(r.line);  // the tests parse each of them
    c->seed = seed;
    out.push_back(std::move(*c));
  }
  return out;
}

std::vector<Case> moe_instantiations(uint64_t seed) {
  std::vector<Case> out;
  for (const int64_t g : kGroups) {
    for (const DType act : kActs) {
      for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
        const auto add = [&](int64_t block_m, int64_t k, bool silu, const Tile& tile) {
          Case c = base("moe", 2, zp == ZpMode::none ? 7 : 8, k, 2, 2, seed);
          Problem& p = c.problem;
          p.g = g, p.act = act, p.zp = zp, p.blockm = block_m, p.silu = silu, p.tile = tile;
          out.push_back(std::move(c));
        };
        for (int64_t block_m = 1; block_m <= 5; ++block_m) {
          const int64_t past = (32768 / block_m / g + 1) * g;
          for (const Tile& t : moe_tiles(block_m, g, false)) {
            // A whole step of U chunks, a step of one, and lanes without one in the last.
            const int64_t k = 32 * int64_t{t.a} * (t.u + 1) + g;
            if (moe_form(block_m, k, false, t)) add(block_m, k, false, t);
          }
          for (const Tile& t : moe_tiles(block_m, past, false)) add(block_m, past, false, t);
        }
        for (const int64_t block_m : {16, 32, 64}) {
          Case c = base("moe_prefill", 9, zp == ZpMode::none ? 7 : 8, 2 * g, 2, 2, seed);
          Problem& p = c.problem;
          p.g = g, p.act = act, p.zp = zp, p.blockm = block_m;
          out.push_back(std::move(c));
        }
        for (const Tile& t : moe_tiles(1, g, true)) {
          add(1, 32 * int64_t{t.a} * (t.u + 1) + g, true, t);
        }
      }
    }
  }
  return out;
}

}  // namespace w4
