#include "rdna/mutation_rules.h"

#include <algorithm>
#include <array>
#include <span>

namespace w4::rdna {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

bool has(std::string_view m, std::string_view part) { return m.find(part) != m.npos; }
bool starts(std::string_view m, std::initializer_list<std::string_view> with) {
  return std::ranges::any_of(with, [m](std::string_view s) { return m.starts_with(s); });
}

// With the first pair of which one stands in `m`, the other instead.
std::string exchanged(std::string_view m, std::span<const Pair> pairs) {
  for (const auto& [a, b] : pairs) {
    for (const auto& [from, to] : {Pair{a, b}, Pair{b, a}}) {
      const size_t at = m.find(from);
      if (at == m.npos) continue;
      return std::string(m.substr(0, at)) + std::string(to) +
             std::string(m.substr(at + from.size()));
    }
  }
  return {};
}

bool is_compare(std::string_view m) { return starts(m, {"v_cmp_", "v_cmpx_", "s_cmp"}); }
bool is_float(std::string_view m) {
  return m.ends_with("_f16") || m.ends_with("_f32") || m.ends_with("_f64");
}

}  // namespace

std::string opposite(std::string_view m) {
  constexpr std::array kBranches{Pair{"_scc0", "_scc1"}, Pair{"_vccz", "_vccnz"}};
  constexpr std::array kBits{Pair{"bitcmp0", "bitcmp1"}};
  constexpr std::array kIntegers{Pair{"_lt_", "_ge_"}, Pair{"_gt_", "_le_"}, Pair{"_eq_", "_ne_"}};
  constexpr std::array kScalars{Pair{"_lt_", "_ge_"}, Pair{"_gt_", "_le_"}, Pair{"_eq_", "_lg_"}};
  constexpr std::array kFloats{Pair{"_lt_", "_nlt_"}, Pair{"_le_", "_nle_"}, Pair{"_gt_", "_ngt_"},
                               Pair{"_ge_", "_nge_"}, Pair{"_eq_", "_neq_"}, Pair{"_lg_", "_nlg_"},
                               Pair{"_o_", "_u_"}};
  if (m.starts_with("s_cbranch_")) return exchanged(m, kBranches);
  if (m.starts_with("s_bitcmp")) return exchanged(m, kBits);
  if (!is_compare(m)) return {};
  if (is_float(m)) return exchanged(m, kFloats);
  return exchanged(m, m.starts_with("s_") ? std::span<const Pair>(kScalars) : kIntegers);
}

std::string other_strictness(std::string_view m) {
  constexpr std::array kPairs{Pair{"_lt_", "_le_"}, Pair{"_gt_", "_ge_"}};
  return is_compare(m) ? exchanged(m, kPairs) : std::string{};
}

std::string other_operation(std::string_view m) {
  constexpr std::array kPairs{Pair{"_add_", "_sub_"},
                              Pair{"_min_", "_max_"},
                              Pair{"_lshrrev_b", "_ashrrev_i"},
                              Pair{"s_lshr_b", "s_ashr_i"},
                              Pair{"v_and_b32", "v_or_b32"},
                              Pair{"s_and_b", "s_or_b"},
                              Pair{"_and_saveexec", "_or_saveexec"},
                              Pair{"v_cvt_f32_i32", "v_cvt_f32_u32"}};
  // Atomics and the sums of addresses in one go are no operation of their own.
  if (!starts(m, {"v_", "s_"}) || is_compare(m)) return {};
  return exchanged(m, kPairs);
}

bool waits_for_loads(std::string_view m) {
  constexpr std::array<std::string_view, 7> kWaits{
      "s_waitcnt",    "s_waitcnt_vmcnt", "s_waitcnt_lgkmcnt",   "s_wait_loadcnt",
      "s_wait_dscnt", "s_wait_kmcnt",    "s_wait_loadcnt_dscnt"};
  return std::ranges::find(kWaits, m) != kWaits.end();
}

bool only_stores(std::string_view m, int ndst) {
  if (!starts(m, {"global_", "flat_", "buffer_", "scratch_", "ds_"})) return false;
  return has(m, "_store") || (ndst == 0 && (has(m, "_atomic_") || m.starts_with("ds_add")));
}

bool sums(std::string_view m) {
  return starts(
      m, {"v_fma", "v_pk_fma", "v_dot", "v_wmma_", "v_add_f", "v_pk_add_f", "v_mad_", "s_fmac_"});
}

int address_step(std::string_view m) {
  if (has(m, "permute") || has(m, "swizzle") || has(m, "prefetch")) return 0;
  const bool memory = has(m, "_load") || has(m, "_store") || has(m, "_atomic_");
  if (!memory ||
      !starts(m, {"global_", "flat_", "buffer_", "scratch_", "ds_", "s_load", "s_buffer"}))
    return 0;
  for (const std::string_view byte : {"_u8", "_i8", "_b8"}) {
    if (has(m, byte)) return 1;
  }
  for (const std::string_view half : {"_u16", "_i16", "_b16"}) {
    if (has(m, half)) return 2;
  }
  return 4;
}

bool has_immediate(std::string_view m) {
  return starts(m, {"s_movk_", "s_cmovk_", "s_addk_", "s_mulk_", "s_cmpk_"});
}

ConstantUse use_of_constant(std::string_view m, int source) {
  if (starts(m, {"v_permlane", "v_permlanex"})) {
    return source == 0 ? ConstantUse::other : ConstantUse::lanes;
  }
  if (starts(m, {"v_readlane", "v_writelane"})) {
    return source == 1 ? ConstantUse::lanes : ConstantUse::number;
  }
  if (has(m, "shlrev") || has(m, "shrrev")) {
    return source == 0 ? ConstantUse::shift : ConstantUse::number;
  }
  if (starts(m, {"s_lshl_b", "s_lshr_b", "s_ashr_i"})) {
    return source == 1 ? ConstantUse::shift : ConstantUse::number;
  }
  if (starts(m, {"v_lshl_or", "v_lshl_add"})) {
    return source == 1 ? ConstantUse::shift : ConstantUse::number;
  }
  if (starts(m, {"v_add_lshl", "v_alignbit", "v_alignbyte"})) {
    return source == 2 ? ConstantUse::shift : ConstantUse::number;
  }
  if (starts(m, {"v_bfe_"})) return source == 0 ? ConstantUse::number : ConstantUse::shift;
  if (starts(m, {"s_bfe_"})) return source == 0 ? ConstantUse::number : ConstantUse::shift;
  if (starts(m, {"v_and", "v_or", "v_xor", "v_bfi", "v_perm_b32", "v_not", "s_and", "s_or", "s_xor",
                 "s_bitcmp", "s_bitset"})) {
    // What is added or shifted beside the mask is one too.
    return ConstantUse::mask;
  }
  if (m.starts_with("v_pk_") && is_float(m)) return ConstantUse::half_float;
  if (is_float(m) || is_compare(m)) {
    return is_compare(m) && !is_float(m) ? ConstantUse::number : ConstantUse::other;
  }
  if (starts(m,
             {"v_mov_b", "s_mov_b", "v_add",     "s_add",     "v_sub",   "s_sub",    "v_mul_lo",
              "v_mul_u", "v_mul_i", "s_mul_i",   "v_mad_u",   "v_mad_i", "s_min_",   "s_max_",
              "v_min_",  "v_max_",  "v_cndmask", "s_cselect", "s_movk_", "s_cmovk_", "s_mulk_"})) {
    return ConstantUse::number;
  }
  return ConstantUse::other;
}

std::optional<std::pair<int, int>> ordered_sources(std::string_view m) {
  if (starts(m,
             {"v_sub",       "s_sub",      "v_pk_sub",   "v_lshlrev", "v_lshrrev", "v_ashrrev",
              "v_pk_lsh",    "v_pk_ashr",  "s_lshl_b",   "s_lshr_b",  "s_ashr_i",  "v_cndmask",
              "s_cselect",   "v_pack_b32", "v_perm_b32", "v_alignb",  "v_ldexp",   "s_and_not1_b",
              "s_or_not1_b", "s_pack_",    "v_wmma_"})) {
    return std::pair(0, 1);
  }
  if (starts(m, {"v_bfi_b32", "v_bfe_"})) return std::pair(1, 2);
  return std::nullopt;
}

}  // namespace w4::rdna
