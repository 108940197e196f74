// What targets of legal cases ask of one.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "verify/run_case.h"

namespace w4::fuzz {

// Anything but a pass aborts, with the line that runs it again.
inline void must_pass(const Case& c) {
  static Context context;
  const Verdict v = run_case(c, context);
  if (v.kind() == VerdictKind::pass) return;
  std::fprintf(stderr, "%s\nw4check rerun '%s'\n", to_string(v).c_str(), v.line.c_str());
  std::abort();
}

}  // namespace w4::fuzz
