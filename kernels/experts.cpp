#include "kernels/experts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "kernels/descriptors.h"
#include "kernels/prepare.h"

namespace w4 {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

// [E,rows,cols] as the first expert's [rows,cols].
w4_tensor first_expert(const w4_tensor& t) {
  w4_tensor one = t;
  one.rank = 2;
  one.dim[0] = t.dim[1], one.dim[1] = t.dim[2];
  one.stride[0] = t.stride[1], one.stride[1] = t.stride[2];
  return one;
}

int64_t columns_per_k(const w4_call& c) { return c.silu != 0 ? 2 : 1; }

bool rows_have_slots(const w4_call& c) { return c.silu != 0 || c.sorted_ids == nullptr; }

// A prepared [E*rows,cols] as [E,rows,cols].
void split_experts(w4_tensor& t, int64_t experts) {
  if (t.host == nullptr) return;
  t.rank = 3;
  t.dim[2] = t.dim[1], t.dim[1] = t.dim[0] / experts, t.dim[0] = experts;
  t.stride[2] = t.stride[1], t.stride[1] = t.stride[0], t.stride[0] = t.dim[1] * t.stride[1];
}

std::optional<BrokenClause> source_of_experts(const w4_source& s) {
  if (s.experts < 1 || s.experts > kInt32Max) {
    return BrokenClause{"experts.positive",
                        fmt::format("experts = {}; legal: 1 to {}", s.experts, kInt32Max)};
  }
  if (s.wei != nullptr && s.wei->layout != W4_WEI_SHUFFLED && s.wei->layout != W4_WEI_SEQUENTIAL) {
    return BrokenClause{"source.experts",
                        fmt::format("weights of experts are in {}; legal: shuffled, sequential",
                                    name_of(s.wei->layout))};
  }
  if (s.n0 != 0 || s.k0 != 0 || s.g_idx != nullptr) {
    return BrokenClause{"source.experts",
                        fmt::format("a shard from n0 = {}, k0 = {}, {} g_idx; legal: 0, 0, without",
                                    s.n0, s.k0, s.g_idx == nullptr ? "without" : "with")};
  }
  // A word of 8 zero points belongs to one expert.
  if (s.symmetric == 0 && s.zp != nullptr && s.zp->layout == W4_ZP_PACKED && s.n % 8 != 0) {
    const bool checkpoint = s.wei != nullptr && s.wei->layout != W4_WEI_SHUFFLED;
    return BrokenClause{checkpoint ? "source.octet" : "zp.octet",
                        fmt::format("N = {} with packed zero points; legal: multiples of 8", s.n)};
  }
  if (s.n < 1) return BrokenClause{"n.positive", fmt::format("N = {}; legal: at least 1", s.n)};
  if (s.n > std::numeric_limits<int64_t>::max() / s.experts) {
    return BrokenClause{"index.width", fmt::format("E*N = {}*{}; legal: at most {}", s.experts, s.n,
                                                   std::numeric_limits<int64_t>::max())};
  }
  return {};
}

}  // namespace

namespace check {

Broken experts_positive(const View& v) {
  const w4_call& c = v.c;
  if (c.expert_ids == nullptr) return broken("expert ids are missing; legal: a tensor");
  const w4_tensor& w = *c.wei;
  if (w.rank != 3 || w.dim[0] < 1 || w.dim[0] > kInt32Max) {
    return broken("weight shape is {}; legal: [E,N,K/2] with E from 1 to {}", shape_of(w),
                  kInt32Max);
  }
  for (const w4_tensor* t : {c.scale, c.zp}) {
    if (t != nullptr && (t->rank != 3 || t->dim[0] != w.dim[0])) {
      return broken("{} shape is {}; legal: [E,…] with E = {}",
                    t == c.scale ? "scale" : "zero-point", shape_of(*t), w.dim[0]);
    }
  }
  return {};
}

Broken topk_range(const View& v) {
  const int64_t experts = v.c.wei->dim[0];
  if (v.c.top_k >= 1 && v.c.top_k <= experts) return {};
  return broken("top_k = {}; legal: 1 to the number of experts, {}", v.c.top_k, experts);
}

Broken tokens_positive(const View& v) {
  if (v.m >= 1) return {};
  return broken("activations have {} rows; legal: at least 1", v.m);
}

// On input: block_m is in range.
Broken ids_dtype(const View& v) {
  const w4_call& c = v.c;
  const w4_tensor& ids = *c.expert_ids;
  if (ids.dtype != W4_I32 || ids.layout != W4_EXPERT_IDS || ids.rank != 1 || ids.stride[0] != 1) {
    return broken("expert ids are {} {} of rank {}, stride {}; legal: i32 [blocks], stride 1",
                  name_of(ids.dtype), name_of(ids.layout), ids.rank, ids.stride[0]);
  }
  const int64_t blocks = ids.dim[0];
  if (blocks < 1) return broken("expert ids are [{}]; legal: at least one block", blocks);
  if (c.sorted_ids == nullptr) {
    const int64_t rows = c.out->dim[0];
    const int64_t needed = rows / c.block_m + (rows % c.block_m != 0);
    if (blocks == needed) return {};
    return broken("expert ids are [{}]; legal for {} rows in blocks of {}: [{}]", blocks, rows,
                  c.block_m, needed);
  }
  const w4_tensor& sorted = *c.sorted_ids;
  if (sorted.dtype == W4_I32 && sorted.layout == W4_SORTED_IDS && sorted.rank == 1 &&
      sorted.stride[0] == 1 && Wide{blocks} * c.block_m == sorted.dim[0]) {
    return {};
  }
  return broken(
      "sorted ids are {} {} {}, stride {}; legal: i32 [blocks*block_m] = [{}*{}], stride 1",
      name_of(sorted.dtype), name_of(sorted.layout), shape_of(sorted), sorted.stride[0], blocks,
      c.block_m);
}

Broken bias_none(const View& v) {
  if (v.c.bias == nullptr) return {};
  return broken("a bias {} is given; legal: none", shape_of(*v.c.bias));
}

Broken expert_act(const View& v) {
  const w4_tensor& t = *v.c.act;
  const Wide rows = rows_have_slots(v.c) ? Wide{v.m} : Wide{v.m} * v.c.top_k;
  if (rows != v.c.out->dim[0]) {
    return broken("activations have {} rows for {} rows of output, top_k = {}; legal: one a {}",
                  v.m, v.c.out->dim[0], v.c.top_k, rows_have_slots(v.c) ? "slot" : "token");
  }
  if (t.dim[1] == v.k * columns_per_k(v.c) && t.stride[0] == t.dim[1] && t.stride[1] == 1)
    return {};
  return broken(
      "activations are {}, strides {} and {} elements; legal: {} columns, strides {} and 1",
      shape_of(t), t.stride[0], t.stride[1], v.k * columns_per_k(v.c), v.k * columns_per_k(v.c));
}

Broken expert_out(const View& v) {
  const w4_tensor& t = *v.c.out;
  if (t.dtype != v.c.act->dtype || t.rank != 2 || t.dim[1] != v.n) {
    return broken("output is {} {}; legal: {} [S,N] with N = {}", name_of(t.dtype), shape_of(t),
                  name_of(v.c.act->dtype), v.n);
  }
  if (t.stride[0] == v.n && t.stride[1] == 1) return {};
  return broken("output strides are {} and {} elements; legal: N = {} and 1", t.stride[0],
                t.stride[1], v.n);
}

Broken expert_weights(const View& v) {
  const w4_tensor& t = *v.c.wei;
  const Wide least = Wide{v.n} * t.stride[1];
  if (t.dim[0] == 1 || (t.stride[0] >= least && t.stride[0] % 4 == 0)) return {};
  return broken(
      "weight expert stride is {} bytes; legal: at least N row strides = {}, a multiple of 4",
      t.stride[0], least);
}

Broken expert_scales(const View& v) {
  for (const w4_tensor* t : {v.c.scale, v.c.zp}) {
    if (t == nullptr || t->dim[0] == 1 || Wide{t->stride[0]} >= Wide{t->dim[1]} * t->stride[1]) {
      continue;
    }
    return broken("{} expert stride is {} elements; legal: at least {} row strides of {}",
                  t == v.c.scale ? "scale" : "zero-point", t->stride[0], t->dim[1], t->stride[1]);
  }
  return {};
}

Broken expert_index(const View& v) {
  const w4_tensor* sorted = v.c.sorted_ids;
  const int64_t ids = std::max(v.c.expert_ids->dim[0], sorted == nullptr ? 0 : sorted->dim[0]);
  const int64_t rows = v.c.out->dim[0];
  // The sentinel and a tile past the last row must fit too.
  constexpr int64_t kMost = kInt32Max - 8;
  if (ids <= kMost && rows <= kMost) return {};
  return broken("{} ids and {} rows do not fit the kernel's 32-bit index; legal: at most {}", ids,
                rows, kMost);
}

}  // namespace check

std::optional<BrokenClause> first_broken_of_experts(std::span<const ClauseCheck> own,
                                                    std::span<const ClauseCheck> layer,
                                                    const w4_call& call, const w4_device& device) {
  if (auto missing = first_broken({}, call, device)) return missing;
  const View view{call,
                  device,
                  call.act->dim[0],
                  call.wei->dim[1],
                  call.act->dim[1] / columns_per_k(call),
                  call.group_size};
  for (const ClauseCheck& c : own) {
    if (auto message = c.broken(view)) return BrokenClause{c.clause, std::move(*message)};
  }
  w4_call flat = call;
  w4_tensor act = *call.act, wei = first_expert(*call.wei), scale = first_expert(*call.scale), zp{};
  act.dim[1] = act.stride[0] = view.k;
  flat.act = &act, flat.wei = &wei, flat.scale = &scale;
  if (call.zp != nullptr) {
    zp = first_expert(*call.zp);
    flat.zp = &zp;
  }
  return first_broken(layer, flat, device);
}

std::vector<const char*> clause_names_of_experts(std::span<const ClauseCheck> own,
                                                 std::span<const ClauseCheck> layer,
                                                 std::span<const char* const> more) {
  std::vector<const char*> names;
  const auto add = [&names](const char* name) {
    const bool known =
        std::ranges::any_of(names, [name](std::string_view other) { return other == name; });
    if (!known) names.push_back(name);
  };
  for (const ClauseCheck& c : own) add(c.clause);
  for (const ClauseCheck& c : layer) add(c.clause);
  for (const char* name : more) add(name);
  names.push_back(nullptr);
  return names;
}

int prepare_experts(const w4_kernel* self, const w4_source* source, const w4_device* device,
                    w4_prepared* out) {
  if (const auto why = source_of_experts(*source)) return refuse(*device, *why);
  w4_source all = *source;
  all.n = source->n * source->experts;
  all.experts = 0;
  w4_prepared prepared{};
  if (const int refused = prepare_weights(self, &all, device, &prepared); refused != 0) {
    return refused;
  }
  for (w4_tensor* t : {&prepared.wei, &prepared.scale, &prepared.zp}) {
    split_experts(*t, source->experts);
  }
  *out = prepared;
  return 0;
}

}  // namespace w4
