// What an output is compared with: the reference, or one relation between two calls that needs no
// tolerance (oracles.md 4). The key `law` of a case line; the second call is derived from the line
// (verify/laws).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace w4 {

enum class Law : uint8_t {
  reference,      // the interval of each element
  power_act,      // act times 2^j scales out
  power_scale,    // scales times 2^j scale out
  permute_n,      // permuted rows of q, s, z, bias permute the columns of out
  row_alone,      // row m of an M-row call is the 1-row call
  row_isolation,  // NaN and Inf in another row change nothing
  zero_shift,     // (q+d, z+d) is (q, z)
  implicit_8,     // no zero points are stored zero points of 8
  zero_form,      // packed zero points are unpacked ones
  unused_zeros,   // zero points in a symmetric checkpoint change nothing
  split_groups,   // scales and zero points duplicated, G halved
  no_bias,        // no bias is a bias of zeros
  bias_adds,      // out(b) - out(0) is b, where everything is exact
  extend_k,       // K extended by zero activations
  tail_act,       // other activations at the end of K change out
  repeat,         // a second launch into a dirtied output and workspace
  schedule,       // another order of waves and workgroups
  cu_count,       // another number of compute units
  addresses,      // every tensor elsewhere
  one_hot,        // identity and coded one-hot activations give the weights themselves
  // Within the sum of the intervals only:
  routes,         // decode and prefill
  k_shards,       // the sum of shards of K and the whole
  experts_dense,  // MoE and a dense call of each expert
};

std::string_view name_of(Law l);
std::string_view says_of(Law l);  // one sentence: the relation
bool can_be_exact(Law l);         // whether a kernel can promise it bit for bit
std::optional<Law> law_from(std::string_view name);
std::span<const Law> all_laws();  // reference first

}  // namespace w4
