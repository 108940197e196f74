// What a case showed, and inputs of fuzzers.
#include "verify/behaviour.h"

#include <gtest/gtest.h>

#include <set>

#include "verify/cases/case_bytes.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

std::set<uint64_t> ids(const std::vector<Behaviour>& all, BehaviourKind kind) {
  std::set<uint64_t> out;
  for (const Behaviour& b : all) {
    if (b.kind == kind) out.insert(b.id);
  }
  return out;
}

struct Shown {
  std::vector<Behaviour> all;
  std::set<uint64_t> of(BehaviourKind k) const { return ids(all, k); }
};

Shown show(Observer& observer, Context& context, std::string_view line) {
  const Case c = *parse_case(line);
  observer.start();
  const Verdict v = run_case(c, context);
  EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  return {observer.of(c, v)};
}

TEST(Behaviour, IsTheSameForTheSameCase) {
  Observer observer;
  Context context;
  const Shown first = show(observer, context, "decode n=16 k=256 g=64");
  show(observer, context, "decode m=5 n=16 k=2048 g=32 zp=packed");
  const Shown again = show(observer, context, "decode n=16 k=256 g=64");
  EXPECT_EQ(first.all, again.all);
  EXPECT_GT(first.of(BehaviourKind::edge).size(), 3u);
  EXPECT_EQ(first.of(BehaviourKind::tuple).size(), 1u);
  EXPECT_EQ(first.of(BehaviourKind::margin).size(), 1u);
}

TEST(Behaviour, OtherDataIsNoOtherPath) {
  Observer observer;
  Context context;
  const Shown a = show(observer, context, "decode n=16 k=256 g=64 seed=5");
  const Shown b = show(observer, context, "decode n=16 k=256 g=64 seed=6");
  EXPECT_EQ(a.of(BehaviourKind::edge), b.of(BehaviourKind::edge));
  EXPECT_EQ(a.of(BehaviourKind::tuple), b.of(BehaviourKind::tuple));
}

TEST(Behaviour, AnotherInstantiationSharesNoEdge) {
  Observer observer;
  Context context;
  const auto a = show(observer, context, "decode n=16 k=256 g=64").of(BehaviourKind::edge);
  const auto b = show(observer, context, "decode n=16 k=256 g=32").of(BehaviourKind::edge);
  for (const uint64_t id : a) EXPECT_FALSE(b.contains(id));
}

TEST(Behaviour, LongerLoopsAreOtherEdges) {
  Observer observer;
  Context context;
  const auto a = show(observer, context, "decode n=16 k=1024 g=64").of(BehaviourKind::edge);
  const auto b = show(observer, context, "decode n=16 k=8192 g=64").of(BehaviourKind::edge);
  EXPECT_NE(a, b);
}

TEST(Behaviour, MarginsRiseWithTheError) {
  const auto bucket = [](Outcome o) { return margin_bucket(make_verdict("", {std::move(o)}, {})); };
  Pass pass;
  EXPECT_EQ(bucket(pass), 0);
  pass.headroom = 0.01;
  EXPECT_EQ(bucket(pass), 1);
  pass.headroom = 1;
  EXPECT_EQ(bucket(pass), 8);
  Mismatch wrong;
  wrong.worst.ratio = -40;
  EXPECT_EQ(bucket(wrong), 9);
  EXPECT_EQ(bucket(Crash{}), -1);
}

// Bytes of one part that change leave the others alone.
TEST(CaseBytes, PartsStandApart) {
  const CaseInput how{.row = "decode"};
  std::vector<uint8_t> bytes(kInputBytes, 37);
  const Case before = case_of(bytes, how);
  const auto fill = static_cast<size_t>(kHeadBytes + static_cast<int>(Part::fill) * kPartBytes);
  bytes[fill + 1] ^= 1;
  Case after = case_of(bytes, how);
  EXPECT_NE(after.seed, before.seed);
  after.seed = before.seed;
  EXPECT_EQ(to_string(after), to_string(before));
  const auto tokens = static_cast<size_t>(kHeadBytes + static_cast<int>(Part::tokens) * kPartBytes);
  bytes[tokens] ^= 1;
  EXPECT_NE(case_of(bytes, how).problem.m, before.problem.m);
}

TEST(CaseBytes, NoBytesAreThePlainestCase) {
  EXPECT_EQ(to_string(case_of({}, {.row = "decode"})),
            to_string(case_of(std::vector<uint8_t>(kInputBytes), {.row = "decode"})));
}

TEST(CaseBytes, MutantsDifferAndReachEveryPart) {
  Draw draw(1);
  const std::vector<uint8_t> plain(kInputBytes), other(kInputBytes, 0xa5);
  std::set<size_t> changed;
  for (int i = 0; i < 3000; ++i) {
    const auto out = mutate_input(plain, other, draw);
    ASSERT_EQ(out.size(), plain.size());
    for (size_t b = 0; b < out.size(); ++b) {
      if (out[b] != plain[b]) changed.insert(b);
    }
  }
  EXPECT_EQ(changed.size(), plain.size());
}

// How many parts differ, the head among them.
int differing(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  int count = 0;
  for (int part = 0; part <= kParts; ++part) {
    const auto [first, bytes] = place_of(part);
    count += std::equal(a.begin() + first, a.begin() + first + bytes, b.begin() + first) ? 0 : 1;
  }
  return count;
}

TEST(CaseBytes, MostMutantsAreAStepAndSomeALeap) {
  Draw draw(2);
  const std::vector<uint8_t> plain(kInputBytes), other(kInputBytes, 0xa5);
  int one = 0, steps = 0, leaps = 0;
  for (int i = 0; i < 3000; ++i) {
    const int parts = differing(mutate_input(plain, other, draw), plain);
    one += parts == 1 ? 1 : 0;
    steps += parts <= 3 ? 1 : 0;
    leaps += parts >= 5 ? 1 : 0;
  }
  EXPECT_GT(one, 500);
  EXPECT_GT(steps, 1500);
  EXPECT_GT(leaps, 500);
}

}  // namespace
}  // namespace w4
