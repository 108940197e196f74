// The MoE kernels for the CPU, and the table that the host device finds them in. Compiled as often
// as moe.hip is for one arch, with the same choices: W4_ACT, W4_ACT_NAME, W4_GROUP; W4_HOST_OBJECT
// is the name of the table.
#include "kernels/host_entry.h"
#include "kernels/moe.hip"

#define W4_TEXT2(x) #x
#define W4_TEXT(x) W4_TEXT2(x)
#define W4_MOE_ROW2(NAME) w4::device::HostEntry<NAME>::row(W4_TEXT(NAME)),
#define W4_MOE_ROW(FORM, M, Y, U, A, W, ZP) \
  W4_MOE_ROW2(W4_MOE_NAME(FORM, M, Y, U, A, W, W4_GROUP, W4_ACT_NAME, ZP))
#define W4_MOE_ROWS(FORM, M, Y, U, A, W)     \
  W4_MOE_ROW(FORM, M, Y, U, A, W, symmetric) \
  W4_MOE_ROW(FORM, M, Y, U, A, W, packed)

namespace {
constexpr w4::HostKernel kKernels[] = {W4_MOE_TILES(W4_MOE_ROWS)};
}

extern "C" const w4::HostObject W4_HOST_OBJECT;
constexpr w4::HostObject W4_HOST_OBJECT{w4::kHostObject, kKernels, std::size(kKernels)};
