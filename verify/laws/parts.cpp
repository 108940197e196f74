// Laws within bounds: other kernels for the same product, and products put together from parts.
#include <algorithm>

#include "core/contract.h"
#include "reference/experts.h"
#include "verify/laws/laws.h"

namespace w4 {
namespace {

// The case's product of `m` rows for a dense kernel of the same module or, where that has none of
// this name, built in. Of the first call's memory nothing is kept.
std::optional<Case> line_of(const Given& g, std::string_view kernel, int64_t m) {
  Case line = g.line();
  line.law = Law::reference;
  line.kernel = kernel;
  const Problem& own = g.problem();
  Problem& q = line.problem;
  q = {};
  q.m = m, q.n = own.n, q.k = own.k, q.g = own.g, q.act = own.act, q.zp = own.zp;
  q.bias = own.bias, q.src = own.src, q.cus = own.cus, q.lds = own.lds;
  q.gidx = own.gidx, q.n0 = own.n0, q.k0 = own.k0, q.qzeros = own.qzeros;
  if (!g.why_not(line)) return line;
  line.module.clear();
  if (!g.why_not(line)) return line;
  return std::nullopt;
}

// The other side of the case's kernel: decode or prefill, of as many of its rows as both take. A
// fill gives the rows of a smaller M and of a larger one the same data.
std::optional<Case> other_route(const Given& g) {
  const Problem& own = g.problem();
  const int64_t few = std::min(own.m, kMaxDecodeM);
  if (g.line().kernel == "hybrid") {
    const int64_t fits = std::min(few, kLdsElements / own.k);
    return routes_to_decode(own.m, own.k) ? line_of(g, "hybrid", kMaxDecodeM + 1)
           : fits >= 1                    ? line_of(g, "hybrid", fits)
                                          : std::nullopt;
  }
  if (own.m <= kMaxDecodeM && !g.line().kernel.starts_with("prefill")) {
    return line_of(g, "prefill", own.m);
  }
  auto line = line_of(g, "chunked", few);
  return line ? line : line_of(g, "decode", few);
}

template <class T>
std::vector<T> columns(const std::vector<T>& all, int64_t length, int64_t from, int64_t count) {
  std::vector<T> out;
  for (size_t r = 0; r < all.size(); r += static_cast<size_t>(length)) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(r) + from;
    out.insert(out.end(), at, at + count);
  }
  return out;
}

Weights columns(const Weights& w, int64_t from, int64_t count) {
  Weights out = w;
  out.k = count;
  out.q = columns(w.q, w.k, from, count);
  out.s = columns(w.s, w.groups(), from / w.g, count / w.g);
  out.z = columns(w.z, w.groups(), from / w.g, count / w.g);
  return out;
}

// What preparation cuts the last columns of `w` from: `w`, a group and eight rows of copies.
std::shared_ptr<const SourceTensors> checkpoint_of(const Problem& shard, const Weights& w) {
  Weights all = w;
  all.n = checkpoint_rows(shard), all.k = checkpoint_columns(shard);
  const auto grow = [&](auto& values, const auto& from, int64_t length, int64_t wanted) {
    values.clear();
    if (from.empty()) return;
    for (int64_t r = 0; r < all.n; ++r) {
      for (int64_t i = 0; i < wanted; ++i) {
        values.push_back(from[static_cast<size_t>(r % w.n * length + i % length)]);
      }
    }
  };
  grow(all.q, w.q, w.k, all.k);
  grow(all.s, w.s, w.groups(), all.groups());
  grow(all.z, w.z, w.groups(), all.groups());
  return std::make_shared<const SourceTensors>(make_source(shard, &all));
}

// Whether preparation takes shards at all: whoever does says which it refuses.
bool cuts_shards(const Given& g) {
  for (const char* const* c = g.setup().kernel->clauses; *c != nullptr; ++c) {
    if (std::string_view(*c) == "shard.range") return true;
  }
  return false;
}

// Columns from..from+count of the case's product. The second shard comes from a checkpoint by way
// of preparation where the case is no shard itself.
Result<Side> shard_of(const Given& g, const Side& whole, int64_t from, int64_t count) {
  Side out = whole;
  Problem& q = out.line.problem;
  q.k = count, q.n0 = q.k0 = 0;
  q.tile.reset();
  out.x.a = columns(whole.x.a, whole.x.wei->k, from, count);
  if (out.x.moe) {
    out.x.moe->act = columns(out.x.moe->act, whole.x.wei->k, from, count);
    out.x.moe->act_columns = count;
  }
  if (from > 0) {
    q.bias = {}, q.ldb.reset(), q.boff = 0;
    out.x.bias.clear();
    out.x.by = out.x.bx = 0;
  }
  if (auto why = g.why_not(out.line)) return fail("columns {} on: {}", from, *why);
  Case cut = out.line;
  cut.problem.k0 = from;
  const bool prepared =
      from > 0 && !g.moe() && !sharded(g.problem()) && cuts_shards(g) && !g.why_not(cut);
  set_weights(out, columns(*whole.x.wei, from, count),
              fmt::format("columns {} to {} of the first", from, from + count - 1));
  if (prepared) {
    out.line = std::move(cut);
    out.source = checkpoint_of(out.line.problem, *whole.x.wei);
  }
  return out;
}

}  // namespace

Result<Plan> plan_routes(const Given& g) {
  if (g.moe()) return fail("a layer of experts has one route");
  auto line = other_route(g);
  if (!line) return fail("no kernel of the other route takes this problem");
  Plan p{.first = g.side()};
  const int64_t n = g.problem().n, rows = std::min(g.problem().m, line->problem.m);
  p.more.push_back(g.side_of(std::move(*line)));
  for (int64_t i = 0; i < rows * n; ++i) p.elements.push_back({i, 0, i});
  return p;
}

Result<Plan> plan_k_shards(const Given& g) {
  if (g.problem().silu) return fail("gate and up halves have no shards");
  Plan p{.first = g.side(), .kind = Plan::Kind::sum};
  const Weights& w = *p.first.x.wei;
  if (w.groups() == 1) return fail("K is one group");
  const int64_t cut = w.g * (1 + g.below(0, w.groups() - 1));
  for (const auto& [from, count] : {std::pair{int64_t{0}, cut}, std::pair{cut, w.k - cut}}) {
    auto shard = shard_of(g, p.first, from, count);
    if (!shard) return std::unexpected(shard.error());
    p.more.push_back(std::move(*shard));
  }
  for (int64_t i = 0; i < p.first.x.m * w.n; ++i) {
    p.elements.push_back({i, 0, i});
    p.elements.push_back({i, 1, i});
  }
  return p;
}

Result<Plan> plan_experts_dense(const Given& g) {
  if (!g.moe()) return fail("a dense layer has no experts");
  constexpr size_t kMostCalls = 8;
  Plan p{.first = g.side()};
  const Problem& own = g.problem();
  const int64_t n = own.n, start = g.below(0, own.experts);
  const bool few = own.blockm <= kMaxDecodeM;
  for (int64_t i = 0; i < own.experts && p.more.size() < kMostCalls; ++i) {
    const int64_t expert = (start + i) % own.experts;
    std::vector<int64_t> rows;
    const Arrays all = expert_problem(p.first.x, expert, rows);
    const int64_t step = few ? kMaxDecodeM : std::max<int64_t>(all.m, 1);
    for (int64_t at = 0; at < all.m && p.more.size() < kMostCalls; at += step) {
      const int64_t count = std::min(step, all.m - at);
      auto line = line_of(g, few ? "chunked" : "prefill", count);
      if (!line) return fail("no dense kernel takes the problem of one expert");
      Side side{std::move(*line), all, nullptr};
      side.x.m = count;
      side.x.a = {all.a.begin() + at * own.k, all.a.begin() + (at + count) * own.k};
      set_weights(side, *all.wei, fmt::format("rows of expert {}", expert));
      for (int64_t e = 0; e < count * n; ++e) {
        const int64_t m = rows[static_cast<size_t>(at + e / n)];
        p.elements.push_back({m * n + e % n, p.more.size(), e});
      }
      p.more.push_back(std::move(side));
    }
  }
  if (p.more.empty()) return fail("no row has an expert");
  return p;
}

}  // namespace w4
