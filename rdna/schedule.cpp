#include "rdna/schedule.h"

#include <numeric>
#include <utility>

namespace w4::rdna {
namespace {
constexpr uint64_t kShuffleLimit = 1 << 22;  // above it, random and prio run workgroups in reverse
}

GridOrder::GridOrder(const Schedule& schedule, uint64_t total)
    : order_(schedule.order), total_(total) {
  if ((order_ != Order::random && order_ != Order::priority) || total > kShuffleLimit) return;
  Random random{schedule.seed};
  shuffled_.resize(total);
  std::iota(shuffled_.begin(), shuffled_.end(), uint64_t{0});
  for (uint64_t i = total; i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[random.below(i)]);
}

}  // namespace w4::rdna
