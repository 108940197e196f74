// The clauses of core/contract.h on the tensor descriptors of a call, one function each. A kernel
// lists those it checks, in its order; what only it checks stands beside its list.
#pragma once

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "kernels/module.h"

namespace w4 {

struct BrokenClause {
  const char* clause;
  std::string message;  // the argument, its value, and what is legal
};

// The call with M, N and K as the public op derives them; M counts the rows of every leading index.
struct View {
  const w4_call& c;
  const w4_device& device;
  int64_t m, n, k, g;
};

using Broken = std::optional<std::string>;  // the message
using Wide = __int128;                      // products of any two int64 fit

template <class... A>
Broken broken(fmt::format_string<A...> f, A&&... a) {
  return fmt::format(f, std::forward<A>(a)...);
}

struct ClauseCheck {
  const char* clause;
  Broken (*broken)(const View&);
};

// The first broken clause; nothing where the call is legal. A missing tensor breaks the clause that
// speaks of its type.
std::optional<BrokenClause> first_broken(std::span<const ClauseCheck> checks, const w4_call& call,
                                         const w4_device& device);

// Missing code for an arch is the caller's choice of device, not of the problem: no clause of the
// contract, the name `arch` of its own.
std::optional<BrokenClause> check_arch(const w4_device& device);

// Calls device.refuse(); 1.
int refuse(const w4_device& device, const BrokenClause& why);

// The clauses' names in order, then `more`, then a null: w4_kernel::clauses.
template <size_t count, size_t extra>
constexpr std::array<const char*, count + extra + 1> clause_names(
    const std::array<ClauseCheck, count>& checks, const std::array<const char*, extra>& more) {
  std::array<const char*, count + extra + 1> names{};
  for (size_t i = 0; i < count; ++i) names[i] = checks[i].clause;
  for (size_t i = 0; i < extra; ++i) names[count + i] = more[i];
  return names;
}

bool packed(const w4_tensor& zp);

namespace check {

Broken experts_none(const View& v);
Broken weight_stride(const View& v);
Broken act_dtype(const View& v);
Broken act_rank(const View& v);
Broken scale_dtype(const View& v);
Broken group_size(const View& v);
Broken k_group(const View& v);
Broken scale_stride(const View& v);
Broken zp_encoding(const View& v);
Broken zp_dtype(const View& v);
Broken zp_octet(const View& v);
Broken k_step(const View& v);
Broken act_contiguous(const View& v);
Broken act_stride(const View& v);
Broken m_range(const View& v);
Broken m_positive(const View& v);
Broken n_positive(const View& v);
Broken k_positive(const View& v);
Broken bias_shape(const View& v);
Broken bias_dtype(const View& v);
Broken bias_contiguous(const View& v);
Broken out_contiguous(const View& v);
Broken cus_positive(const View& v);
Broken lds_device(const View& v);
Broken index_width(const View& v);
Broken index_wide(const View& v);
Broken align_act(const View& v);
Broken align_weight(const View& v);
Broken align_scale(const View& v);
Broken align_zp(const View& v);
Broken align_bias(const View& v);
Broken align_out(const View& v);

}  // namespace check
}  // namespace w4
