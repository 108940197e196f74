// The decode kernels for the CPU, and the table that the host device finds them in. Compiled as
// often as decode.hip is for one arch, with the same choices: W4_ACT, W4_ACT_NAME,
// W4_GROUP; W4_HOST_OBJECT is the name of the table.
#include "kernels/decode.hip"
#include "kernels/host_entry.h"

#define W4_TEXT2(x) #x
#define W4_TEXT(x) W4_TEXT2(x)
#define W4_DECODE_ROW2(NAME) w4::device::HostEntry<NAME>::row(W4_TEXT(NAME)),
#define W4_DECODE_ROW(FORM, M, Y, U, ZP) \
  W4_DECODE_ROW2(W4_DECODE_NAME(FORM, M, Y, U, W4_GROUP, W4_ACT_NAME, ZP))
#define W4_DECODE_ROWS(FORM, M, Y, U)     \
  W4_DECODE_ROW(FORM, M, Y, U, symmetric) \
  W4_DECODE_ROW(FORM, M, Y, U, packed)    \
  W4_DECODE_ROW(FORM, M, Y, U, unpacked)

namespace {
constexpr w4::HostKernel kKernels[] = {W4_DECODE_TILES(W4_DECODE_ROWS)};
}

extern "C" const w4::HostObject W4_HOST_OBJECT;
constexpr w4::HostObject W4_HOST_OBJECT{w4::kHostObject, kKernels, std::size(kKernels)};
