#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <vector>

#include "core/gpu.h"
#include "devices/gpu_api.h"
#include "devices/hip_driver.h"

namespace w4 {
namespace {

void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

// A launch that fails with one of these did not start; after any other error the runtime serves
// this process no more.
bool is_refusal(hip::Status code) {
  constexpr std::array kRefusals{
      1,    // hipErrorInvalidValue
      2,    // hipErrorOutOfMemory
      9,    // hipErrorInvalidConfiguration
      98,   // hipErrorInvalidDeviceFunction
      200,  // hipErrorInvalidImage
      209,  // hipErrorNoBinaryForGpu
      218,  // hipErrorInvalidKernelFile
      302,  // hipErrorSharedObjectSymbolNotFound
      303,  // hipErrorSharedObjectInitFailed
      400,  // hipErrorInvalidHandle
      500,  // hipErrorNotFound
      701,  // hipErrorLaunchOutOfResources
      801,  // hipErrorNotSupported
  };
  return std::ranges::find(kRefusals, static_cast<int>(code)) != kRefusals.end();
}

class HipCode final : public GpuCode {
 public:
  // Runtimes translate late: the bytes stay.
  HipCode(const HipDriver& hip, std::span<const std::byte> object)
      : hip_(hip), bytes_(object.begin(), object.end()) {}
  ~HipCode() override {
    if (module_ != nullptr) (void)hip_.unload(module_);
  }

  hip::Status load() { return hip_.load(&module_, bytes_.data()); }

  hip::Status find(const char* symbol, void*& function) {
    auto& known = functions_[symbol];
    if (known == nullptr) {
      if (const hip::Status s = hip_.function(&known, module_, symbol); s != hip::kSuccess) {
        return s;
      }
    }
    function = known;
    return hip::kSuccess;
  }

 private:
  const HipDriver& hip_;
  std::vector<std::byte> bytes_;
  void* module_ = nullptr;
  std::map<std::string, void*, std::less<>> functions_;
};

class HipApi final : public GpuApi {
 public:
  HipApi(HipDriver driver, GpuFacts facts) : hip_(std::move(driver)), facts_(std::move(facts)) {}

  Result<void> make_events() {
    for (void** event : {&from_, &to_}) {
      if (auto done = check(hip_.make_event(event), "hipEventCreate"); !done) return done;
    }
    return {};
  }

  const GpuFacts& facts() const override { return facts_; }
  bool lost() const override { return lost_; }

  // Never guarded: ROCm ends the process at an access to memory that is not mapped, which is a
  // crash of the worker rather than a finding.
  Result<GpuRoom> reserve(uint64_t bytes, bool) override {
    void* at = nullptr;
    if (auto done = check(hip_.allocate(&at, bytes), "hipMalloc"); !done) {
      return fail("{} bytes: {}", bytes, done.error().text);
    }
    return GpuRoom{.begin = reinterpret_cast<uint64_t>(at), .bytes = bytes};
  }
  void give_back(const GpuRoom& room) override { (void)hip_.free(pointer(room.begin)); }

  Result<void> write(uint64_t to, std::span<const std::byte> from) override {
    return check(hip_.copy(pointer(to), from.data(), from.size(), hip::kHostToDevice), "hipMemcpy");
  }
  Result<void> read(uint64_t from, std::span<std::byte> to) override {
    return check(hip_.copy(to.data(), pointer(from), to.size(), hip::kDeviceToHost), "hipMemcpy");
  }
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes) override {
    if (auto done =
            check(hip_.copy(pointer(to), pointer(from), bytes, hip::kDeviceToDevice), "hipMemcpy");
        !done) {
      return done;
    }
    return wait();
  }

  Result<void> fill(uint64_t to, std::span<const std::byte> pattern, uint64_t bytes) override {
    uint32_t value = 0;
    if (pattern.size() > 4) return fail("a pattern of {} bytes; legal: 1, 2, 4", pattern.size());
    std::memcpy(&value, pattern.data(), pattern.size());
    hip::Status s{};
    switch (pattern.size()) {
      case 1:
        s = hip_.fill8(pointer(to), static_cast<unsigned char>(value), bytes);
        break;
      case 2:
        s = hip_.fill16(pointer(to), static_cast<unsigned short>(value), bytes / 2);
        break;
      case 4:
        s = hip_.fill32(pointer(to), static_cast<int>(value), bytes / 4);
        break;
      default:
        return fail("a pattern of {} bytes; legal: 1, 2, 4", pattern.size());
    }
    if (auto done = check(s, "hipMemset"); !done) return done;
    return wait();
  }

  Result<std::unique_ptr<GpuCode>> load(std::span<const std::byte> object) override {
    auto code = std::make_unique<HipCode>(hip_, object);
    if (auto done = check(code->load(), "hipModuleLoadData"); !done) {
      return std::unexpected(done.error());
    }
    return code;
  }

  GpuLaunch launch(GpuCode& code, const w4_launch& what, uint32_t repeat) override {
    const GpuStep step{&code, what};
    return launch_in_turn({&step, 1}, repeat);
  }

  GpuLaunch launch_in_turn(std::span<const GpuStep> round, uint32_t rounds) override {
    std::vector<void*> functions(round.size());
    for (size_t i = 0; i < round.size(); ++i) {
      auto& code = static_cast<HipCode&>(*round[i].code);
      if (const auto s = code.find(round[i].what.symbol, functions[i]); s != hip::kSuccess) {
        return refused(fmt::format("{}: {}", round[i].what.symbol, hip_.text_of(s)));
      }
    }
    if (const auto s = hip_.record(from_, nullptr); s != hip::kSuccess) return ended(s);
    for (uint32_t r = 0; r < rounds; ++r) {
      for (size_t i = 0; i < round.size(); ++i) {
        if (const auto s = start(functions[i], round[i].what); s != hip::kSuccess) return ended(s);
      }
    }
    if (const auto s = hip_.record(to_, nullptr); s != hip::kSuccess) return ended(s);
    const auto seconds = elapsed();
    if (!seconds) return fault(seconds.error().text);
    return {.end = GpuLaunch::End::completed, .why = {}, .seconds = *seconds / rounds};
  }

  Result<double> time_copy(uint64_t to, uint64_t from, uint64_t bytes, uint32_t repeat) override {
    if (auto done = check(hip_.record(from_, nullptr), "hipEventRecord"); !done) {
      return std::unexpected(done.error());
    }
    for (uint32_t i = 0; i < repeat; ++i) {
      if (auto done = check(
              hip_.copy_async(pointer(to), pointer(from), bytes, hip::kDeviceToDevice, nullptr),
              "hipMemcpyAsync");
          !done) {
        return std::unexpected(done.error());
      }
    }
    if (auto done = check(hip_.record(to_, nullptr), "hipEventRecord"); !done) {
      return std::unexpected(done.error());
    }
    const auto seconds = elapsed();
    if (!seconds) return seconds;
    return *seconds / repeat;
  }

 private:
  static GpuLaunch refused(std::string why) {
    return {.end = GpuLaunch::End::refused, .why = std::move(why), .seconds = 0};
  }
  GpuLaunch fault(std::string why) {
    lost_ = true;
    return {.end = GpuLaunch::End::fault, .why = std::move(why), .seconds = 0};
  }
  // A launch did not go through.
  GpuLaunch ended(hip::Status s) {
    return is_refusal(s) ? refused(hip_.text_of(s)) : fault(hip_.text_of(s));
  }

  Result<void> check(hip::Status s, const char* call) {
    if (s == hip::kSuccess) return {};
    if (!is_refusal(s)) lost_ = true;
    return fail("{}: {}", call, hip_.text_of(s));
  }
  Result<void> wait() { return check(hip_.synchronize(), "hipDeviceSynchronize"); }

  // Waits for everything before `to_`; seconds since `from_`.
  Result<double> elapsed() {
    if (auto done = check(hip_.wait(to_), "hipEventSynchronize"); !done) {
      return std::unexpected(done.error());
    }
    // An event may be reported as reached where what came before it failed.
    if (auto done = wait(); !done) return std::unexpected(done.error());
    float milliseconds = 0;
    if (auto done = check(hip_.elapsed(&milliseconds, from_, to_), "hipEventElapsedTime"); !done) {
      return std::unexpected(done.error());
    }
    return milliseconds / 1e3;
  }

  hip::Status start(void* function, const w4_launch& what) {
    size_t bytes = what.arg_bytes;
    // HIP_LAUNCH_PARAM_BUFFER_POINTER, …_BUFFER_SIZE, …_END.
    void* extra[] = {pointer(1), const_cast<void*>(what.args), pointer(2), &bytes, pointer(3)};
    return hip_.launch(function, what.grid[0], what.grid[1], what.grid[2], what.block[0],
                       what.block[1], what.block[2], what.dynamic_lds, nullptr, nullptr, extra);
  }

  HipDriver hip_;
  GpuFacts facts_;
  void *from_ = nullptr, *to_ = nullptr;  // events
  bool lost_ = false;
};

// 60241133: 6.2.41133.
std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000000, version / 100000 % 100, version % 100000);
}

template <class Properties>
GpuFacts facts_of(const Properties& p) {
  GpuFacts f;
  f.name.assign(p.name, strnlen(p.name, sizeof p.name));
  f.arch.assign(p.gcnArchName, strnlen(p.gcnArchName, sizeof p.gcnArchName));
  f.arch = f.arch.substr(0, f.arch.find(':'));  // "gfx90a:sramecc+:xnack-"
  f.wave = p.warpSize;
  f.multiprocessors = p.multiProcessorCount;
  f.lds_per_block = static_cast<int64_t>(p.sharedMemPerBlock);
  f.max_threads_per_block = p.maxThreadsPerBlock;
  f.memory = static_cast<int64_t>(p.totalGlobalMem);
  f.l2 = p.l2CacheSize;
  return f;
}

Result<GpuFacts> read_facts(const HipDriver& hip) {
  // Newer runtimes may write more than is known of here.
  union {
    hip::PropertiesR0600 now;
    hip::PropertiesR0000 old;
    std::byte room[8192];
  } p;
  std::memset(&p, 0, sizeof p);
  const hip::Status s =
      hip.properties_new ? hip.properties_new(&p.now, 0) : hip.properties_old(&p.old, 0);
  if (s != hip::kSuccess) return fail("hipGetDeviceProperties: {}", hip.text_of(s));
  GpuFacts f = hip.properties_new ? facts_of(p.now) : facts_of(p.old);
  int runtime = 0, driver = 0;
  (void)hip.runtime_version(&runtime);
  (void)hip.driver_version(&driver);
  const std::string file = hip.library.substr(hip.library.rfind('/') + 1);
  f.driver = fmt::format("{}, HIP {}, driver {}", file, version_text(runtime), driver);
  return f;
}

}  // namespace

Result<std::unique_ptr<GpuApi>> open_hip(const std::string& library) {
  auto driver = open_hip_driver(library);
  if (!driver) return std::unexpected(driver.error());
  const HipDriver& hip = *driver;
  int count = 0;
  hip::Status s = hip.init(0);
  if (s == hip::kSuccess) s = hip.device_count(&count);
  if (s != hip::kSuccess) return fail("{} finds no GPU: {}", hip.library, hip.text_of(s));
  if (count == 0) return fail("{} finds no GPU", hip.library);
  if (s = hip.set_device(0); s != hip::kSuccess) {
    return fail("{}: GPU 0 cannot be used: {}", hip.library, hip.text_of(s));
  }
  auto facts = read_facts(hip);
  if (!facts) return std::unexpected(facts.error());
  if (find_gpu(facts->arch) == nullptr) {
    std::vector<std::string_view> legal;
    for (const GpuModel& m : gpu_models()) legal.push_back(m.arch);
    return fail(
        "GPU 0 ({}, arch '{}') is no RDNA3, RDNA3.5 or RDNA4; legal: {}; HIP_VISIBLE_DEVICES "
        "chooses another",
        facts->name, facts->arch, fmt::join(legal, ", "));
  }
  auto api = std::make_unique<HipApi>(std::move(*driver), std::move(*facts));
  if (auto done = api->make_events(); !done) return std::unexpected(done.error());
  return api;
}

}  // namespace w4
