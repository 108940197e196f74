#include "core/case.h"

#include <fmt/format.h>

#include <array>
#include <concepts>

#include "core/case_text.h"

namespace w4 {
namespace {

template <class T>
std::string text_of(const T& v) {
  if constexpr (std::same_as<T, bool>) {
    return v ? "1" : "0";
  } else if constexpr (std::integral<T>) {
    return fmt::format("{}", v);
  } else if constexpr (std::same_as<T, std::string>) {
    return v;
  } else if constexpr (requires { name_of(v); }) {
    return std::string(name_of(v));
  } else {
    return to_string(v);
  }
}

template <class T>
std::string text_of(const std::optional<T>& v) {
  return v ? text_of(*v) : "auto";
}

constexpr std::string_view kInteger = "an integer that fits 64 bits";
constexpr std::string_view kIntegerOrAuto = "auto, or an integer that fits 64 bits";
constexpr std::string_view kLaws =
    "one of reference power_act power_scale permute_n row_alone row_isolation zero_shift "
    "implicit_8 zero_form unused_zeros split_groups no_bias bias_adds extend_k tail_act repeat "
    "schedule cu_count addresses one_hot routes k_shards experts_dense";
constexpr std::string_view kTypeOrAuto = "auto, or one of f16 bf16 f32 f64 i8 u8 i32 u32 i64";

constexpr std::array kKeys{
    KeyHelp{"m", kInteger, "1", "tokens: rows of act and out"},
    KeyHelp{"n", kInteger, "64", "output features: rows of wei"},
    KeyHelp{"k", kInteger, "256", "input features"},
    KeyHelp{"g", kInteger, "128", "group size along k"},
    KeyHelp{"act", "one of f16 bf16 f32 f64 i8 u8 i32 u32 i64", "f16",
            "element type of act and out; f16 and bf16 are legal"},
    KeyHelp{"zp", "one of none packed unpacked", "none",
            "zero points: none (z = 8), packed int32 [N/8,K/G], unpacked act type [N,K/G]"},
    KeyHelp{"bias", "none, or one or two extents joined by x, each m, n or an integer", "none",
            "bias shape; n, 1xn, mxn, 1x1 and mx1 are legal"},
    KeyHelp{"src", "one of shuffled ct awq gptq1 gptq2", "shuffled",
            "format that the weights are prepared from"},
    KeyHelp{"lda", kIntegerOrAuto, "auto", "row stride of act in elements; auto: k"},
    KeyHelp{"wpad", kIntegerOrAuto, "auto",
            "bytes added to each weight row of k/2; auto: by `pad`"},
    KeyHelp{"spad", kIntegerOrAuto, "auto",
            "groups added to each scale and zero-point row; auto: by `pad`"},
    KeyHelp{"ldy", kIntegerOrAuto, "auto", "row stride of out in elements; auto: n"},
    KeyHelp{"ldb", kIntegerOrAuto, "auto",
            "row stride of a 2-D bias, element stride of a 1-D one; auto: contiguous"},
    KeyHelp{"aoff", kInteger, "0", "bytes from a 256-byte aligned address to act"},
    KeyHelp{"woff", kInteger, "0", "the same for wei"},
    KeyHelp{"soff", kInteger, "0", "the same for scale"},
    KeyHelp{"zoff", kInteger, "0", "the same for zp"},
    KeyHelp{"boff", kInteger, "0", "the same for bias"},
    KeyHelp{"yoff", kInteger, "0", "the same for out"},
    KeyHelp{"sdt", kTypeOrAuto, "auto", "element type of scale; auto: act"},
    KeyHelp{"zdt", kTypeOrAuto, "auto", "element type of zp; auto: i32 packed, act unpacked"},
    KeyHelp{"bdt", kTypeOrAuto, "auto", "element type of bias; auto: act"},
    KeyHelp{"tile", "auto, y<int>u<int>a<int>w<int>, or bm<int>bn<int>bk<int>w<int>", "auto",
            "forced tile: rows per wave, unroll, k per lane and step, waves; in prefill rows, "
            "columns and depth of a workgroup's tile, waves; auto: the tile table"},
    KeyHelp{"cus", kIntegerOrAuto, "auto",
            "compute units that the device reports to host code; auto: the device's"},
    KeyHelp{"lds", kIntegerOrAuto, "auto",
            "LDS bytes that the device reports to host code; auto: the device's"},
    KeyHelp{"lead", kIntegerOrAuto, "auto",
            "leading dimension L: act [L,M/L,K], out [L,M/L,N]; auto: none"},
    KeyHelp{"ldl", kIntegerOrAuto, "auto",
            "stride of act's leading dimension in elements; auto: m/lead rows"},
    KeyHelp{"pad", "one of none f1 f2 v3", "none",
            "rule for the row pads of prepared weights and scales where wpad and spad are auto"},
    KeyHelp{"gidx", "one of none sequential act", "none",
            "GPTQ g_idx of the checkpoint: absent, k div g, or act-order"},
    KeyHelp{"n0", kInteger, "0", "rows of the checkpoint before this shard"},
    KeyHelp{"k0", kInteger, "0", "columns of the checkpoint before this shard"},
    KeyHelp{"qzeros", "0 or 1", "0", "1: a symmetric checkpoint carries zero points all the same"},
    KeyHelp{"cpad", kIntegerOrAuto, "auto", "groups added to each row of the carrier; auto: 0"},
    KeyHelp{"coff", kInteger, "0", "bytes from a 256-byte aligned address to the carrier"},
    KeyHelp{"experts", kInteger, "0", "MoE: experts; 0: a dense layer"},
    KeyHelp{"topk", kInteger, "1", "MoE: experts per token"},
    KeyHelp{"blockm", kInteger, "1", "MoE: rows per block (block_size_m)"},
    KeyHelp{"route", "one of uniform single skewed elsewhere nowhere outside", "uniform",
            "MoE: which experts tokens go to; elsewhere and nowhere have experts with id "
            "-1, outside has ids that are no expert's"},
    KeyHelp{"rows", "one of scattered contiguous", "scattered",
            "MoE: rows named by sorted ids, or act already in the order of the blocks"},
    KeyHelp{"silu", "0 or 1", "0", "MoE: 1: act is [slots,2K], gate then up, fused silu(gate)*up"},
    KeyHelp{"idt", kTypeOrAuto, "auto", "MoE: element type of the expert ids; auto: i32"},
    KeyHelp{"device",
            "one of gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 gfx1201 hip cuda host",
            "gfx1151", "an emulated arch, a real GPU, or host threads"},
    KeyHelp{"place", "one of end beginning plain", "end",
            "hip and cuda: buffers lie before unmapped memory, behind it, or in ordinary memory"},
    KeyHelp{"checks", kLegalChecks, "all", "what the emulator checks"},
    KeyHelp{"fill",
            "one of flat normal integer onehot lane cancel extreme special constant uniform",
            "flat", "recipe of the input data"},
    KeyHelp{"seed", "an integer from 0 to 18446744073709551615", "1", "seed of the input data"},
    KeyHelp{"only", kLegalOnly, "all", "part of the data that is not zero"},
    KeyHelp{"sched", kLegalSchedules, "rr", "order of waves and workgroups"},
    KeyHelp{"fp", "one of auto ieee gfx1151 gfx1201", "auto",
            "arithmetic of dot products and matrix instructions; auto: what was measured on the "
            "arch's family"},
    KeyHelp{"law", kLaws, "reference",
            "what the output is compared with: the reference, or a second call derived from this "
            "one (see `w4check list laws`)"},
    KeyHelp{
        "module", "a path without blanks", "",
        "kernel module: a shared object, a manifest (.json), a source taken in (.w4m), or builtin; "
        "left out: built in"},
    KeyHelp{"prep", "a path without blanks", "",
            "module that prepares the weights, or builtin; left out: the one of `module`"},
    KeyHelp{"mutate", kLegalMutations, "none",
            "one instruction of a kernel that runs otherwise than its code says; emulated devices"},
};

}  // namespace

std::span<const KeyHelp> case_keys() { return kKeys; }

std::string to_string(const Case& c) {
  const Case defaults;
  std::string out = c.kernel;
  std::array<std::string, kKeys.size()> fallback;
  size_t at = 0;
  for_each_case_field(defaults,
                      [&](std::string_view, const auto& v) { fallback[at++] = text_of(v); });
  at = 0;
  for_each_case_field(c, [&](std::string_view key, const auto& v) {
    std::string text = text_of(v);
    if (text != fallback[at++]) out += fmt::format(" {}={}", key, text);
  });
  return out;
}

}  // namespace w4
