// The fork before the merge: zero points as numbers.
#include "tests/campaign/fork_sync/restricted.h"

extern "C" __attribute__((visibility("default"))) const w4_module* w4_module_v1(void);
const w4_module* w4_module_v1(void) {
  return w4::test::restricted("fork",
                              {W4_ZP_UNPACKED, "zp.numbers", "none, unpacked [N,K/G]", nullptr});
}
