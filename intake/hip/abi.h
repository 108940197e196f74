// The part of HIP's binary interface that libw4hip speaks, written down here rather than included:
// one library serves programs built for ROCm 5, 6 and 7, whose headers differ, and is built where
// no HIP is installed. tests/intake/hip/library_test.cpp holds it against the installed headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "devices/hip_abi.h"

namespace w4::hip {

struct Dim3 {  // dim3, uint3
  uint32_t x, y, z;
};

// What clang puts into .hipFatBinSegment for each translation unit.
struct FatBinaryWrapper {
  static constexpr uint32_t kMagic = 0x48495046;  // "HIPF"
  uint32_t magic, version;
  const void* image;
  void* unused;
};

struct FunctionAttributes {  // hipFuncAttributes
  int binaryVersion, cacheModeCA;
  size_t constSizeBytes, localSizeBytes;
  int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
  size_t sharedSizeBytes;
};

struct PointerAttributes {  // hipPointerAttribute_t
  int type, device;         // the values of `type` differ: host is 0 in ROCm 5, 1 from 6 on
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

struct LaunchConfig {  // hipLaunchConfig_t, ROCm 6.5 and later
  Dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  void* stream;
  void* attrs;
  unsigned numAttrs;
};

}  // namespace w4::hip

// Everything else in the library is hidden.
#define W4HIP_API extern "C" __attribute__((visibility("default")))
