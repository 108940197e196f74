#include "verify/cases/settings.h"

#include <array>
#include <limits>

#include "core/contract.h"

namespace w4 {
namespace {

Schedule choose_schedule(Chooser& choose) {
  constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};
  constexpr std::array<uint32_t, 5> kTurns{1, 2, 7, 33, Schedule::kMaxQuantum};
  constexpr std::array<uint32_t, 5> kChanges{Schedule::kChanges, 0, 1, 8, Schedule::kMaxChanges};
  Schedule s;
  s.order = one_of(choose, kOrders);
  if (s.order == Order::random || s.order == Order::priority) {
    s.seed = static_cast<uint64_t>(choose.pick(256));
    if (s.order == Order::priority) s.changes = mostly_first(choose, kChanges);
  } else if (one_in(choose, 3)) {
    s.quantum = one_of(choose, kTurns);
  }
  return s;
}

}  // namespace

void choose_settings(Chooser& choose, const CaseLimits& limits, Case& c, int64_t least_lds) {
  constexpr std::array<int64_t, 8> kCus{1,  2,  7,     20,
                                        32, 48, 10000, std::numeric_limits<int32_t>::max()};
  constexpr std::array<std::string_view, 5> kFp{"auto", "ieee", "ieee", "gfx1151", "gfx1201"};
  const std::array<int64_t, 4> lds{least_lds, least_lds + 1, 98304, 163840};
  choose.about(Part::reported);
  if (choose.pick(3) != 0) c.problem.cus = one_of(choose, kCus);
  // A gate that asks the device errs where it reports more than the array that the walks have, and
  // K*M does not fit that.
  const bool edge = least_lds >= 2 * kLdsElements && c.problem.k * c.problem.m > kLdsElements;
  if (edge ? choose.pick(4) != 0 : one_in(choose, 5)) {
    c.problem.lds = lds[static_cast<size_t>(edge ? 2 + choose.pick(2) : choose.pick(4))];
  }
  choose.about(Part::device);
  if (!limits.devices.empty()) c.device = one_of(choose, limits.devices);
  c.fp = one_of(choose, kFp);
  choose.about(Part::fill);
  // uniform twice as often: it hides least.
  const int fill = choose.pick(static_cast<int>(all_fills().size()) + 1);
  c.fill = fill == static_cast<int>(all_fills().size()) ? Fill::uniform
                                                        : all_fills()[static_cast<size_t>(fill)];
  c.seed = static_cast<uint64_t>(choose.pick(1 << 16));
  choose.about(Part::schedule);
  c.sched = choose_schedule(choose);
}

}  // namespace w4
