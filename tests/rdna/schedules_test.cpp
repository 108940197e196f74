// Schedules: repeatable, fair, and different: each order of waves shows a fault that others miss.
// The faults are of order alone: the checks that see races without the right order are off.
#include <algorithm>
#include <set>

#include "rdna/turns.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

Schedule sched(const std::string& text) {
  const Result<Schedule> s = parse_schedule(text);
  EXPECT_TRUE(s.has_value()) << text;
  return s.value_or(Schedule{});
}

const std::vector<std::string>& every_kind() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> v{"rr", "rr:1", "rr:7", "rr:4096", "rev", "rev:1", "rev:4096"};
    for (int seed = 0; seed < 12; ++seed) {
      v.push_back(fmt::format("random:{}", seed));
      v.push_back(fmt::format("prio:{}", seed));
      v.push_back(fmt::format("prio:{}:0", seed));
    }
    return v;
  }();
  return all;
}

class Schedules : public testing::TestWithParam<std::string> {
 protected:
  Rig rig_{GetParam()};

  Address zeros(const std::string& name, size_t words) {
    const Address a = rig_.allocate({.name = name, .bytes = words * 4, .writable = true});
    const std::vector<uint32_t> none(words, 0);
    EXPECT_TRUE(rig_.emulator().memory().write(a, std::as_bytes(std::span(none))));
    return a;
  }
  LaunchConfig how(const std::string& schedule, uint32_t grid = 1) {
    LaunchConfig c = config(grid, 128);
    c.schedule = sched(schedule);
    c.checks = kAllChecks & ~(kGlobalRace | kLdsRace);
    c.step_limit = 5'000'000;
    return c;
  }
  template <class... A>
  std::vector<uint32_t> result(std::string_view kernel, const LaunchConfig& c, Address out,
                               size_t words, A... args) {
    const LaunchReport r = rig_.launch(kernel, c, args...);
    EXPECT_EQ(r.end, LaunchReport::End::completed) << to_string(c.schedule) << what(r);
    return rig_.read<uint32_t>(out, words);
  }
  // The order in which the waves of two workgroups came.
  std::vector<uint32_t> order(const std::string& schedule) {
    const Address count = zeros("count", 1), order = zeros("order", 128);
    return result("record_order", how(schedule, 2), order, 128, count, order);
  }
  bool sum_is_wrong(const std::string& s) {
    const Address sum = zeros("sum", 1);
    return result("lost_update", how(s), sum, 1, sum)[0] != 4;
  }
  bool flag_is_missed(const std::string& s) {
    const Address flag = zeros("flag", 1), out = zeros("out", 1);
    return result("first_wave_first", how(s), out, 1, flag, out)[0] != 1;
  }
  bool paused_long(const std::string& s) {
    const Address clock = zeros("clock", 1), out = zeros("out", 4);
    return std::ranges::max(result("long_pause", how(s), out, 4, clock, out)) > 60;
  }
};

TEST_P(Schedules, RepeatThemselvesAndDiffer) {
  std::set<std::vector<uint32_t>> orders;
  for (const std::string& s : every_kind()) {
    const std::vector<uint32_t> first = order(s);
    EXPECT_EQ(first, order(s)) << s;
    // Every entry of every wave of both workgroups is there.
    for (uint32_t who = 0; who < 8; ++who) EXPECT_EQ(std::ranges::count(first, who), 16) << s;
    orders.insert(first);
  }
  EXPECT_GE(orders.size(), every_kind().size() * 2 / 3);
  const auto by_wave = [](uint32_t first, int step) {
    std::vector<uint32_t> v;
    for (uint32_t who = 0; who < 8; ++who)
      v.insert(v.end(), 16, first + who * static_cast<uint32_t>(step));
    return v;
  };
  EXPECT_EQ(order("rr:4096"), by_wave(0, 1));
  EXPECT_EQ(order("rev:4096"), by_wave(7, -1));
}

// With no change point a wave is left only when it ends: one order of four waves, of all 24.
TEST_P(Schedules, PrioritiesReachEveryOrderOfWaves) {
  std::set<std::vector<uint32_t>> orders;
  for (int seed = 0; seed < 200; ++seed) {
    std::vector<uint32_t> v = order(fmt::format("prio:{}:0", seed));
    v.resize(64);
    for (uint32_t& who : v) who &= 3;
    const std::vector<uint32_t> all = v;
    v.erase(std::unique(v.begin(), v.end()), v.end());
    EXPECT_EQ(v.size(), 4u) << seed;
    orders.insert(v);
  }
  EXPECT_EQ(orders.size(), 24u);
}

// The last wave to arrive does not go on by right of being there: all compete anew.
TEST_P(Schedules, ABarrierEndsTheTurn) {
  for (const char* s : {"rr", "rev", "prio:1:0", "prio:2:0", "prio:3:0", "prio:4:0"}) {
    const Address count = zeros("count", 1), at = zeros("order", 8);
    const auto v = result("order_around_barrier", how(s), at, 8, count, at);
    EXPECT_TRUE(std::ranges::equal(std::span(v).first(4), std::span(v).last(4))) << s;
  }
}

TEST_P(Schedules, EachShowsWhatOthersMiss) {
  EXPECT_FALSE(sum_is_wrong("rr"));
  EXPECT_FALSE(sum_is_wrong("rev"));
  EXPECT_TRUE(sum_is_wrong("rr:1"));
  EXPECT_TRUE(sum_is_wrong("rev:1"));
  EXPECT_FALSE(flag_is_missed("rr"));
  EXPECT_TRUE(flag_is_missed("rev"));
  const auto some_seed = [](const char* name, auto shows) {
    int n = 0;
    for (int seed = 0; seed < 60; ++seed) n += shows(fmt::format("{}:{}", name, seed));
    return n;
  };
  const auto sum = [this](const std::string& s) { return sum_is_wrong(s); };
  const auto flag = [this](const std::string& s) { return flag_is_missed(s); };
  const auto pause = [this](const std::string& s) { return paused_long(s); };
  EXPECT_GE(some_seed("random", sum), 1);
  EXPECT_GE(some_seed("random", flag), 1);
  EXPECT_GE(some_seed("prio", flag), 1);
  for (const char* s : {"rr", "rr:1", "rev", "rev:1"}) EXPECT_FALSE(paused_long(s)) << s;
  EXPECT_EQ(some_seed("random", pause), 0);
  EXPECT_GE(some_seed("prio", pause), 3);
}

TEST_P(Schedules, SpinningWavesLetTheOthersRun) {
  for (const std::string& s : every_kind()) {
    SCOPED_TRACE(s);
    const Address lock = zeros("lock", 1), sum = zeros("sum", 2);
    EXPECT_THAT(result("spin_lock", how(s), sum, 2, lock, sum), testing::Each(32u));
    for (int down : {0, 1}) {
      const Address flags = zeros("flags", 4), out = zeros("out", 4);
      EXPECT_THAT(result("spin_chain", how(s), out, 4, flags, out, down),
                  testing::ElementsAre(1, 2, 3, 4));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Schedules, testing::ValuesIn(paths(W4_SCHEDULES)), test_name);

// The rule by itself, on waves that never end.
TEST(Turns, TheHighestPriorityRunsUntilItFalls) {
  std::vector<Wave> waves(3);
  Turns turns;
  turns.start(sched("prio:5:0"), 0, waves.size());
  const size_t top = turns.next(waves).wave;
  EXPECT_EQ(turns.next(waves).steps, Turns::kPatience);
  turns.ran(100);
  EXPECT_EQ(turns.next(waves).wave, top);
  EXPECT_EQ(turns.next(waves).steps, Turns::kPatience - 100);
  waves[top].state = WaveState::at_barrier;
  const size_t second = turns.next(waves).wave;
  EXPECT_NE(second, top);
  turns.ran(10);
  waves[top].state = WaveState::ready;
  EXPECT_EQ(turns.next(waves).wave, top) << "woken, it goes first again, and with all its patience";
  EXPECT_EQ(turns.next(waves).steps, Turns::kPatience);
  turns.ran(Turns::kPatience);
  EXPECT_EQ(turns.next(waves).wave, second);
  turns.ran(Turns::kPatience);
  const size_t third = turns.next(waves).wave;
  EXPECT_NE(third, top);
  EXPECT_NE(third, second);
  turns.ran(Turns::kPatience);
  EXPECT_EQ(turns.next(waves).wave, top);
  for (Wave& w : waves) w.state = WaveState::done;
  EXPECT_EQ(turns.next(waves).wave, waves.size());
}

TEST(Turns, AChangePointLowersTheRunningWave) {
  std::vector<Wave> waves(2);
  Turns turns;
  int fell = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    turns.start({.order = Order::priority, .seed = seed, .changes = 1}, 0, waves.size());
    const Turns::Turn first = turns.next(waves);
    if (first.steps == Turns::kPatience) continue;  // the point lies behind
    ++fell;
    turns.ran(first.steps);
    EXPECT_NE(turns.next(waves).wave, first.wave);
    EXPECT_EQ(turns.next(waves).steps, Turns::kPatience);
  }
  EXPECT_GE(fell, 40);
  EXPECT_LE(fell, 80);
}

}  // namespace
}  // namespace w4::rdna
