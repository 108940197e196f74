// The order in which the waves of a workgroup take turns, and the workgroups of a launch: the key
// `sched` of a case line. Fixed by its text alone, so that a line replays its interleaving.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

enum class Order : uint8_t {
  rr,        // waves in turn, lowest first; workgroups in order
  reversed,  // both from the highest down
  random,    // seeded choice of wave and turn, and of the order of workgroups
  priority,  // the highest of seeded priorities runs; few preemptions, see rdna/turns.h
};

std::string_view name_of(Order o);  // rr rev random prio

struct Schedule {
  // Wave-instructions of a turn of rr and rev. Barriers end a turn too, so a long turn costs
  // nothing and differs from a short one only where waves meet without barriers.
  static constexpr uint32_t kQuantum = 64, kMaxQuantum = 4096;
  static constexpr uint32_t kChanges = 3, kMaxChanges = 64;

  Order order = Order::rr;
  uint64_t seed = 0;            // random, priority
  uint32_t quantum = kQuantum;  // rr, reversed
  uint32_t changes =
      kChanges;  // priority: points at which the running wave falls to the last place
  bool operator==(const Schedule&) const = default;
};

inline constexpr std::string_view kLegalSchedules =
    "rr[:TURN], rev[:TURN], random:SEED or prio:SEED[:CHANGES], with TURN from 1 to 4096 "
    "wave-instructions (64), SEED from 0 to 18446744073709551615, CHANGES from 0 to 64 (3)";

// Refuses with a text that names the value and what is legal.
Result<Schedule> parse_schedule(std::string_view text);
std::string to_string(const Schedule& s);  // parse_schedule's inverse; leaves defaults out

}  // namespace w4
