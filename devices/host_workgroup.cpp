#include "devices/host_workgroup.h"

#include <algorithm>
#include <cstring>

#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#endif

namespace w4 {
namespace {

// AddressSanitizer has to know which stack is in use: leave() before a switch to the stack that is
// given, arrive() after one, where it says which stack was left.
#if __has_feature(address_sanitizer)
void leave(void** fake, const void* to, size_t bytes) {
  __sanitizer_start_switch_fiber(fake, to, bytes);
}
void arrive(void* fake, const void** from, size_t* bytes) {
  __sanitizer_finish_switch_fiber(fake, from, bytes);
}
#else
void leave(void**, const void*, size_t) {}
void arrive(void*, const void**, size_t*) {}
#endif

// Kernels are compiled without optimisation and, in the asan build, with its redzones.
constexpr size_t kStackBytes = 128 << 10;

// Thrown out of a wait when the launch has failed, so that a lane's frames are left in order.
struct Cancelled {};

// Boost's idea of a stack allocator, over memory that is already there.
struct FixedStack {
  const GuardedPages* pages;
  boost::context::stack_context allocate() const {
    boost::context::stack_context s;
    s.size = pages->size();
    s.sp = pages->end();
    return s;
  }
  void deallocate(boost::context::stack_context&) const noexcept {}
};

}  // namespace

Result<HostWorkgroup> HostWorkgroup::make(uint32_t threads) {
  auto shared = GuardedPages::make(kSharedBytes);
  if (!shared) return std::unexpected(shared.error());
  HostWorkgroup made(std::move(*shared));
  for (uint32_t i = 0; i < threads; ++i) {
    auto stack = GuardedPages::make(kStackBytes);
    if (!stack) return std::unexpected(stack.error());
    made.stacks_.push_back(std::move(*stack));
  }
  made.lanes_.resize(threads);
  made.waves_.resize(threads / kLanes);
  return made;
}

void HostWorkgroup::wait(Lane& lane, State state, const char* what) {
  HostWorkgroup& g = *lane.workgroup;
  lane.state = state;
  lane.what = what;
  leave(&lane.fake_stack, g.scheduler_stack_, g.scheduler_stack_bytes_);
  lane.scheduler = std::move(lane.scheduler).resume();
  arrive(lane.fake_stack, &g.scheduler_stack_, &g.scheduler_stack_bytes_);
  if (g.cancelled_) throw Cancelled{};
}

const uint32_t* HostWorkgroup::exchange(HostLane& lane, const char* what, uint32_t value) {
  Lane& me = static_cast<Lane&>(lane);
  me.turn ^= 1u;
  uint32_t* const brought = me.wave->brought[me.turn];
  brought[me.index] = value;
  wait(me, State::exchange, what);
  return brought;
}

void HostWorkgroup::multiply_add(HostLane& lane, const char* what, const HostMatrix& ab,
                                 float (&acc)[8]) {
  Lane& me = static_cast<Lane&>(lane);
  me.turn ^= 1u;
  HostMatrix* const all = me.wave->matrices[me.turn];
  all[me.index] = ab;
  wait(me, State::exchange, what);
  const HostArithmetic& by = me.workgroup->arithmetic_;
  const HostDot16 dot = ab.type == HostType::f16 ? by.matrix_f16 : by.matrix_bf16;
  const uint32_t column = me.index % 16, upper = me.index / 16;
  uint16_t a[16], b[16];
  std::ranges::copy(all[column].b, b);
  std::ranges::copy(all[column + 16].b, b + 8);
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t row = i + 8 * upper;
    std::ranges::copy(all[row].a, a);
    std::ranges::copy(all[row + 16].a, a + 8);
    acc[i] = dot(a, b, acc[i]);
  }
}

void HostWorkgroup::barrier(HostLane& lane) {
  wait(static_cast<Lane&>(lane), State::barrier, "the barrier");
}

void* HostWorkgroup::shared(HostLane& lane, const void* tag, size_t bytes) {
  Lane& me = static_cast<Lane&>(lane);
  HostWorkgroup& g = *me.workgroup;
  auto found = std::ranges::find(g.arrays_, tag, &Array::tag);
  if (found == g.arrays_.end()) {
    const size_t used = g.arrays_.empty() ? 0 : g.arrays_.back().begin + g.arrays_.back().bytes;
    g.arrays_.push_back({tag, (used + 15) / 16 * 16, bytes});
    found = g.arrays_.end() - 1;
  }
  if (found->begin + bytes > kSharedBytes) wait(me, State::no_room, "");
  return g.shared_.begin() + found->begin;
}

void HostWorkgroup::start(const HostKernel& kernel, const w4_launch& launch,
                          const uint32_t (&group)[3]) {
  cancelled_ = false;
  arrays_.clear();
  std::memset(shared_.begin(), 0xff, kSharedBytes);
  threads_ = launch.block[0] * launch.block[1] * launch.block[2];
  for (uint32_t i = 0; i < threads_; ++i) {
    Lane& lane = lanes_[i];
    lane.ops = &ops_;
    lane.id[0] = i % launch.block[0];
    lane.id[1] = i / launch.block[0] % launch.block[1];
    lane.id[2] = i / launch.block[0] / launch.block[1];
    std::ranges::copy(group, lane.group);
    lane.workgroup = this;
    lane.wave = &waves_[i / kLanes];
    lane.index = i % kLanes;
    lane.turn = 0;
    lane.state = State::ready;
    lane.self = boost::context::fiber(
        std::allocator_arg, FixedStack{&stacks_[i]},
        [this, &lane, &kernel, args = launch.args](boost::context::fiber&& back) {
          arrive(nullptr, &scheduler_stack_, &scheduler_stack_bytes_);
          lane.scheduler = std::move(back);
          try {
            if (!cancelled_) kernel.run(lane, args);
            lane.state = State::ended;
          } catch (const Cancelled&) {
            lane.state = State::ended;
          }
          leave(nullptr, scheduler_stack_, scheduler_stack_bytes_);
          return std::move(lane.scheduler);
        });
  }
}

void HostWorkgroup::resume(Lane& lane) {
  const GuardedPages& stack = stacks_[static_cast<size_t>(&lane - lanes_.data())];
  void* fake_stack = nullptr;
  leave(&fake_stack, stack.begin(), stack.size());
  lane.self = std::move(lane.self).resume();
  arrive(fake_stack, nullptr, nullptr);
}

Finding HostWorkgroup::apart(uint32_t wave, const Lane& waits, const Lane& missing) const {
  Finding f;
  f.kind =
      waits.state == State::barrier ? FindingKind::barrier_divergence : FindingKind::inactive_lane;
  f.at.wave = static_cast<int>(wave);
  f.at.lane = static_cast<int>(missing.index);
  f.detail =
      "lane " + std::to_string(waits.index) + " waits for its wave in " + waits.what + ", lane " +
      std::to_string(missing.index) +
      (missing.state == State::ended ? " has ended" : std::string(" waits in ") + missing.what);
  return f;
}

// All lanes of the wave have stopped: an exchange that all have come to is done.
std::optional<Finding> HostWorkgroup::meet(uint32_t wave) {
  const auto lanes = std::span(lanes_).subspan(wave * kLanes, kLanes);
  for (const Lane& l : lanes) {
    if (l.state != State::no_room) continue;
    Finding f;
    f.kind = FindingKind::limit;
    f.detail = "shared arrays of more than " + std::to_string(kSharedBytes) + " bytes";
    return f;
  }
  const auto waits =
      std::ranges::find_if(lanes, [](const Lane& l) { return l.state != State::ended; });
  if (waits == lanes.end()) return std::nullopt;
  const auto missing = std::ranges::find_if(
      lanes, [&](const Lane& l) { return l.state != waits->state || l.what != waits->what; });
  if (missing != lanes.end()) return apart(wave, *waits, *missing);
  if (waits->state == State::exchange) {
    for (Lane& l : lanes) l.state = State::ready;
  }
  return std::nullopt;
}

// Runs a wave until it has ended or waits at the barrier.
std::optional<Finding> HostWorkgroup::advance(uint32_t wave) {
  Lane* const first = &lanes_[wave * kLanes];
  while (first->state == State::ready) {
    for (uint32_t i = 0; i < kLanes; ++i) resume(first[i]);
    if (auto finding = meet(wave)) return finding;
  }
  return std::nullopt;
}

// False: no wave is left.
bool HostWorkgroup::pass_barrier() {
  bool any = false;
  for (uint32_t i = 0; i < threads_; ++i) {
    if (lanes_[i].state != State::barrier) continue;
    lanes_[i].state = State::ready;
    any = true;
  }
  return any;
}

void HostWorkgroup::cancel() {
  cancelled_ = true;
  for (uint32_t i = 0; i < threads_; ++i) {
    if (lanes_[i].state != State::ended) resume(lanes_[i]);
  }
}

std::optional<Finding> HostWorkgroup::run(const HostKernel& kernel, const w4_launch& launch,
                                          const uint32_t (&group)[3],
                                          const HostArithmetic& arithmetic) {
  ops_ = {exchange, barrier, shared, arithmetic.dot2_f16, arithmetic.dot2_bf16, multiply_add};
  arithmetic_ = arithmetic;
  start(kernel, launch, group);
  do {
    for (uint32_t wave = 0; wave < threads_ / kLanes; ++wave) {
      if (auto finding = advance(wave)) {
        cancel();
        finding->kernel = kernel.symbol;
        return finding;
      }
    }
  } while (pass_barrier());
  return std::nullopt;
}

}  // namespace w4
