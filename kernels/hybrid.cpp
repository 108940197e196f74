#include "kernels/hybrid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/contract.h"
#include "kernels/chunked.h"
#include "kernels/chunked_args.h"
#include "kernels/clause_checks.h"
#include "kernels/descriptors.h"
#include "kernels/lookup.h"
#include "kernels/prefill.h"
#include "kernels/prepare.h"
#include "kernels/table.h"

namespace w4 {
namespace {

// The route's bound and the array it guards are one number (contract.md K1, K7).
static_assert(kLdsElements == kChunkedLdsElements);

const w4_kernel& decode_route() {
  static const w4_kernel k = chunked_kernel();
  return k;
}

const w4_kernel& prefill_route() {
  static const w4_kernel k = prefill_kernel();
  return k;
}

const w4_kernel& route(int64_t m, int64_t k) {
  return routes_to_decode(m, k) ? decode_route() : prefill_route();
}

// A call without leading dimensions, and with one row where there is none.
struct Flat {
  w4_call call{};
  w4_tensor act{}, out{}, bias{};
  int64_t m = 0, k = 0;
  bool empty = false;
};

// Whether [L,T,C] has its rows equally far apart; then t is [L*T,C].
bool collapse(w4_tensor& t) {
  if (t.rank != 3) return t.rank == 2;
  const int64_t lead = t.dim[0], rows = t.dim[1];
  if (lead > 1 && rows > 1 && static_cast<__int128>(rows) * t.stride[1] != t.stride[0]) {
    return false;
  }
  const __int128 all = static_cast<__int128>(lead) * rows;
  if (all > INT64_MAX) return false;
  t.rank = 2;
  t.stride[0] = lead > 1 && rows == 1 ? t.stride[0] : t.stride[1];
  t.stride[1] = t.stride[2];
  t.dim[0] = static_cast<int64_t>(all);
  t.dim[1] = t.dim[2];
  t.dim[2] = t.stride[2] = 0;
  return true;
}

// On input: act, wei and out are there.
std::optional<BrokenClause> flatten(const w4_call& call, const w4_device& device, Flat& flat) {
  flat.call = call;
  flat.act = *call.act, flat.out = *call.out;
  const View view{.c = call, .device = device, .m = 0, .n = 0, .k = 0, .g = 0};
  if (auto experts = check::experts_none(view)) return BrokenClause{"experts.none", *experts};
  const bool leading = call.act->rank == 3;
  // Two negative extents have a product of rows that looks legal.
  if (call.act->dim[0] < 0 || (leading && call.act->dim[1] < 0)) {
    return BrokenClause{"m.natural", fmt::format("activations are {}; legal: M of at least 0",
                                                 shape_of(*call.act))};
  }
  if (!collapse(flat.act)) {
    return BrokenClause{
        "act.leading",
        fmt::format("activations are {} with strides of {} and {} elements; legal: [M,K], or "
                    "[L,T,K] with rows equally far apart",
                    shape_of(*call.act), call.act->stride[0], call.act->stride[1])};
  }
  flat.m = flat.act.dim[0], flat.k = flat.act.dim[1];
  const bool alike = call.out->rank == call.act->rank && call.out->dim[0] == call.act->dim[0] &&
                     (!leading || call.out->dim[1] == call.act->dim[1]);
  if (!alike || !collapse(flat.out)) {
    return BrokenClause{leading || call.out->rank != 2 ? "out.leading" : "out.contiguous",
                        fmt::format("output is {}; legal: contiguous, with the leading dimensions "
                                    "of the activations {}",
                                    shape_of(*call.out), shape_of(*call.act))};
  }
  flat.call.act = &flat.act;
  flat.call.out = &flat.out;
  flat.empty = flat.m == 0;
  if (!flat.empty) return {};
  flat.act.dim[0] = flat.out.dim[0] = 1;
  if (call.bias != nullptr && call.bias->rank == 2 && call.bias->dim[0] == 0) {
    flat.bias = *call.bias;
    flat.bias.dim[0] = 1;
    flat.call.bias = &flat.bias;
  }
  return {};
}

// 0: legal, and `flat` is what the route's kernel gets.
int check(const w4_call& call, const w4_device& device, Flat& flat) {
  // A missing tensor is named by a kernel that needs it.
  if (call.act == nullptr || call.wei == nullptr || call.out == nullptr) {
    return decode_route().accept(&decode_route(), &call, &device);
  }
  if (const auto why = flatten(call, device, flat)) return refuse(device, *why);
  const w4_kernel& to = route(flat.m, flat.k);
  return to.accept(&to, &flat.call, &device);
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  Flat flat;
  return check(*call, *device, flat);
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  Flat flat;
  if (const int no = check(*call, *device, flat)) return no;
  if (flat.empty) {
    device->ran(device->self, "empty m0");
    return 0;
  }
  const w4_kernel& to = route(flat.m, flat.k);
  return to.run(&to, &flat.call, device);
}

// An empty [..., N] of the activations' dtype, from the shapes alone.
int shape(const w4_kernel*, const w4_call* call, const w4_device* device, w4_tensor* out) {
  const auto no = [&](const char* clause, std::string message) {
    return refuse(*device, {clause, std::move(message)});
  };
  if (call->act == nullptr) return no("act.dtype", "the activation tensor is missing");
  if (call->wei == nullptr) return no("weight.stride", "the weight tensor is missing");
  const w4_tensor& act = *call->act;
  if (act.rank != 2 && act.rank != 3) {
    return no("act.leading",
              fmt::format("activations are {}; legal: [M,K] or [L,T,K]", shape_of(act)));
  }
  *out = {};
  out->dtype = act.dtype;
  out->layout = W4_DENSE;
  out->rank = act.rank;
  const auto last = static_cast<size_t>(act.rank - 1);
  std::copy(act.dim, act.dim + last, out->dim);
  out->dim[last] = call->wei->dim[0];
  int64_t stride = 1;
  for (size_t i = last + 1; i-- > 0;) {
    out->stride[i] = stride;
    if (out->dim[i] < 0 ||
        __builtin_mul_overflow(stride, std::max<int64_t>(out->dim[i], 1), &stride)) {
      return no("out.contiguous",
                fmt::format("the output would be {}; legal: no extent below 0, at most {} elements",
                            shape_of(*out), INT64_MAX));
    }
  }
  return 0;
}

const w4_numerics* numerics_of(const w4_kernel*, int64_t m, int64_t n, int64_t k, int64_t g) {
  const w4_kernel& to = route(m, k);
  return to.numerics_of == nullptr ? to.numerics : to.numerics_of(&to, m, n, k, g);
}

// Its own, then what both kernels check, then what only one does, bound to its route.
std::vector<std::string> union_of_clauses() {
  // Asked first; and of the routes' own ranges of M nothing is left: the hybrid takes any.
  constexpr std::array<std::string_view, 4> kReplaced{"experts.none", "act.rank", "m.range",
                                                      "m.positive"};
  const auto left_out = [&](const std::string& name) {
    return std::ranges::find(kReplaced, name) != kReplaced.end() ||
           std::ranges::find(kPreparationClauses, name) != kPreparationClauses.end();
  };
  const auto decode = names_in(decode_route().clauses), prefill = names_in(prefill_route().clauses);
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  std::vector<std::string> out{"experts.none", "act.leading", "m.natural", "out.leading"};
  for (const std::string& name : decode) {
    if (!left_out(name)) out.push_back(has(prefill, name) ? name : name + "@decode");
  }
  for (const std::string& name : prefill) {
    if (!left_out(name) && !has(decode, name)) out.push_back(name + "@prefill");
  }
  out.insert(out.end(), kPreparationClauses.begin(), kPreparationClauses.end());
  return out;
}

const char* const* hybrid_clauses() {
  static const std::vector<std::string> text = union_of_clauses();
  static const std::vector<const char*> list = [] {
    std::vector<const char*> out;
    for (const std::string& name : text) out.push_back(name.c_str());
    out.push_back(nullptr);
    return out;
  }();
  return list.data();
}

}  // namespace

w4_kernel hybrid_kernel() {
  w4_kernel k = built_in_row(kAllZeroPoints);
  k.name = "hybrid";
  k.says =
      "W4A16 GEMM for any M: chunked where M <= 5 and K*M <= 32768, otherwise prefill; leading "
      "dimensions, empty calls and the shape-only form";
  k.clauses = hybrid_clauses();
  k.numerics_of = numerics_of;
  k.accept = accept;
  k.run = run;
  k.shape = shape;
  return k;
}

}  // namespace w4
