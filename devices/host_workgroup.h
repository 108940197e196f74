// A workgroup of a kernel compiled for the CPU. Its lanes are fibers of the calling thread that run
// one after the other, each to its next wait; a wave goes on when all its 32 lanes wait in the same
// exchange, a workgroup when all waves that are left wait at the barrier. Lanes that do not meet
// are a finding, so a launch of such a kernel ends.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/result.h"
#include "devices/guarded_pages.h"
#include "devices/host_lane.h"
#include "kernels/module.h"

namespace w4 {

using HostDot2 = float (*)(uint32_t a, uint32_t b, float acc);
// acc + sum over k of a[k] * b[k]: one element of a matrix product.
using HostDot16 = float (*)(const uint16_t (&a)[16], const uint16_t (&b)[16], float acc);

// The arithmetic that is a launch's choice.
struct HostArithmetic {
  HostDot2 dot2_f16, dot2_bf16;
  HostDot16 matrix_f16, matrix_bf16;
};

class HostWorkgroup {
 public:
  static constexpr uint32_t kLanes = 32;
  static constexpr size_t kSharedBytes = 65536;

  // Memory for `threads` lanes at most, a multiple of 32. Error: no memory.
  static Result<HostWorkgroup> make(uint32_t threads);

  // Runs workgroup `group` of the launch to its end; what went wrong, if anything. Shared arrays
  // start as NaNs. The launch has at most make()'s threads, a multiple of 32.
  std::optional<Finding> run(const HostKernel& kernel, const w4_launch& launch,
                             const uint32_t (&group)[3], const HostArithmetic& arithmetic);

 private:
  enum class State : uint8_t { ready, exchange, barrier, no_room, ended };
  struct Wave {
    // In turn, so that a lane may come to its next exchange before the others have read what this
    // one brought.
    uint32_t brought[2][kLanes];
    HostMatrix matrices[2][kLanes];
  };
  struct Lane : HostLane {
    HostWorkgroup* workgroup = nullptr;
    Wave* wave = nullptr;
    uint32_t index = 0;  // in the wave
    uint32_t turn = 0;
    State state = State::ready;
    const char* what = "";  // exchange
    boost::context::fiber self, scheduler;
    void* fake_stack = nullptr;  // AddressSanitizer's
  };
  struct Array {
    const void* tag;
    size_t begin, bytes;
  };

  explicit HostWorkgroup(GuardedPages shared) : shared_(std::move(shared)) {}
  static const uint32_t* exchange(HostLane& lane, const char* what, uint32_t value);
  static void multiply_add(HostLane& lane, const char* what, const HostMatrix& ab, float (&acc)[8]);
  static void barrier(HostLane& lane);
  static void* shared(HostLane& lane, const void* tag, size_t bytes);
  static void wait(Lane& lane, State state, const char* what);

  void start(const HostKernel& kernel, const w4_launch& launch, const uint32_t (&group)[3]);
  void resume(Lane& lane);
  std::optional<Finding> advance(uint32_t wave);
  std::optional<Finding> meet(uint32_t wave);
  Finding apart(uint32_t wave, const Lane& waits, const Lane& missing) const;
  bool pass_barrier();
  void cancel();

  GuardedPages shared_;
  std::vector<GuardedPages> stacks_;
  HostOps ops_{};
  HostArithmetic arithmetic_{};
  std::vector<Lane> lanes_;
  std::vector<Wave> waves_;
  std::vector<Array> arrays_;
  uint32_t threads_ = 0;
  bool cancelled_ = false;
  // The scheduler's stack as AddressSanitizer knows it.
  const void* scheduler_stack_ = nullptr;
  size_t scheduler_stack_bytes_ = 0;
};

}  // namespace w4
