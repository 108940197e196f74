// Stand-in for vLLM's header of this name, for a source file without its tree; -I DIR puts the real
// one first.
#pragma once

#include "cuda_runtime.h"

// The emulated devices of this program run waves of 32 lanes.
#define WARP_SIZE 32
#define VLLM_LDG(ADDRESS) (*(ADDRESS))
#define VLLM_SHFL_XOR_SYNC(VALUE, MASK) __shfl_xor(VALUE, MASK)
#define VLLM_SHFL_XOR_SYNC_WIDTH(VALUE, MASK, WIDTH) __shfl_xor(VALUE, MASK, WIDTH)
#define VLLM_SHFL_SYNC(VALUE, LANE) __shfl(VALUE, LANE)
#define VLLM_SHFL_DOWN_SYNC(VALUE, DELTA) __shfl_down(VALUE, DELTA)
#define VLLM_DevFuncAttribute_SET_MaxDynamicSharedMemorySize(FUNCTION, BYTES) \
  hipFuncSetAttribute(reinterpret_cast<const void*>(FUNCTION),                \
                      hipFuncAttributeMaxDynamicSharedMemorySize, BYTES)
