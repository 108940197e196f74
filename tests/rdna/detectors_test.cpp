// Triads of the checks `lanes` and `globalrace`, and the limits of a launch.
#include <algorithm>
#include <array>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class Detectors : public testing::TestWithParam<std::string> {
 protected:
  static constexpr uint32_t kN = 64;
  Rig rig_{GetParam()};
  Address in_ = rig_.input("in", std::vector<uint32_t>(4 * kN, 7));
  Address out_ = rig_.allocate({.name = "out", .bytes = 4 * kN * 4, .writable = true});

  template <class... A>
  LaunchReport run(const std::string& symbol, LaunchConfig c, bool confirm, A... args) {
    c.confirm = confirm;
    return rig_.launch(symbol, c, args...);
  }
  template <class... A>
  void expect_clean(const std::string& symbol, const LaunchConfig& c, A... args) {
    for (bool confirm : {false, true}) {
      const LaunchReport r = run(symbol, c, confirm, args...);
      EXPECT_EQ(r.end, LaunchReport::End::completed) << symbol << ": " << what(r);
    }
  }
};

TEST_P(Detectors, ValueOfAnInactiveLaneThatIsUsed) {
  const std::pair<const char*, const char*> moves[] = {{"swap_rows", "v_permlanex16_b32"},
                                                       {"shuffle", "ds_bpermute_b32"},
                                                       {"dpp", "row_xmask:1"},
                                                       {"swizzle", "ds_swizzle_b32"}};
  for (const auto& [name, instruction] : moves) {
    const std::string fault = std::string("fault_") + name;
    // The fast run raises the alarm, the confirming one says what it is.
    const LaunchReport fast = run(fault, config(1, kN), false, in_, out_);
    ASSERT_EQ(fast.findings.size(), 1u) << fault << what(fast);
    EXPECT_EQ(fast.findings[0].kind, FindingKind::undefined_store);
    const LaunchReport sure = run(fault, config(1, kN), true, in_, out_);
    ASSERT_EQ(sure.findings.size(), 1u) << fault << what(sure);
    const Finding& f = sure.findings[0];
    EXPECT_EQ(f.kind, FindingKind::inactive_lane) << to_string(f);
    EXPECT_EQ(f.at.lane, 3);
    EXPECT_THAT(f.born, HasSubstr("lane 3 got the value of an inactive lane")) << name;
    EXPECT_THAT(f.born, HasSubstr(instruction));
    EXPECT_THAT(f.born, HasSubstr("detectors.hip:"));
    expect_clean(std::string("clean_") + name, config(1, kN), in_, out_);
    expect_clean(std::string("drop_") + name, config(1, kN), in_, out_);
    LaunchConfig off = config(1, kN);
    off.checks = kAllChecks & ~uint32_t{kLaneUse};
    expect_clean(fault, off, in_, out_);
    off.checks = kLaneUse;
    EXPECT_EQ(run(fault, off, true, in_, out_).findings.size(), 1u);
  }
}

TEST_P(Detectors, DefinedReadsOfInactiveLanes) {
  expect_clean("clean_defined_reads", config(1, kN), in_, out_);
}

TEST_P(Detectors, GlobalRaces) {
  const auto expect_race = [&](const std::string& symbol, const LaunchConfig& c, bool waves,
                               auto... args) {
    for (bool confirm : {false, true}) {
      const LaunchReport r = run(symbol, c, confirm, args...);
      ASSERT_FALSE(r.findings.empty()) << symbol << what(r);
      const Finding& f = r.findings[0];
      EXPECT_EQ(f.kind, FindingKind::global_race) << symbol << ": " << to_string(f);
      ASSERT_TRUE(f.other.has_value());
      EXPECT_EQ(f.other->workgroup == f.at.workgroup, waves) << to_string(f);
      EXPECT_THAT(f.other->instruction, HasSubstr("_")) << to_string(f);
      if (waves) EXPECT_NE(f.other->wave, f.at.wave) << to_string(f);
    }
    LaunchConfig off = c;
    off.checks = kAllChecks & ~uint32_t{kGlobalRace};
    EXPECT_EQ(run(symbol, off, false, args...).end, LaunchReport::End::completed) << symbol;
  };
  const Address row = rig_.allocate({.name = "row", .bytes = 256, .writable = true});
  for (const Order order : {Order::rr, Order::reversed, Order::random}) {
    LaunchConfig one = config(1, 64), two = config(2, 32);
    one.schedule = two.schedule = {order, 3};
    expect_race("hand_on", one, true, row, out_, 1);
    expect_clean("hand_on", one, row, out_, 0);
    expect_race("take_then_put", one, true, row, out_, 1);
    expect_clean("take_then_put", one, row, out_, 0);
    expect_race("parts", two, false, out_, 33);
    expect_clean("parts", two, out_, 32);
    expect_race("neighbour", two, false, out_, 1);
    expect_clean("neighbour", two, out_, 0);
    expect_race("sums", two, false, out_, 1);
    expect_clean("sums", two, out_, 0);
    expect_race("bytes", one, true, out_, 1);
    expect_clean("bytes", one, out_, 0);
    for (bool fault : {false, true}) {
      for (bool confirm : {false, true}) {
        const Address count = rig_.allocate({.name = "count", .bytes = 4, .writable = true});
        const LaunchReport r =
            run("last_one_sums", two, confirm, row, count, out_, static_cast<int>(fault));
        if (fault && order == Order::rr) {
          EXPECT_THAT(what(r), HasSubstr("global_race"));
        } else if (!fault) {
          EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
        }
      }
    }
  }
}

// A launch above a limit does not run, and the finding says which limit.
TEST_P(Detectors, Limits) {
  const auto expect_limit = [&](const LaunchConfig& c, const char* text, auto... args) {
    const LaunchReport r = run("bytes", c, false, args...);
    EXPECT_EQ(r.end, LaunchReport::End::refused);
    ASSERT_EQ(r.findings.size(), 1u) << text;
    EXPECT_EQ(r.findings[0].kind, FindingKind::limit);
    EXPECT_THAT(r.findings[0].detail, HasSubstr(text));
    EXPECT_EQ(r.why, r.findings[0].detail);
    EXPECT_EQ(r.wave_instructions, 0u);
  };
  const LaunchConfig good = config(1, 64);
  expect_clean("bytes", good, out_, 0);
  LaunchConfig c = good;
  c.dynamic_lds = 65537;
  expect_limit(c, "65537 bytes of LDS", out_, 0);
  c.dynamic_lds = 65536;
  expect_clean("bytes", c, out_, 0);
  expect_limit(config(1, 65), "compiled for at most 64", out_, 0);
  c = config(1, 64);
  c.block = {1, 1, 1025};
  expect_limit(c, "more than 1024 threads", out_, 0);
  c = good;
  c.grid.y = 65536;
  expect_limit(c, "grid 1x65536x1", out_, 0);
  expect_limit(good, "explicit ones take 12", out_);
  expect_limit(good, "bytes of arguments: the kernel takes", out_, 0, std::array<uint64_t, 64>{});
}

INSTANTIATE_TEST_SUITE_P(Triads, Detectors, testing::ValuesIn(paths(W4_DETECTORS)), test_name);

}  // namespace
}  // namespace w4::rdna
