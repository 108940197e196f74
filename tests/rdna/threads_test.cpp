// Workgroups on threads: report, bits and findings are those of one thread, whatever the grid does.
#include <array>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

constexpr uint32_t kGrid = 48, kBlock = 64, kRounds = 700, kAt = 29;

// As in programs/threads.hip; `apart`: from which of the workgroups on one thread must go on, by
// their place in the order, where the first of them is at `at`. kGrid: none.
struct Kind {
  const char* name;
  bool ends_threads;  // at `at`
  bool always;        // every workgroup needs its turn
};
constexpr std::array<Kind, 17> kKinds = {{{"clean", false, false},
                                          {"foreign_element", true, false},
                                          {"atomic", true, false},
                                          {"reads_others", true, false},
                                          {"in_place", true, false},
                                          {"undefined", true, false},
                                          {"out_of_bounds", true, false},
                                          {"trap", true, false},
                                          {"long", true, false},
                                          {"twice", true, false},
                                          {"lds_race", true, false},
                                          {"bytes", false, false},
                                          {"two_owners", true, false},
                                          {"across_barrier", true, false},
                                          {"last_wins", false, true},
                                          {"reciprocal", false, false},
                                          {"unaligned", true, false}}};

// Everything a launch leaves behind, as text.
struct Left {
  std::string text;
  uint64_t ahead = 0, steps = 0;
};

Left run(const std::string& path, int kind, uint32_t at, LaunchConfig c) {
  Rig rig(path);
  std::vector<uint32_t> in(kGrid * kBlock);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = i * 2654435761u;
  const Address a = rig.input("in", in);
  const Address out = rig.output("out", in.size() * 4);
  const Address shared = rig.allocate(
      {.name = "shared", .bytes = in.size() * 4 + 512, .writable = true, .track_writers = true});
  if (kind == 8) c.step_limit = 3'000'000;
  Left left;
  // The second launch meets the shadows that the first one left.
  for (int n = 0; n < 2; ++n) {
    const LaunchReport r = rig.launch("apart", c, a, out, shared, kind, at, kRounds);
    left.text += fmt::format("end {} why {} steps {} where {} {} {:#x} {} {}\n",
                             static_cast<int>(r.end), r.why, r.wave_instructions, r.where.workgroup,
                             r.where.wave, r.where.pc, r.where.instruction, r.where.source);
    for (const std::string& m : r.inexact) left.text += m + " ";
    for (const Finding& f : r.findings) left.text += "\n" + to_string(f);
    left.ahead = r.ahead;
    left.steps = r.wave_instructions;
  }
  for (const Address b : {out, shared}) {
    for (const uint32_t x : rig.read<uint32_t>(b, in.size())) left.text += fmt::format(" {:x}", x);
    left.text += "\nunwritten";
    for (const uint64_t x : rig.emulator().memory().unwritten(b, 10000))
      left.text += fmt::format(" {}", x);
  }
  return left;
}

class Threads : public testing::TestWithParam<std::string> {};

TEST_P(Threads, LeaveWhatOneThreadLeaves) {
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    struct How {
      uint32_t at;
      Order order;
      uint32_t checks;
    };
    for (const How& how : {How{kAt, Order::rr, kAllChecks},
                           {0, Order::rr, kAllChecks},
                           {kGrid - 1, Order::random, kAllChecks},
                           {kAt, Order::reversed, kAllChecks & ~kGlobalRace},
                           {kAt, Order::random, 0},
                           {kAt, Order::rr, kAllChecks | kWaits}}) {
      LaunchConfig c = config(kGrid, kBlock);
      c.schedule = {how.order, 3};
      c.checks = how.checks;
      const Left one = run(GetParam(), static_cast<int>(kind), how.at, c);
      EXPECT_EQ(one.ahead, 0u);
      for (const uint32_t threads : {2u, 4u}) {
        c.threads = threads;
        const Left many = run(GetParam(), static_cast<int>(kind), how.at, c);
        EXPECT_EQ(many.text, one.text) << kKinds[kind].name << " at " << how.at << " on " << threads
                                       << " threads, checks " << how.checks;
      }
    }
  }
}

// The step that is one too many lies in whichever workgroup it lies in with one thread.
TEST_P(Threads, KeepTheStepLimit) {
  LaunchConfig c = config(kGrid, kBlock);
  const uint64_t steps = run(GetParam(), 0, 0, c).steps;
  for (const uint64_t limit : {steps + 1, steps, steps - 1, steps / 2, steps / kGrid * 7}) {
    c.step_limit = limit;
    c.threads = 1;
    const Left one = run(GetParam(), 0, 0, c);
    for (const uint32_t threads : {2u, 4u}) {
      c.threads = threads;
      const Left many = run(GetParam(), 0, 0, c);
      EXPECT_EQ(many.text, one.text) << limit << " of " << steps << " on " << threads;
      if (limit == steps / 2) EXPECT_EQ(many.ahead, kGrid / 2 - 1);
    }
  }
}

// Threads run all that comes before the workgroup that needs its turn, and nothing else.
TEST_P(Threads, GoAsFarAsTheyMay) {
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (const Order order : {Order::rr, Order::reversed}) {
      LaunchConfig c = config(kGrid, kBlock);
      c.schedule.order = order;
      c.threads = 3;
      const uint64_t place = order == Order::rr ? kAt : kGrid - 1 - kAt;
      // The element of the workgroup before it: in reversed order that one comes after it.
      const uint64_t late = kind == 1 && order == Order::reversed ? 1 : 0;
      // What all workgroups from kAt on do is met first at the end of the grid.
      const bool many = kind == 2 || kind == 4 || kind == 9 || kind == 16;
      const uint64_t expected = kKinds[kind].always                ? 0
                                : !kKinds[kind].ends_threads       ? kGrid
                                : many && order == Order::reversed ? 0
                                                                   : place + late;
      EXPECT_EQ(run(GetParam(), static_cast<int>(kind), kAt, c).ahead, expected)
          << kKinds[kind].name;
    }
  }
}

TEST_P(Threads, LeaveSmallLaunchesAlone) {
  LaunchConfig c = config(kGrid, kBlock);
  c.threads = 4;
  Rig rig(GetParam());
  const Address in = rig.input("in", std::vector<uint32_t>(kGrid * kBlock, 1));
  const Address out = rig.output("out", kGrid * kBlock * 4);
  const LaunchReport r = rig.launch("apart", c, in, out, out, 0, kAt, 3u);
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_LE(r.ahead, 1u);  // the first tells how small the launch is
}

INSTANTIATE_TEST_SUITE_P(All, Threads, testing::ValuesIn(paths(W4_THREADS)), test_name);

}  // namespace
}  // namespace w4::rdna
