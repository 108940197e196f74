// Hand-written kernels in the fast and in the confirming run of the checks.
#pragma once

#include <string>

#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {

class Checked : public Hand {
 protected:
  // What the fast run (or the confirming one) finds in a kernel with 1 KiB of LDS.
  LaunchReport checked(const std::string& text, bool confirm, const LaunchConfig& config) {
    HandKernel k;
    k.info.static_lds = 1024;
    k.text = kBegin + kWave + text;
    LaunchConfig c = config;
    c.confirm = confirm;
    return rig_.launch(k, c, {rig_.buffer("out", 4096)});
  }
  void expect_clean(const std::string& text, const LaunchConfig& c, bool fast_too = true) {
    for (bool confirm : {true, false}) {
      if (!confirm && !fast_too) continue;
      const LaunchReport r = checked(text, confirm, c);
      EXPECT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
    }
  }
  Finding expect(FindingKind kind, const std::string& text, const LaunchConfig& c) {
    Finding last;
    for (bool confirm : {false, true}) {
      const LaunchReport r = checked(text, confirm, c);
      EXPECT_EQ(r.findings.size(), 1u) << text << what(r);
      if (r.findings.empty()) return last;
      last = r.findings[0];
      EXPECT_EQ(last.kind, kind) << text << to_string(last);
    }
    return last;
  }
};

}  // namespace w4::rdna
