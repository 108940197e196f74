// Variables of code objects (__device__, __constant__) by the host variable that stands for them.
#include "intake/hip/code.h"
#include "intake/hip/memory.h"
#include "intake/hip/streams.h"

namespace w4::hip {
namespace {

// The address of `n` bytes at `offset` of the variable.
Status part_of(const Call& c, const void* symbol, size_t n, size_t offset, uint64_t& at) {
  uint64_t bytes = 0;
  if (const Status s = variable_of(c, symbol, at, bytes); s != kSuccess) return s;
  if (offset > bytes || n > bytes - offset)
    return c.bad(kInvalidValue, "{} bytes at {} of a variable of {}", n, offset, bytes);
  at += offset;
  return kSuccess;
}

Status to_symbol(const Call& c, const void* symbol, const void* src, size_t n, size_t offset,
                 CopyKind kind) {
  uint64_t at = 0;
  if (const Status s = part_of(c, symbol, n, offset, at); s != kSuccess) return s;
  return copy(c, reinterpret_cast<void*>(at), src, n, kind);
}

Status from_symbol(const Call& c, void* dst, const void* symbol, size_t n, size_t offset,
                   CopyKind kind) {
  uint64_t at = 0;
  if (const Status s = part_of(c, symbol, n, offset, at); s != kSuccess) return s;
  return copy(c, dst, reinterpret_cast<const void*>(at), n, kind);
}

}  // namespace
}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipMemcpyToSymbol(const void* symbol, const void* src, size_t n, size_t offset,
                                   CopyKind kind) {
  return call("hipMemcpyToSymbol",
              [&](Call& c) { return to_symbol(c, symbol, src, n, offset, kind); });
}
W4HIP_API Status hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t n,
                                        size_t offset, CopyKind kind, void* stream) {
  return call("hipMemcpyToSymbolAsync", [&](Call& c) {
    return known_stream(c, stream) ? to_symbol(c, symbol, src, n, offset, kind) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemcpyFromSymbol(void* dst, const void* symbol, size_t n, size_t offset,
                                     CopyKind kind) {
  return call("hipMemcpyFromSymbol",
              [&](Call& c) { return from_symbol(c, dst, symbol, n, offset, kind); });
}
W4HIP_API Status hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t n, size_t offset,
                                          CopyKind kind, void* stream) {
  return call("hipMemcpyFromSymbolAsync", [&](Call& c) {
    return known_stream(c, stream) ? from_symbol(c, dst, symbol, n, offset, kind) : kInvalidHandle;
  });
}
W4HIP_API Status hipGetSymbolAddress(void** p, const void* symbol) {
  return call("hipGetSymbolAddress", [&](Call& c) -> Status {
    if (!p) return c.bad(kInvalidValue, "devPtr is null");
    uint64_t at = 0, bytes = 0;
    const Status s = variable_of(c, symbol, at, bytes);
    if (s == kSuccess) *p = reinterpret_cast<void*>(at);
    return s;
  });
}
W4HIP_API Status hipGetSymbolSize(size_t* n, const void* symbol) {
  return call("hipGetSymbolSize", [&](Call& c) -> Status {
    if (!n) return c.bad(kInvalidValue, "size is null");
    uint64_t at = 0, bytes = 0;
    const Status s = variable_of(c, symbol, at, bytes);
    if (s == kSuccess) *n = bytes;
    return s;
  });
}
