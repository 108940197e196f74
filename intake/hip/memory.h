// Memory behind the HIP calls that name it: allocate and release in memory.cpp, what moves bytes in
// copies.cpp.
#pragma once

#include "intake/hip/session.h"

namespace w4::hip {

Status allocate(const Call& c, void** p, size_t bytes);
Status release(const Call& c, void* p);

// Whether [at, at+bytes) lies in one block of hipHostMalloc or hipHostRegister.
bool in_pinned(uint64_t at, uint64_t bytes);

// Refused by name, with hipErrorInvalidValue: a kind that contradicts where the two lie, ranges
// that overlap, and what check_range refuses.
Status copy(const Call& c, void* dst, const void* src, size_t n, CopyKind kind);
// `height` rows of `width` bytes; pitches in bytes.
Status copy_rows(const Call& c, void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                 size_t width, size_t height, CopyKind kind);
// `count` elements of `element` bytes (1, 2, 4), each the low bytes of `value`.
Status fill(const Call& c, void* dst, uint32_t value, size_t element, size_t count);

// 5, 6 or 7: the ROCm that the program was built for, where its interface differs. W4HIP_ROCM, or
// the number in the name under which it loaded a HIP runtime (libamdhip64.so.6), or 6.
int rocm_version();

}  // namespace w4::hip
