#include "rdna/turns.h"

#include <algorithm>
#include <numeric>

namespace w4::rdna {
namespace {

constexpr uint64_t kRandomTurn = 64;  // random: turns of 1 to this many steps
constexpr uint64_t kLongest = 20;     // priority: change points below 2^20 steps of a workgroup

}  // namespace

void Turns::start(const Schedule& schedule, uint64_t workgroup, size_t waves) {
  schedule_ = schedule;
  random_ = {schedule.seed ^ (workgroup + 1) * 0x632be59bd9b4e019u};
  at_ = 0;
  if (schedule.order != Order::priority) return;
  order_.resize(waves);
  std::iota(order_.begin(), order_.end(), 0u);
  for (size_t i = waves; i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
  points_.clear();
  for (uint32_t i = 0; i < schedule.changes; ++i) {
    const uint64_t low = uint64_t{1} << random_.below(kLongest);
    points_.push_back(low + random_.below(low));
  }
  std::ranges::sort(points_, std::ranges::greater());
  total_ = streak_ = 0;
  running_ = waves;
}

Turns::Turn Turns::next(std::span<const Wave> waves) {
  const size_t n = waves.size();
  switch (schedule_.order) {
    case Order::priority:
      return by_priority(waves);
    case Order::random: {
      // A start drawn at random, then the first wave from there that can run.
      const size_t from = random_.below(n);
      for (size_t i = 0; i < n; ++i) {
        const size_t wave = (from + i) % n;
        if (waves[wave].state == WaveState::ready) return {wave, 1 + random_.below(kRandomTurn)};
      }
      return {n, 0};
    }
    case Order::rr:
    case Order::reversed:
      break;
  }
  for (size_t i = 0; i < n; ++i) {
    const size_t place = at_;
    at_ = at_ + 1 == n ? 0 : at_ + 1;
    const size_t wave = schedule_.order == Order::rr ? place : n - 1 - place;
    if (waves[wave].state == WaveState::ready) return {wave, schedule_.quantum};
  }
  return {n, 0};
}

Turns::Turn Turns::by_priority(std::span<const Wave> waves) {
  const auto first = std::ranges::find_if(
      order_, [&](uint32_t wave) { return waves[wave].state == WaveState::ready; });
  if (first == order_.end()) return {waves.size(), 0};
  const auto place = static_cast<size_t>(first - order_.begin());
  if (place != running_) streak_ = 0;
  running_ = place;
  uint64_t steps = kPatience - streak_;
  if (!points_.empty()) steps = std::min(steps, points_.back() - total_);
  return {*first, steps};
}

void Turns::ran(uint64_t steps) {
  if (schedule_.order != Order::priority) return;
  total_ += steps;
  streak_ += steps;
  bool falls = streak_ >= kPatience;
  for (; !points_.empty() && points_.back() <= total_; points_.pop_back()) falls = true;
  if (falls) fall();
}

void Turns::fall() {
  const auto at = order_.begin() + static_cast<std::ptrdiff_t>(running_);
  std::rotate(at, at + 1, order_.end());
  streak_ = 0;
  running_ = order_.size();
}

}  // namespace w4::rdna
