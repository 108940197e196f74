// The part of HIP's binary interface that both sides of it speak, the hip device as a caller and
// libw4hip (intake/hip) as the library: written down rather than included, because it is built
// where no HIP is installed and runs with ROCm 5, 6 and 7.
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

enum CopyKind : int {  // hipMemcpyKind
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
  kDeviceToDeviceNoCU = 1024,
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

}  // namespace w4::hip
