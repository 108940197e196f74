// Upstream: zero points as packed words, and a tile rule of its own.
#include "tests/campaign/fork_sync/restricted.h"

extern "C" __attribute__((visibility("default"))) const w4_module* w4_module_v1(void);
const w4_module* w4_module_v1(void) {
  return w4::test::restricted(
      "upstream", {W4_ZP_PACKED, "zp.encoding", "none, packed [N/8,K/G]", "y2u2a16w16"});
}
