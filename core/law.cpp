#include "core/law.h"

#include <algorithm>
#include <array>

namespace w4 {
namespace {

struct Row {
  Law law;
  std::string_view name, says;
};

constexpr std::array kLaws{
    Row{Law::reference, "reference", "every element lies in its interval"},
    Row{Law::power_act, "power_act", "activations times 2^j scale the output by 2^j"},
    Row{Law::power_scale, "power_scale", "scales times 2^j scale the output by 2^j"},
    Row{Law::permute_n, "permute_n",
        "permuted rows of weights, scales, zero points and bias permute the output's columns"},
    Row{Law::row_alone, "row_alone", "row m of an M-row call equals the call of that row alone"},
    Row{Law::row_isolation, "row_isolation", "NaN and Inf in another row change nothing"},
    Row{Law::zero_shift, "zero_shift", "codes and zero points both plus d change nothing"},
    Row{Law::implicit_8, "implicit_8", "no zero points equal stored zero points of 8"},
    Row{Law::zero_form, "zero_form", "packed zero points equal unpacked ones"},
    Row{Law::unused_zeros, "unused_zeros",
        "zero points that a symmetric checkpoint carries change nothing"},
    Row{Law::split_groups, "split_groups",
        "scales and zero points duplicated and G halved change nothing"},
    Row{Law::no_bias, "no_bias", "no bias equals a bias of zeros"},
    Row{Law::bias_adds, "bias_adds", "the output with a bias is that without, plus the bias"},
    Row{Law::extend_k, "extend_k", "K extended by zero activations changes nothing"},
    Row{Law::tail_act, "tail_act",
        "another activation near the end of K changes every output whose interval moves away"},
    Row{Law::repeat, "repeat", "a second launch into dirtied memory writes the same bits"},
    Row{Law::schedule, "schedule", "another order of waves and workgroups changes nothing"},
    Row{Law::cu_count, "cu_count", "another number of compute units changes nothing"},
    Row{Law::addresses, "addresses", "other addresses of every tensor change nothing"},
    Row{Law::one_hot, "one_hot",
        "one-hot activations give the declared weights after the one store"},
    Row{Law::routes, "routes", "decode and prefill agree within the sum of both intervals"},
    Row{Law::k_shards, "k_shards",
        "the sum of shards of K agrees with the whole within the sum of the intervals"},
    Row{Law::experts_dense, "experts_dense",
        "a layer of experts agrees with a dense call of each within the sum of both intervals"},
};

constexpr auto kAll = [] {
  std::array<Law, kLaws.size()> out{};
  for (size_t i = 0; i < out.size(); ++i) out[i] = kLaws[i].law;
  return out;
}();

static_assert([] {
  for (size_t i = 0; i < kLaws.size(); ++i) {
    if (static_cast<size_t>(kLaws[i].law) != i) return false;
  }
  return true;
}());

}  // namespace

std::string_view name_of(Law l) { return kLaws[static_cast<size_t>(l)].name; }
std::string_view says_of(Law l) { return kLaws[static_cast<size_t>(l)].says; }

bool can_be_exact(Law l) { return l != Law::reference && l < Law::routes; }

std::optional<Law> law_from(std::string_view name) {
  const auto found = std::ranges::find(kLaws, name, &Row::name);
  if (found == kLaws.end()) return std::nullopt;
  return found->law;
}

std::span<const Law> all_laws() { return kAll; }

}  // namespace w4
