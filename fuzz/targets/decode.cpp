// Bytes choose the structure of a small legal decode case, its seed fills the payload.
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.h"
#include "verify/run_case.h"

namespace w4::fuzz {

FUZZ_TARGET(decode) {
  static Context context;
  ByteChooser choose(bytes);
  const Case c = choose_decode_case(choose, {.n = 16, .k = 768, .lds_edge = false, .devices = {}});
  const Verdict v = run_case(c, context);
  // A tiny problem may be mistrusted; anything else that is not a pass is a failure.
  if (v.kind() == VerdictKind::pass || v.kind() == VerdictKind::mistrusted) return;
  std::fprintf(stderr, "%s\nw4check rerun '%s'\n", to_string(v).c_str(), v.line.c_str());
  std::abort();
}

}  // namespace w4::fuzz
