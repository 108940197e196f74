// Every other name of the HIP API, so that none is found elsewhere or missed in silence.
#include <cstdio>
#include <cstdlib>

#include "intake/hip/session.h"

namespace w4::hip {
namespace {

Status probed(const char* name) {
  say(name, "is not implemented; the answer is hipErrorNotSupported (docs/w4hip.md says what is)");
  last_error() = kNotSupported;
  return kNotSupported;
}

[[noreturn]] void missing(const char* name) {
  say(name, "is not implemented; docs/w4hip.md says what is");
  std::abort();
}

}  // namespace
}  // namespace w4::hip

using namespace w4::hip;

// Arguments are not looked at, so they need no names.
#define W4HIP_PROBED(name) \
  W4HIP_API Status name() { return probed(#name); }
#define W4HIP_MISSING(name) \
  W4HIP_API void name() { missing(#name); }
#include "intake/hip/not_implemented.inc"
#undef W4HIP_PROBED
#undef W4HIP_MISSING

// Everything is done when a call returns, so a thread's own default stream is like the other.
#define W4HIP_PER_THREAD(name)                                                                 \
  __asm__(".globl " #name "_spt\n.type " #name "_spt, @function\n" #name "_spt:\n  jmp " #name \
          "@PLT\n.size " #name "_spt, . - " #name "_spt\n");
#include "intake/hip/per_thread.inc"
#undef W4HIP_PER_THREAD

// Half precision of host code, which ROCm's library brings for compilers that call for it.
W4HIP_API float __gnu_h2f_ieee(unsigned short bits) {
  return static_cast<float>(__builtin_bit_cast(_Float16, bits));
}
W4HIP_API unsigned short __gnu_f2h_ieee(float x) {
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
}
