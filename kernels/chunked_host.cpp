// The chunked kernels for the CPU, and the table that the host device finds them in. Compiled as
// often as chunked.hip is for one arch, with the same choices: W4_ACT, W4_ACT_NAME, W4_GROUP;
// W4_HOST_OBJECT is the name of the table.
#include "kernels/chunked.hip"
#include "kernels/host_entry.h"

#define W4_TEXT2(x) #x
#define W4_TEXT(x) W4_TEXT2(x)
#define W4_CHUNKED_ROW2(NAME) w4::device::HostEntry<NAME>::row(W4_TEXT(NAME)),
#define W4_CHUNKED_ROW(FORM, M, Y, U, A, ZP) \
  W4_CHUNKED_ROW2(W4_CHUNKED_NAME(FORM, M, Y, U, A, W4_GROUP, W4_ACT_NAME, ZP))
#define W4_CHUNKED_ROWS_symmetric(FORM, M, Y, U, A) W4_CHUNKED_ROW(FORM, M, Y, U, A, symmetric)
#define W4_CHUNKED_ROWS_both(FORM, M, Y, U, A) \
  W4_CHUNKED_ROW(FORM, M, Y, U, A, symmetric)  \
  W4_CHUNKED_ROW(FORM, M, Y, U, A, packed)
#define W4_CHUNKED_ROWS(FORM, M, Y, U, A, ZPS) W4_CHUNKED_ROWS_##ZPS(FORM, M, Y, U, A)

namespace {
constexpr w4::HostKernel kKernels[] = {W4_CHUNKED_TILES(W4_CHUNKED_ROWS)};
}

extern "C" const w4::HostObject W4_HOST_OBJECT;
constexpr w4::HostObject W4_HOST_OBJECT{w4::kHostObject, kKernels, std::size(kKernels)};
