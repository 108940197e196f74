// What the calls of expert layers have in common: their own clauses, and the view of them as one
// dense layer, whose clauses apply to every expert alike.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/clause_checks.h"

namespace w4 {

// The first broken clause of a MoE call. `own`: checks of the call as it is, with the View's m the
// rows of act, n and k those of one expert. `layer`: checks of one expert's dense layer; its act is
// [rows,K] and contiguous, its out is the call's. Missing tensors and ids, ranks and expert strides
// are checked first.
std::optional<BrokenClause> first_broken_of_experts(std::span<const ClauseCheck> own,
                                                    std::span<const ClauseCheck> layer,
                                                    const w4_call& call, const w4_device& device);

// Both lists' names in order, each once, then `more` and a null: w4_kernel::clauses.
std::vector<const char*> clause_names_of_experts(std::span<const ClauseCheck> own,
                                                 std::span<const ClauseCheck> layer,
                                                 std::span<const char* const> more);

namespace check {

Broken experts_positive(const View& v);
Broken topk_range(const View& v);
Broken tokens_positive(const View& v);
Broken ids_dtype(const View& v);
Broken bias_none(const View& v);
Broken expert_act(const View& v);      // act.contiguous
Broken expert_out(const View& v);      // out.contiguous
Broken expert_weights(const View& v);  // weight.stride
Broken expert_scales(const View& v);   // scale.stride
Broken expert_index(const View& v);    // index.width

}  // namespace check

// The fields that the arguments of all expert kernels have. On input: a call that broke no clause.
template <class Args>
void set_expert_arguments(const w4_call& call, Args& a) {
  a.act = call.act->device;
  a.wei = call.wei->device;
  a.scale = call.scale->device;
  a.out = call.out->device;
  a.expert_ids = call.expert_ids->device;
  a.sorted_ids = call.sorted_ids == nullptr ? 0 : call.sorted_ids->device;
  a.act_stride = call.act->stride[0];
  a.wei_stride = call.wei->stride[1];
  a.scale_stride = call.scale->stride[1];
  a.out_stride = call.out->stride[0];
  a.wei_expert = call.wei->stride[0];
  a.scale_expert = call.scale->stride[0];
  if (call.zp != nullptr) {
    a.zp = call.zp->device;
    a.zp_expert = call.zp->stride[0];
  }
  a.n = static_cast<uint32_t>(call.wei->dim[1]);
  a.k = static_cast<uint32_t>(call.act->dim[1] / (call.silu != 0 ? 2 : 1));
  a.experts = static_cast<uint32_t>(call.wei->dim[0]);
  a.blocks = static_cast<uint32_t>(call.expert_ids->dim[0]);
  a.rows = static_cast<uint32_t>(call.out->dim[0]);
  // Gated and ordered rows are a slot's own; scattered ones are a token's, which top_k slots share.
  const bool row_a_slot = call.silu != 0 || call.sorted_ids == nullptr;
  a.top_k = row_a_slot ? 1 : static_cast<uint32_t>(call.top_k);
}

// The `prepare` of module.h for expert layers: shuffled or compressed-tensors, experts one after
// the other along N. Gives [E,N,K/2], [E,N,K/G] and [E,N/8,K/G].
int prepare_experts(const w4_kernel* self, const w4_source* source, const w4_device* device,
                    w4_prepared* out);

}  // namespace w4
