#include <cstdio>

#include "fuzz/cases.h"
#include "fuzz/inputs.h"

namespace w4::fuzz {
namespace {

Verdict passing(const Case& c) {
  Verdict v = judged(c);
  if (v.kind() != VerdictKind::pass) fail_with(v);
  return v;
}

}  // namespace

FUZZ_CASE_TARGET(schedules,
                 "other orders of waves and workgroups give no alarm, and the bits of the order in "
                 "turn") {
  witness_outputs();
  const auto [in_turn, orders] = schedules_input(bytes);
  const Verdict first = passing(in_turn);
  for (const Schedule& order : orders) {
    Case c = in_turn;
    c.sched = order;
    const Verdict other = passing(c);
    if (other.ran.outputs == first.ran.outputs) continue;
    std::fprintf(stderr, "outputs %s, in turn %s of\nw4check rerun '%s'\n",
                 other.ran.outputs.c_str(), first.ran.outputs.c_str(), first.line.c_str());
    fail_with(other);
  }
}

}  // namespace w4::fuzz
