// What a test may ask of the library that stands in for NVIDIA's driver (fake_cuda.cpp), besides
// the driver's own functions. W4_FAKE_CUDA in the environment, words: "no_gpu", "old" (compute
// capability 7.5), "no_vmm", "no_stage".
#pragma once

#include <cstdint>

namespace w4 {

struct FakeCudaCounts {
  uint64_t images = 0;           // that were loaded
  uint64_t kernels_in_last = 0;  // `.entry` in the last of them
  uint64_t launches = 0;
  uint64_t waits = 0;                                                     // of cuStreamSynchronize
  uint64_t allocations = 0, reservations = 0, handles = 0, mappings = 0;  // that are alive
};

// Symbol "fake_cuda_counts".
using FakeCudaCountsOf = void (*)(FakeCudaCounts* to);

}  // namespace w4
