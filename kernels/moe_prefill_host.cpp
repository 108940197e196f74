// The MoE prefill kernels for the CPU, and the table that the host device finds them in. Compiled
// as often as moe_prefill.hip is for one arch, with the same choices: W4_ACT, W4_ACT_NAME;
// W4_HOST_OBJECT is the name of the table.
#include "kernels/host_entry.h"
#include "kernels/moe_prefill.hip"

#define W4_TEXT2(x) #x
#define W4_TEXT(x) W4_TEXT2(x)
#define W4_MOE_PREFILL_ROW2(NAME) w4::device::HostEntry<NAME>::row(W4_TEXT(NAME)),
#define W4_MOE_PREFILL_ROW(BM, BN, BK, ZP) \
  W4_MOE_PREFILL_ROW2(W4_MOE_PREFILL_NAME(BM, BN, BK, W4_ACT_NAME, ZP))
#define W4_MOE_PREFILL_ROWS(BM, BN, BK, ROWS, COLUMNS) \
  W4_MOE_PREFILL_ROW(BM, BN, BK, symmetric)            \
  W4_MOE_PREFILL_ROW(BM, BN, BK, packed)

namespace {
constexpr w4::HostKernel kKernels[] = {W4_MOE_PREFILL_TILES(W4_MOE_PREFILL_ROWS)};
}

extern "C" const w4::HostObject W4_HOST_OBJECT;
constexpr w4::HostObject W4_HOST_OBJECT{w4::kHostObject, kKernels, std::size(kKernels)};
