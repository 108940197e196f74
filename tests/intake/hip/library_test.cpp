// The library as a binary: what it exports, and the layouts it shares with programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#include "intake/hip/abi.h"
#ifdef W4HIP_HEADERS
#include <hip/hip_runtime_api.h>
#endif

namespace w4::hip {
namespace {

using testing::IsEmpty;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return out;
  std::array<char, 4096> piece{};
  while (const size_t n = std::fread(piece.data(), 1, piece.size(), pipe))
    out.append(piece.data(), n);
  ::pclose(pipe);
  return out;
}

// Functions that a library exports, versions taken off.
std::set<std::string> exports(const std::string& library) {
  std::set<std::string> out;
  std::istringstream lines(output_of("llvm-nm-19 -D --defined-only " + library));
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    if (kind == "T" || kind == "W") out.insert(name.substr(0, name.find('@')));
  }
  return out;
}

TEST(W4HipLibrary, ExportsHipAndNothingElse) {
  std::set<std::string> others;
  for (const std::string& name : exports(W4HIP_LIBRARY)) {
    const std::string_view n = name;
    if (!n.starts_with("hip") && !n.starts_with("__hip") && !n.starts_with("w4hip_") &&
        !n.starts_with("_Z24hip") && !n.starts_with("__gnu_"))
      others.insert(name);
  }
  EXPECT_THAT(others, IsEmpty());
}

TEST(W4HipLibrary, HasEveryNameOfRocmsLibrary) {
  if (!*W4HIP_ROCM_LIBRARY) GTEST_SKIP() << "there is no libamdhip64 to compare with";
  const std::set<std::string> ours = exports(W4HIP_LIBRARY);
  const std::set<std::string> theirs = exports(W4HIP_ROCM_LIBRARY);
  EXPECT_GT(theirs.size(), 300u);
  std::set<std::string> missing;
  for (const std::string& name : theirs) {
    const bool c_name = name.starts_with("hip") || name.starts_with("__hip");
    if (c_name && !ours.contains(name)) missing.insert(name);
  }
  EXPECT_THAT(missing, IsEmpty());
  for (const char* later : {"hipGetDevicePropertiesR0600", "hipLaunchKernelExC",
                            "hipGetProcAddress", "hipLibraryLoadData", "hipMemcpyAsync_spt"})
    EXPECT_TRUE(ours.contains(later)) << later;
}

#ifdef W4HIP_HEADERS
#if HIP_VERSION_MAJOR >= 6
using Ours = PropertiesR0600;
#else
using Ours = PropertiesR0000;
#endif
#define EXPECT_SAME_PLACE(field) \
  EXPECT_EQ(offsetof(Ours, field), offsetof(hipDeviceProp_t, field)) << #field

TEST(W4HipLayout, DevicePropertiesAreTheHeaders) {
  EXPECT_EQ(sizeof(Ours), sizeof(hipDeviceProp_t));
  EXPECT_SAME_PLACE(totalGlobalMem);
  EXPECT_SAME_PLACE(sharedMemPerBlock);
  EXPECT_SAME_PLACE(regsPerBlock);
  EXPECT_SAME_PLACE(warpSize);
  EXPECT_SAME_PLACE(maxThreadsPerBlock);
  EXPECT_SAME_PLACE(maxGridSize);
  EXPECT_SAME_PLACE(totalConstMem);
  EXPECT_SAME_PLACE(major);
  EXPECT_SAME_PLACE(minor);
  EXPECT_SAME_PLACE(multiProcessorCount);
  EXPECT_SAME_PLACE(maxThreadsPerMultiProcessor);
  EXPECT_SAME_PLACE(arch);
  EXPECT_SAME_PLACE(maxSharedMemoryPerMultiProcessor);
  EXPECT_SAME_PLACE(gcnArchName);
  EXPECT_SAME_PLACE(memPitch);
  EXPECT_SAME_PLACE(asicRevision);
}

TEST(W4HipLayout, OtherStructsAndNumbersAreTheHeaders) {
  EXPECT_EQ(sizeof(FunctionAttributes), sizeof(hipFuncAttributes));
  EXPECT_EQ(offsetof(FunctionAttributes, numRegs), offsetof(hipFuncAttributes, numRegs));
  EXPECT_EQ(offsetof(FunctionAttributes, sharedSizeBytes),
            offsetof(hipFuncAttributes, sharedSizeBytes));
  EXPECT_EQ(sizeof(PointerAttributes), sizeof(hipPointerAttribute_t));
  EXPECT_EQ(sizeof(Dim3), sizeof(dim3));
  EXPECT_EQ(int{kLaunchFailure}, int{hipErrorLaunchFailure});
  EXPECT_EQ(int{kNoBinaryForGpu}, int{hipErrorNoBinaryForGpu});
  EXPECT_EQ(int{kInvalidImage}, int{hipErrorInvalidImage});
  EXPECT_EQ(int{kFileNotFound}, int{hipErrorFileNotFound});
  EXPECT_EQ(int{kInvalidConfiguration}, int{hipErrorInvalidConfiguration});
  EXPECT_EQ(int{kInvalidDeviceFunction}, int{hipErrorInvalidDeviceFunction});
  EXPECT_EQ(int{kInvalidHandle}, int{hipErrorInvalidHandle});
  EXPECT_EQ(int{kNotSupported}, int{hipErrorNotSupported});
  EXPECT_EQ(int{kDeviceToDevice}, int{hipMemcpyDeviceToDevice});
}
#endif

}  // namespace
}  // namespace w4::hip
