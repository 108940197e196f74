// Layers of experts: whose weights and which token a row meets, and the gate.
#include <fmt/format.h>

#include <algorithm>

#include "verify/explain/hypothesis.h"
#include "verify/explain/positions.h"
#include "verify/explain/tables.h"
#include "verify/materialise.h"

namespace w4::explain {
namespace {

bool expert_layer(const Observed& o) { return o.x.moe.has_value(); }

// Rows with an expert have the one that `other` gives for the row and its expert.
template <class F>
Recipe with_expert(const Observed& o, F other) {
  Recipe r = declared_recipe(o);
  r.expert = [x = &o.x, other](int64_t m) -> int64_t {
    const int64_t e = x->moe->expert[static_cast<size_t>(m)];
    return e < 0 ? e : other(m, e);
  };
  return r;
}

std::vector<Variant> other_expert(const Observed& o) {
  if (!expert_layer(o) || o.x.wei->experts < 2) return {};
  const int64_t last = o.x.wei->experts - 1;
  return {{"every row meets the weights of the next expert",
           with_expert(o, [last](int64_t, int64_t e) { return std::min(e + 1, last); })},
          {"every row meets the weights of the next expert, the last one's those of the first",
           with_expert(o, [last](int64_t, int64_t e) { return e == last ? 0 : e + 1; })},
          {"every row meets the weights of the previous expert",
           with_expert(o, [](int64_t, int64_t e) { return std::max<int64_t>(e - 1, 0); })},
          {"every row meets the weights of expert 0",
           with_expert(o, [](int64_t, int64_t) { return int64_t{0}; })},
          {"the number of experts is taken to be N: rows of those from N on are zeros",
           with_expert(o, [n = o.n()](int64_t, int64_t e) { return e < n ? e : -1; })},
          {"the last expert is taken for none: its rows are zeros",
           with_expert(o, [last](int64_t, int64_t e) { return e < last ? e : -1; })}};
}

// The block of blockm rows in which row m of the output is made.
int64_t block_of(const Observed& o, int64_t m) {
  const int64_t at = position_of(o, m);
  return at < 0 ? -1 : at / o.line.problem.blockm;
}

std::vector<Variant> other_block(const Observed& o) {
  if (!expert_layer(o) || o.x.moe->expert_ids.size() < 2) return {};
  const auto with = [&](int64_t by) {
    return with_expert(o, [&o, by](int64_t m, int64_t e) -> int64_t {
      const auto& ids = o.x.moe->expert_ids;
      const int64_t block = block_of(o, m) + by;
      if (block < 0 || block >= static_cast<int64_t>(ids.size())) return e;
      const int64_t id = ids[static_cast<size_t>(block)];
      return id >= 0 && id < o.x.wei->experts ? id : e;
    });
  };
  return {{"a block of rows meets the expert of the block before it", with(-1)},
          {"a block of rows meets the expert of the block after it", with(1)}};
}

std::vector<Variant> shared_tables(const Observed& o) {
  if (!expert_layer(o) || o.x.wei->experts < 2) return {};
  const Tables t(o);
  std::vector<Variant> out;
  Recipe scales = declared_recipe(o);
  scales.scale = [t](int64_t row, int64_t k) { return t.scale(row % t.n, k / t.g); };
  Recipe both = scales;
  out.push_back({"all experts use the scales of expert 0", std::move(scales)});
  if (t.w->z.empty()) return out;
  Recipe zeros = declared_recipe(o);
  zeros.zero = [t](int64_t row, int64_t k) { return t.zero(row % t.n, k / t.g); };
  both.zero = zeros.zero;
  out.push_back({"all experts use the zero points of expert 0", std::move(zeros)});
  out.push_back({"all experts use the scales and zero points of expert 0", std::move(both)});
  return out;
}

// Rows of act in the call's own tensor.
Recipe with_source_row(const Observed& o, int64_t (*row)(const Observed& o, int64_t m)) {
  Recipe r = declared_recipe(o);
  r.act = [&o, row](int64_t m, int64_t k) {
    const int64_t from = row(o, m);
    const ExpertRows& e = *o.x.moe;
    if (from < 0 || from >= e.act_rows) return kUnknown;
    return to_f64(o.x.wei->act, e.act[static_cast<size_t>(from * e.act_columns + k)]);
  };
  return r;
}

std::vector<Variant> slot_for_token(const Observed& o) {
  const Problem& p = o.line.problem;
  if (!expert_layer(o) || p.silu || p.rows != Rows::scattered || p.topk < 2) return {};
  return {
      {"the slot is taken for the token: top_k is ignored",
       with_source_row(o, [](const Observed&, int64_t m) { return m; })},
      {"the token of a slot is slot mod T instead of slot div top_k",
       with_source_row(o, [](const Observed& at, int64_t m) { return m % at.x.moe->act_rows; })},
      {"every slot reads token 0",
       with_source_row(o, [](const Observed&, int64_t) { return int64_t{0}; })}};
}

std::vector<Variant> gate(const Observed& o) {
  if (!expert_layer(o) || !o.line.problem.silu || o.gate == nullptr) return {};
  const auto with = [&](auto combine) {
    Recipe r = declared_recipe(o);
    r.act = [&o, combine](int64_t m, int64_t k) -> double {
      const ExpertRows& e = *o.x.moe;
      const auto at = static_cast<size_t>(m * e.act_columns + k);
      return combine(o, e.act[at], e.act[at + static_cast<size_t>(o.k())]);
    };
    return r;
  };
  return {
      {"gate and up change places: silu(up)*gate",
       with([](const Observed& at, uint16_t g, uint16_t u) {
         return to_f64(at.x.wei->act, at.gate(to_module(at.x.wei->act), u, g));
       })},
      {"silu is missing: gate*up", with([](const Observed& at, uint16_t g, uint16_t u) {
         const DType t = at.x.wei->act;
         return to_f64(t, from_f64(t, to_f64(t, g) * to_f64(t, u)));
       })},
      {"the gate is ignored: up alone",
       with([](const Observed& at, uint16_t, uint16_t u) { return to_f64(at.x.wei->act, u); })},
      {"the gate's half of act is taken for the whole",
       with([](const Observed& at, uint16_t g, uint16_t) { return to_f64(at.x.wei->act, g); })}};
}

constexpr Hypothesis kAll[]{
    {"moe.expert", "another expert's weights are used", "B10 B85 B86", "experts > 1", other_expert},
    {"moe.block", "a block of rows meets a neighbouring block's expert", "B58 B84",
     "experts > 1, two blocks and more", other_block},
    {"moe.shared_tables", "all experts use the scales or zero points of expert 0", "B10",
     "experts > 1", shared_tables},
    {"moe.slot_for_token", "slots and tokens are taken for each other", "B84 B87",
     "topk > 1, rows=scattered", slot_for_token},
    {"moe.gate", "gate and up are swapped, or silu is missing", "B21", "silu=1", gate},
};

}  // namespace

std::span<const Hypothesis> expert_hypotheses() { return kAll; }

}  // namespace w4::explain
