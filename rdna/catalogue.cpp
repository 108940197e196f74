#include "rdna/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <span>
#include <string>

namespace w4::rdna {
namespace {

// A pattern is a mnemonic, or its beginning followed by '*'.
bool matches(std::string_view pattern, std::string_view mnemonic) {
  if (!pattern.ends_with('*')) return pattern == mnemonic;
  return mnemonic.starts_with(pattern.substr(0, pattern.size() - 1));
}
bool any(std::span<const std::string_view> patterns, std::string_view mnemonic) {
  return std::ranges::any_of(patterns, [&](std::string_view p) { return matches(p, mnemonic); });
}

// What neither the prefix of a mnemonic nor these lists say is VOP3 or SOP2.
constexpr std::string_view kVop1[] = {"v_sat_pk_u8_i16", "v_permlane64_b32", "v_nop",
                                      "v_pipeflush",     "v_mov_b32",        "v_not_*",
                                      "v_bfrev_b32",     "v_clz_i32_u32",    "v_ctz_i32_b32",
                                      "v_cls_i32",       "v_cvt_f*",         "v_cvt_i16_f16",
                                      "v_cvt_u16_f16",   "v_cvt_i32_*",      "v_cvt_u32_*",
                                      "v_cvt_nearest_*", "v_cvt_floor_*",    "v_rcp_*",
                                      "v_rsq_*",         "v_sqrt_*",         "v_exp_*",
                                      "v_log_*",         "v_sin_*",          "v_cos_*",
                                      "v_floor_*",       "v_ceil_*",         "v_trunc_*",
                                      "v_rndne_*",       "v_fract_*",        "v_frexp_*",
                                      "v_movrel*",       "v_swap_*",         "v_readfirstlane_b32"};
constexpr std::string_view kVop2[] = {"v_add_f*",
                                      "v_sub_f*",
                                      "v_subrev_f*",
                                      "v_mul_f*",
                                      "v_mul_dx9_zero_*",
                                      "v_min_f*",
                                      "v_max_f*",
                                      "v_min_num_f*",
                                      "v_max_num_f*",
                                      "v_fmac_*",
                                      "v_fmaak_*",
                                      "v_fmamk_*",
                                      "v_and_b32",
                                      "v_or_b32",
                                      "v_xor_b32",
                                      "v_xnor_b32",
                                      "v_add_nc_u32",
                                      "v_sub_nc_u32",
                                      "v_subrev_nc_u32",
                                      "v_lshlrev_b32",
                                      "v_lshrrev_b32",
                                      "v_ashrrev_i32",
                                      "v_min_i32",
                                      "v_max_i32",
                                      "v_min_u32",
                                      "v_max_u32",
                                      "v_mul_i32_i24",
                                      "v_mul_u32_u24",
                                      "v_mul_hi_i32_i24",
                                      "v_mul_hi_u32_u24",
                                      "v_cndmask_b32",
                                      "v_add_co_ci_u32",
                                      "v_sub_co_ci_u32",
                                      "v_subrev_co_ci_u32",
                                      "v_ldexp_f16",
                                      "v_lshlrev_b64",
                                      "v_cvt_pk_rtz_f16_f32",
                                      "v_dot2acc_*",
                                      "v_pk_fmac_f16"};
constexpr std::string_view kVop3p[] = {"v_pk_*", "v_fma_mix*", "v_dot4_*", "v_dot8_*",
                                       "v_dot2_f32_*"};
constexpr std::string_view kSop1[] = {"s_mov_*",
                                      "s_not_*",
                                      "s_cmov_*",
                                      "s_abs_i32",
                                      "s_sext_*",
                                      "s_ctz_*",
                                      "s_clz_*",
                                      "s_cls_*",
                                      "s_bcnt*",
                                      "s_brev_*",
                                      "s_bitset*",
                                      "s_cvt_f*",
                                      "s_cvt_i*",
                                      "s_cvt_u*",
                                      "s_cvt_hi_*",
                                      "s_ceil_*",
                                      "s_floor_*",
                                      "s_trunc_*",
                                      "s_rndne_*",
                                      "s_getpc_*",
                                      "s_setpc_*",
                                      "s_swappc_*",
                                      "s_bitreplicate_*",
                                      "s_quadmask_*",
                                      "s_wqm_*",
                                      "s_movrel*",
                                      "s_sendmsg_rtn_*",
                                      "s_barrier_signal",
                                      "s_barrier_signal_isfirst",
                                      "s_sleep_var"};
constexpr std::string_view kSopk[] = {"s_movk_*",    "s_cmovk_*",  "s_addk_*",   "s_mulk_*",
                                      "s_cmpk_*",    "s_call_b64", "s_setreg_*", "s_getreg_*",
                                      "s_waitcnt_*", "s_version"};
constexpr std::string_view kSopp[] = {
    "s_wakeup",     "s_singleuse_vdst", "s_branch",       "s_cbranch_*",
    "s_endpgm*",    "s_trap",           "s_barrier*",     "s_wait*",
    "s_delay_alu",  "s_clause",         "s_nop",          "s_sleep",
    "s_sethalt",    "s_setkill",        "s_setprio",      "s_set_inst_prefetch_distance",
    "s_icache_inv", "s_incperflevel",   "s_decperflevel", "s_code_end",
    "s_sendmsg",    "s_sendmsghalt",    "s_round_mode",   "s_denorm_mode",
    "s_ttracedata*"};
constexpr std::string_view kSmem[] = {"s_load_*",           "s_buffer_load_*", "s_dcache_inv",
                                      "s_gl1_inv",          "s_prefetch_*",    "s_atc_probe*",
                                      "s_buffer_prefetch_*"};

std::string_view scalar_class(std::string_view m) {
  if (any(kSmem, m)) return "SMEM";
  if (m.starts_with("s_cmp_") || m.starts_with("s_bitcmp")) return "SOPC";
  // The save forms of EXEC are unary.
  if (any(kSop1, m) || m.contains("_saveexec_") || m.contains("_wrexec_")) return "SOP1";
  // s_waitcnt_depctr is the one wait with an underscore that stands in SOPP.
  if (m != "s_waitcnt_depctr" && any(kSopk, m)) return "SOPK";
  return any(kSopp, m) ? "SOPP" : "SOP2";
}

constexpr std::string_view kFlush[] = {"v_rcp_f32", "v_rcp_iflag_f32", "v_sqrt_f32",
                                       "v_rsq_f32", "v_exp_f32",       "v_log_f32"};
constexpr std::string_view kUlp[] = {"v_rcp_f16",  "v_rcp_f32", "v_rcp_iflag_f32", "v_sqrt_f16",
                                     "v_sqrt_f32", "v_rsq_f16", "v_rsq_f32",       "v_exp_*",
                                     "v_log_*",    "v_sin_*",   "v_cos_*",         "v_s_rcp_*",
                                     "v_s_sqrt_*", "v_s_rsq_*", "v_s_exp_*",       "v_s_log_*"};
constexpr std::string_view kSeeds[] = {"v_rcp_f64", "v_rsq_f64", "v_sqrt_f64"};
constexpr std::string_view kScalarFlush[] = {"v_s_rcp_f32", "v_s_sqrt_f32", "v_s_rsq_f32",
                                             "v_s_exp_f32", "v_s_log_f32"};
constexpr std::string_view kDotFlush[] = {"v_dot2_f32_*", "v_dot2acc_f32_*"};
constexpr std::string_view kDotModel[] = {"v_dot2_f32_*", "v_dot2acc_f32_*"};
constexpr std::string_view kCut[] = {"v_dot2_bf16_bf16"};
constexpr std::string_view kMatrix[] = {"v_wmma_f32_*", "v_wmma_f16_*", "v_wmma_bf16_*"};
constexpr std::string_view kScale[] = {"v_div_scale_*"};

constexpr std::string_view kCaptures = "ROCm/rocm-systems#12056 and its captures";

struct Rule {
  std::span<const std::string_view> mnemonics;
  NumericException exception;
};
const Rule kRules[] = {
    {kFlush,
     {"fp32 denormals of source and result are zero whatever MODE says",
      "llvm-project#205101, #211017, #180291; RDNA3 ISA"}},
    {kScalarFlush,
     {"fp32 denormals of source and result are zero whatever MODE says",
      "taken from the vector forms"}},
    {kUlp, {"hardware is within 1 ulp, here the nearest value", "RDNA3 ISA"}},
    {kSeeds, {"hardware is within 2^29 ulp, here within 1", "RDNA3 ISA"}},
    {kDotFlush,
     {"fp32 denormals of addend and result, and of bf16 factors, are zero whatever MODE says, but "
      "under fp=gfx1201",
      "llvm-project#205101, ROCm/rocm-systems#12056"}},
    {kDotModel, {"one rounding, or the adder measured on gfx11 or gfx12, by fp=", kCaptures}},
    {kCut, {"the bf16 result is cut, not rounded", "triton#11227, measured on gfx1200"}},
    {kMatrix, {"a rounding a product, or the steps measured on gfx11 or gfx12, by fp=", kCaptures}},
    {kScale,
     {"the denominator is scaled down where 1/den and num/den are denormal",
      "rdna/isa/README.md, against the ISA text"}},
};

}  // namespace

std::string_view isa_class(std::string_view m) {
  if (m.starts_with("ds_")) return "DS";
  if (m.starts_with("flat_")) return "FLAT";
  if (m.starts_with("global_")) return "GLOBAL";
  if (m.starts_with("scratch_")) return "SCRATCH";
  if (m.starts_with("buffer_")) return "MUBUF";
  if (m.starts_with("s_")) return scalar_class(m);
  if (m.starts_with("v_wmma_") || m.starts_with("v_swmmac_")) return "WMMA";
  if (m.starts_with("v_cmp")) return "VOPC";
  if (any(kVop3p, m)) return "VOP3P";
  if (any(kVop1, m)) return "VOP1";
  return any(kVop2, m) ? "VOP2" : "VOP3";
}

std::vector<NumericException> numeric_exceptions(std::string_view mnemonic) {
  std::vector<NumericException> out;
  for (const Rule& r : kRules) {
    if (any(r.mnemonics, mnemonic)) out.push_back(r.exception);
  }
  return out;
}

std::string test_of(const Row& row) {
  struct Family {
    std::string_view name, test;
  };
  // Families that need the machine: memory, control, hardware state.
  constexpr Family kMachine[] = {{"branch", "rdna_programs_quick"}, {"vmem", "rdna_programs_quick"},
                                 {"atomic", "rdna_programs_quick"}, {"smem", "rdna_programs_quick"},
                                 {"lds", "rdna_programs_quick"},    {"buffer", "rdna_test"},
                                 {"hardware", "rdna_test"}};
  const auto f = std::ranges::find(kMachine, row.family, &Family::name);
  if (f != std::end(kMachine)) return std::string(f->test);
  std::string name = "rdna_";
  for (const char c : isa_class(row.mnemonic))
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace w4::rdna
