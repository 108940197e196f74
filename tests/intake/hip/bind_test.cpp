// HIP calls of a thread that is bound to a device: they reach its table, and no other thread's do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "intake/hip/abi.h"
#include "intake/hip/w4hip.h"

extern "C" {
int hipMalloc(void** p, size_t bytes);
int hipFree(void* p);
int hipMemcpy(void* dst, const void* src, size_t n, int kind);
int hipMemset(void* dst, int value, size_t n);
int hipGetDeviceProperties(void* p, int device);
int hipGetLastError();
int hipDeviceGetAttribute(int* value, int which, int device);
int hipModuleLoad(void** module, const char* path);
int hipModuleGetFunction(void** function, void* module, const char* name);
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned lds, void* stream, void** params,
                          void** extra);
}

namespace w4::hip {
namespace {

// A table that keeps memory in a map and records what it was asked to launch.
struct Recorder {
  std::map<uint64_t, std::vector<std::byte>> memory;
  std::vector<std::string> launches;
  std::vector<std::byte> args;
  int answer = 0;

  static Recorder& of(void* self) { return *static_cast<Recorder*>(self); }
  std::byte* at(uint64_t address, size_t bytes) {
    auto it = memory.upper_bound(address);
    if (it == memory.begin()) return nullptr;
    --it;
    const uint64_t offset = address - it->first;
    return offset + bytes <= it->second.size() ? it->second.data() + offset : nullptr;
  }

  w4_device table() {
    return {
        .version = W4_MODULE_VERSION,
        .self = this,
        .arch = "gfx1151",
        .property = [](void*, w4_property which) -> int64_t {
          return which == W4_PROP_CU_COUNT        ? 7
                 : which == W4_PROP_LDS_PER_BLOCK ? 163840
                 : which == W4_PROP_WAVE          ? 32
                                                  : 1024;
        },
        .host_alloc = [](void*, size_t) -> void* { return nullptr; },
        .device_alloc = [](void* self, size_t bytes) -> uint64_t {
          const uint64_t at = (of(self).memory.size() + 1) << 36;
          of(self).memory[at].resize(bytes);
          return at;
        },
        .device_free = [](void* self, uint64_t at) { of(self).memory.erase(at); },
        .read = [](void* self, uint64_t from, void* to, size_t n) -> int {
          const std::byte* p = of(self).at(from, n);
          if (p) std::memcpy(to, p, n);
          return !p;
        },
        .write = [](void* self, uint64_t to, const void* from, size_t n) -> int {
          std::byte* p = of(self).at(to, n);
          if (p) std::memcpy(p, from, n);
          return !p;
        },
        .copy = [](void* self, uint64_t to, uint64_t from, size_t n) -> int {
          std::memcpy(of(self).at(to, n), of(self).at(from, n), n);
          return 0;
        },
        .launch = [](void* self, const w4_launch* what) -> int {
          of(self).launches.emplace_back(what->symbol);
          const auto* p = static_cast<const std::byte*>(what->args);
          of(self).args.assign(p, p + what->arg_bytes);
          return of(self).answer;
        },
        .refuse = [](void*, const char*, const char*) {},
        .ran = [](void*, const char*) {},
    };
  }
};

class W4HipBind : public testing::Test {
 protected:
  void SetUp() override { w4hip_bind(&table_); }
  void TearDown() override { w4hip_bind(nullptr); }

  // hipModuleLaunchKernel of a kernel with three pointers and an int.
  int launch() {
    void *module = nullptr, *function = nullptr;
    EXPECT_EQ(hipModuleLoad(&module, W4HIP_ANSWERS), 0);
    EXPECT_EQ(hipModuleGetFunction(&function, module, "vector_add"), 0);
    uint64_t a = 1, b = 2, c = 3;
    int n = 4;
    void* params[] = {&a, &b, &c, &n};
    return hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr);
  }

  Recorder recorder_;
  w4_device table_ = recorder_.table();
};

TEST_F(W4HipBind, MemoryIsTheDevices) {
  void* p = nullptr;
  ASSERT_EQ(hipMalloc(&p, 8), 0);
  EXPECT_EQ(recorder_.memory.size(), 1u);
  uint32_t host[2] = {1, 2}, back[2] = {};
  EXPECT_EQ(hipMemcpy(p, host, 8, kHostToDevice), 0);
  EXPECT_EQ(hipMemset(p, 5, 1), 0);
  EXPECT_EQ(hipMemcpy(back, p, 8, kDeviceToHost), 0);
  EXPECT_EQ(back[0], 5u);
  EXPECT_EQ(back[1], 2u);
  EXPECT_EQ(hipFree(p), 0);
  EXPECT_TRUE(recorder_.memory.empty());
}

TEST_F(W4HipBind, KindsSayWhereBothLie) {
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(hipMalloc(&a, 8), 0);
  ASSERT_EQ(hipMalloc(&b, 8), 0);
  uint64_t host = 3, other = 0;
  EXPECT_EQ(hipMemcpy(a, &host, 8, kDeviceToDevice), kInvalidValue);
  EXPECT_EQ(hipMemcpy(&other, &host, 8, kDeviceToHost), kInvalidValue);
  EXPECT_EQ(hipMemcpy(b, a, 8, kHostToDevice), kInvalidValue);
  EXPECT_EQ(hipMemcpy(a, &host, 8, static_cast<CopyKind>(7)), kInvalidValue);
  EXPECT_EQ(hipMemcpy(a, &host, 8, kHostToDevice), 0);
  EXPECT_EQ(hipMemcpy(b, a, 8, kDeviceToDeviceNoCU), 0);
  EXPECT_EQ(hipMemcpy(&other, b, 8, kDeviceToHost), 0);
  EXPECT_EQ(other, host);
}

TEST_F(W4HipBind, BuffersThatHipDidNotAllocateAreLeftToTheDevice) {
  recorder_.memory[uint64_t{9} << 36].resize(4);
  uint32_t host = 3;
  EXPECT_EQ(hipMemcpy(reinterpret_cast<void*>(uint64_t{9} << 36), &host, 4, kDefault), 0);
  EXPECT_EQ(hipMemcpy(reinterpret_cast<void*>(uint64_t{9} << 36), &host, 5, kDefault),
            kInvalidValue);
}

TEST_F(W4HipBind, PropertiesAreTheDevices) {
  PropertiesR0000 p;
  ASSERT_EQ(hipGetDeviceProperties(&p, 0), 0);
  EXPECT_STREQ(p.gcnArchName, "gfx1151");
  EXPECT_EQ(p.multiProcessorCount, 7);
  EXPECT_EQ(p.sharedMemPerBlock, 163840u);
  EXPECT_EQ(p.major * 10 + p.minor, 115);
  int value = 0;
  EXPECT_EQ(hipDeviceGetAttribute(&value, 63, 0), 0);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(hipGetDeviceProperties(&p, 1), kInvalidDevice);
}

TEST_F(W4HipBind, LaunchesAreTheDevicesWithArgumentsInPlace) {
  EXPECT_EQ(launch(), 0);
  ASSERT_EQ(recorder_.launches, std::vector<std::string>{"vector_add"});
  ASSERT_EQ(recorder_.args.size(), 28u);
  for (size_t i = 0; i < 3; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, &recorder_.args[8 * i], 8);
    EXPECT_EQ(value, i + 1);
  }
  EXPECT_EQ(w4hip_launch_result(), 0);
}

// A struct of arguments may end in padding.
TEST_F(W4HipBind, NoMoreThanTheKernelsArgumentsIsHandedOver) {
  void *module = nullptr, *function = nullptr;
  ASSERT_EQ(hipModuleLoad(&module, W4HIP_ANSWERS), 0);
  ASSERT_EQ(hipModuleGetFunction(&function, module, "vector_add"), 0);
  std::vector<std::byte> buffer(4096);
  size_t bytes = buffer.size();
  const auto tag = [](uint64_t n) { return reinterpret_cast<void*>(n); };
  void* extra[] = {tag(1), buffer.data(), tag(2), &bytes, tag(3)};
  EXPECT_EQ(hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), 0);
  EXPECT_GE(recorder_.args.size(), 28u);
  EXPECT_LT(recorder_.args.size(), buffer.size());
}

TEST_F(W4HipBind, AFailedLaunchIsToldUntilTheNextBind) {
  recorder_.answer = 42;
  EXPECT_EQ(launch(), kLaunchFailure);
  EXPECT_EQ(w4hip_launch_result(), 42);
  void* p = nullptr;
  EXPECT_EQ(hipMalloc(&p, 8), kLaunchFailure);
  EXPECT_EQ(hipGetLastError(), kLaunchFailure);
  w4hip_bind(&table_);
  EXPECT_EQ(w4hip_launch_result(), 0);
  EXPECT_EQ(hipGetLastError(), 0);
  EXPECT_EQ(hipMalloc(&p, 8), 0);
}

TEST_F(W4HipBind, DryLaunchesDoNothing) {
  w4hip_dry(1);
  EXPECT_EQ(launch(), 0);
  EXPECT_TRUE(recorder_.launches.empty());
  w4hip_dry(0);
  EXPECT_EQ(launch(), 0);
  EXPECT_EQ(recorder_.launches.size(), 1u);
}

TEST_F(W4HipBind, ThreadsAreBoundEachForItself) {
  Recorder other;
  w4_device table = other.table();
  std::thread([&table] {
    w4hip_bind(&table);
    void* p = nullptr;
    EXPECT_EQ(hipMalloc(&p, 8), 0);
  }).join();
  EXPECT_EQ(other.memory.size(), 1u);
  EXPECT_TRUE(recorder_.memory.empty());
}

}  // namespace
}  // namespace w4::hip
