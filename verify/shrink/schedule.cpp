#include <array>

#include "core/gpu.h"
#include "verify/shrink/search.h"

namespace w4 {

void shrink_schedule(Search& s) {
  const Schedule had = s.best().sched;
  const auto set = [&](const Schedule& to) { return s.with([&](Case& c) { c.sched = to; }); };
  constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};
  for (const Order o : kOrders) {
    if (o == had.order) break;
    if (set({.order = o})) break;
  }
  const Schedule now = s.best().sched;
  if (now.order == Order::rr || now.order == Order::reversed) {
    set({.order = now.order});
    return;
  }
  for (const uint64_t seed : {0, 1, 2, 3}) {
    Schedule to = s.best().sched;
    if (to.seed <= seed) break;
    to.seed = seed;
    if (set(to)) break;
  }
  if (now.order == Order::priority) {
    bisect(s, 0, s.best().sched.changes, 1,
           [](Case& c, int64_t v) { c.sched.changes = static_cast<uint32_t>(v); });
  }
}

void shrink_place(Search& s) {
  const Case plain;
  if (s.best().device != plain.device) s.with([&](Case& c) { c.device = plain.device; });
  if (s.best().fp != plain.fp && !s.with([&](Case& c) { c.fp = plain.fp; })) {
    s.with([](Case& c) { c.fp = "ieee"; });
  }
  if (s.best().checks != plain.checks) s.with([&](Case& c) { c.checks = plain.checks; });
}

}  // namespace w4
