#include "tests/devices/cuda/fake_launch.h"

#include <setjmp.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "devices/host_arithmetic.h"
#include "devices/host_lane.h"
#include "devices/host_workgroup.h"
#include "kernels/objects.h"

namespace w4 {

// The table of kernels compiled for the CPU that this library has.
std::span<const KernelObject> host_kernel_objects();

namespace {

constexpr CudaCode kInvalidValue = 1, kIllegalAddress = 700, kLaunchFailed = 719;

sigjmp_buf back;

void go_back(int) { siglongjmp(back, 1); }

// 700 where `act` touches what is not mapped; its stack is left as it is then.
template <class Act>
CudaCode guarded(const Act& act) {
  static std::vector<char> stack(65536);
  stack_t mine{};
  mine.ss_sp = stack.data();
  mine.ss_size = stack.size();
  stack_t before{};
  sigaltstack(&mine, &before);
  struct sigaction trap{}, segv{}, bus{};
  trap.sa_handler = go_back;
  trap.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &trap, &segv);
  sigaction(SIGBUS, &trap, &bus);
  volatile CudaCode code = 0;
  if (sigsetjmp(back, 1) == 0) {
    code = act();
  } else {
    code = kIllegalAddress;
  }
  sigaction(SIGSEGV, &segv, nullptr);
  sigaction(SIGBUS, &bus, nullptr);
  sigaltstack(&before, nullptr);
  return code;
}

const HostKernel* find_host_kernel(const std::string& symbol) {
  for (const KernelObject& o : host_kernel_objects()) {
    HostObject object{};
    std::memcpy(&object, o.begin, sizeof(object));
    const std::span kernels(object.kernels, object.count);
    const auto found =
        std::ranges::find_if(kernels, [&](const HostKernel& k) { return symbol == k.symbol; });
    if (found != kernels.end()) return &*found;
  }
  return nullptr;
}

template <class T>
T argument(const w4_launch& what, size_t at) {
  T v{};
  std::memcpy(&v, static_cast<const char*>(what.args) + at, sizeof(v));
  return v;
}

// Kernels of the tests, all with a device address as their first argument.
std::optional<CudaCode> tests_own(const std::string& symbol, const w4_launch& what) {
  if (what.arg_bytes < 8) return std::nullopt;
  const auto to = argument<uint64_t>(what, 0);
  if (symbol == "fake_read") {  // (address): one byte
    return guarded([&] {
      (void)*reinterpret_cast<const volatile char*>(to);
      return 0;
    });
  }
  if (symbol == "fake_say") {  // (out, …): uint32 threads, blocks, shared, bytes; the arguments
    return guarded([&] {
      const uint32_t said[4] = {what.block[0] * what.block[1] * what.block[2],
                                what.grid[0] * what.grid[1] * what.grid[2], what.dynamic_lds,
                                static_cast<uint32_t>(what.arg_bytes)};
      std::memcpy(reinterpret_cast<void*>(to), said, sizeof(said));
      std::memcpy(reinterpret_cast<char*>(to) + sizeof(said), what.args, what.arg_bytes);
      return 0;
    });
  }
  if (symbol == "fake_trap") return kLaunchFailed;
  return std::nullopt;
}

}  // namespace

CudaCode fake_launch(const std::string& symbol, const w4_launch& what) {
  if (const auto code = tests_own(symbol, what)) return *code;
  const HostKernel* const kernel = find_host_kernel(symbol);
  if (kernel == nullptr || kernel->arg_bytes != what.arg_bytes) return kInvalidValue;
  // Left behind where a fault leaves its fibers in the middle.
  static HostWorkgroup* workgroup = nullptr;
  if (workgroup == nullptr) {
    auto made = HostWorkgroup::make(1024);
    if (!made) return kLaunchFailed;
    workgroup = std::make_unique<HostWorkgroup>(std::move(*made)).release();
  }
  return guarded([&]() -> CudaCode {
    for (uint32_t x = 0; x < what.grid[0]; ++x) {
      const auto finding =
          workgroup->run(*kernel, what, {x, 0, 0}, host_arithmetic(rdna::FpModel::ieee));
      if (finding) return kLaunchFailed;
    }
    return 0;
  });
}

}  // namespace w4
