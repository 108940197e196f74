// Kernels written in assembly, with any descriptor and metadata: what no compiler emits on request.
#pragma once

#include <string>
#include <vector>

#include "rdna/code_object.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {

inline constexpr uint64_t kCodeAt = 0x1000, kConstantsAt = 0x800000;  // linked addresses

// The fields of a descriptor that tests choose; the rest is what clang 19 writes.
struct HandKernel {
  HandKernel() { info.kernarg_bytes = 64, info.max_workgroup = 1024; }
  explicit HandKernel(std::string code) : HandKernel() { text = std::move(code); }

  std::string text;  // instructions, one a line; %wait% waits for all loads on either architecture
  uint32_t user_sgprs = 2;
  uint32_t properties = kWave32 | kKernargPtr;
  uint32_t ids = 1;                  // workgroup ids that gfx11 passes: x 1, y 2, z 4
  uint32_t mode = 0x3c0;             // rounding, denormals, DX10_CLAMP, IEEE as in hwreg MODE
  std::vector<std::byte> constants;  // read-only, at kConstantsAt
  KernelInfo info;

  static constexpr uint32_t kDispatchPtr = 2, kQueuePtr = 4, kKernargPtr = 8, kDispatchId = 16,
                            kFlatScratch = 32, kPrivateSize = 64, kWave32 = 1 << 10;
};

// An emulator of one arch that runs them.
class HandRig {
 public:
  explicit HandRig(std::string arch) : arch_(std::move(arch)), emulator_(arch_) {}

  bool gfx12() const { return arch_.starts_with("gfx12"); }
  Emulator& emulator() { return emulator_; }
  std::shared_ptr<const CodeObject> object(const HandKernel& kernel) const;
  // Arguments of 64 bits each.
  LaunchReport launch(const HandKernel& kernel, const LaunchConfig& config,
                      const std::vector<uint64_t>& args);
  Address buffer(const std::string& name, uint64_t bytes, bool initialised = true);
  std::vector<uint32_t> words(Address a, size_t n);

 private:
  std::string arch_;
  Emulator emulator_;
};

// s[4:5] is the first argument, v1 four times the lane's place in a wave.
inline const std::string kBegin =
    "s_load_b64 s[4:5], s[0:1], 0x0\n"
    "v_mbcnt_lo_u32_b32 v1, -1, 0\n"
    "v_lshlrev_b32 v1, 2, v1\n"
    "%wait%\n";
// Stores v2 to the first argument, one word a lane.
inline const std::string kStore = "global_store_b32 v1, v2, s[4:5]\ns_endpgm\n";

// Tests of all hand-written kernels run on one chip of each kind.
class Hand : public testing::TestWithParam<const char*> {
 protected:
  HandRig rig_{GetParam()};
  LaunchReport run(const std::string& text, const LaunchConfig& config,
                   const std::vector<uint64_t>& args) {
    return rig_.launch(HandKernel(text), config, args);
  }
  // Where the number of the workgroup stands.
  std::string group() const { return rig_.gfx12() ? "ttmp9" : "s2"; }
  // s6: number of the wave in its workgroup, bits 9:5 of the work-item id x of its first lane.
  static constexpr const char* kWave = "v_readfirstlane_b32 s6, v0\ns_bfe_u32 s6, s6, 0x50005\n";
  static FindingKind only(const LaunchReport& r) {
    EXPECT_EQ(r.findings.size(), 1u) << what(r);
    return r.findings.empty() ? FindingKind::limit : r.findings[0].kind;
  }
};
#define W4_HAND_TESTS(FIXTURE)                                                               \
  INSTANTIATE_TEST_SUITE_P(Archs, FIXTURE, testing::Values("gfx1100", "gfx1151", "gfx1201"), \
                           [](const auto& info) { return std::string(info.param); })

}  // namespace w4::rdna
