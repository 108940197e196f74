// The part of HIP's binary interface that libw4hip speaks, written down here rather than included:
// one library serves programs built for ROCm 5, 6 and 7, whose headers differ, and is built where
// no HIP is installed. tests/intake/hip/library_test.cpp holds it against the installed headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace w4::hip {

// hipError_t, the values that are returned here; names and texts of all are in errors.inc.
enum Status : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidDeviceFunction = 98,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kNoBinaryForGpu = 209,
  kFileNotFound = 301,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kLaunchFailure = 719,
  kNotSupported = 801,
  kUnknown = 999,
};

struct Dim3 {  // dim3, uint3
  uint32_t x, y, z;
};

enum CopyKind : int {  // hipMemcpyKind
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
  kDeviceToDeviceNoCU = 1024,
};

// What clang puts into .hipFatBinSegment for each translation unit.
struct FatBinaryWrapper {
  static constexpr uint32_t kMagic = 0x48495046;  // "HIPF"
  uint32_t magic, version;
  const void* image;
  void* unused;
};

// hipDeviceProp_t up to ROCm 5, also under the name hipDeviceProp_tR0000.
struct PropertiesR0000 {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock;
  int maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  size_t totalConstMem;
  int major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode;
  int clockInstructionRate;
  uint32_t arch;  // hipDeviceArch_t, 19 flags
  int concurrentKernels, pciDomainID, pciBusID, pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard, canMapHostMemory, gcnArch;
  char gcnArchName[256];
  int integrated, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear, maxTexture1D, maxTexture2D[2], maxTexture3D[3];
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  size_t memPitch, textureAlignment, texturePitchAlignment;
  int kernelExecTimeoutEnabled, ECCEnabled, tccDriver;
  int cooperativeMultiDeviceUnmatched[4];  // Func, GridDim, BlockDim, SharedMem
  int isLargeBar, asicRevision, managedMemory, directManagedMemAccessFromHost;
  int concurrentManagedAccess, pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
};

// hipDeviceProp_t from ROCm 6 on, also hipDeviceProp_tR0600.
struct PropertiesR0600 {
  char name[256];
  char uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
  int computeMode;
  int textures[40];  // maxTexture1D … maxSurfaceCubemapLayered
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseHipArraySupported, hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported, ipcEventSupported, clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63], hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  uint32_t arch;
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar, asicRevision;
};
static_assert(sizeof(PropertiesR0000) == 792 && sizeof(PropertiesR0600) == 1472);
static_assert(offsetof(PropertiesR0600, totalGlobalMem) == 288);
static_assert(offsetof(PropertiesR0600, gcnArchName) == 1160);

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
