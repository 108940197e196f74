#include <gtest/gtest.h>

#include "results/samples.h"
#include "results/store_fixture.h"

namespace w4 {
namespace {

using testing::campaign_case;
using testing::mismatch;
using testing::StoreTest;

class FailureStore : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store_.emplace(fresh());
    run_ = *store_->begin_run({"c", "b1", 0, RunKind::campaign});
  }
  Folded add(int64_t number, Outcome o) {
    const auto added = store_->add_case(run_, campaign_case("random", number, std::move(o)));
    EXPECT_TRUE(added) << added.error().text;
    return added && added->failure ? *added->failure : Folded{};
  }
  std::vector<StoredFailure> all() { return *store_->failures(run_, 100); }

  std::optional<Store> store_;
  int64_t run_ = 0;
};

TEST(FailureKey, NumbersAreNormalised) {
  EXPECT_EQ(normalised("rows m=0,1,17 of 64, 3 of 64 columns: 3..5, 7, 8..9 (n mod 8 in {3})"),
            "rows m=# of # of # columns: # (n mod # in {#})");
  EXPECT_EQ(normalised("rows m=2 of 4, every column"), "rows m=# of #, every column");
  EXPECT_EQ(normalised("at 0x1fC, -1.5e-05 and 2e3x"), "at #, -# and #x");
  EXPECT_EQ(normalised("y4u1 f16 ds_load_b128 v2"), "y4u1 f16 ds_load_b128 v2");
  EXPECT_EQ(normalised(""), "");
  EXPECT_LE(normalised(std::string(100000, 'x')).size(), 200u);
}

TEST(FailureKey, EveryKindHasOne) {
  std::vector<FailureKey> keys;
  for (const Verdict& v : testing::sample_verdicts()) {
    const FailureKey key = failure_key({"s", "decode", "gfx1151", v});
    EXPECT_EQ(key.kernel, "decode");
    EXPECT_EQ(key.kind, name_of(v.kind()));
    if (!v.green()) EXPECT_FALSE(key.pattern.empty()) << key.kind;
    for (const FailureKey& other : keys) EXPECT_FALSE(key == other) << key.kind << key.pattern;
    keys.push_back(key);
  }
}

TEST(FailureKey, SignalsAndPlacesOfCodeAreNotNormalised) {
  const auto pattern = [](Outcome o) {
    return failure_key({"s", "k", "d", make_verdict("l", {std::move(o)}, {})}).pattern;
  };
  EXPECT_NE(pattern(Crash{11, "", "run() of decode"}), pattern(Crash{6, "", "run() of decode"}));
  Found a, b;
  a.findings.push_back(testing::sample_finding());
  b.findings.push_back(testing::sample_finding());
  b.findings[0].at.source = "skinny.hip:43";
  EXPECT_NE(pattern(a), pattern(b));
  b.findings.push_back(a.findings[0]);
  a.findings.insert(a.findings.begin(), b.findings[0]);
  EXPECT_EQ(pattern(a), pattern(b));
}

TEST_F(FailureStore, OnesOfTheSamePatternAreOne) {
  const Folded first = add(3, mismatch("rows m=1 of 4"));
  EXPECT_TRUE(first.is_new);
  const Folded second = add(4, mismatch("rows m=2,3 of 64"));
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(second.failure, first.failure);
  EXPECT_TRUE(add(5, mismatch("every row")).is_new);
  EXPECT_EQ(add(6, Pass{}).failure, 0);
  EXPECT_EQ(add(7, Skipped{}).failure, 0);
  const auto failures = all();
  ASSERT_EQ(failures.size(), 2u);
  const StoredFailure& f = failures[0];  // the most frequent
  EXPECT_EQ(f.id, first.failure);
  EXPECT_EQ(f.cases, 2);
  EXPECT_EQ(f.kernel, "decode");
  EXPECT_EQ(f.kind, "mismatch");
  EXPECT_EQ(f.pattern, "rows m=# of #");
  EXPECT_EQ(f.first_line, "decode m=3 seed=random");
  EXPECT_EQ(f.first_source, "random");
  EXPECT_EQ(f.first_number, 3);
  EXPECT_EQ(f.smallest_line, "");
  EXPECT_EQ(f.state, FailureState::fresh);
  EXPECT_EQ(f.build_id, "b1");
  ASSERT_EQ(store_->failures(run_, 1)->size(), 1u);
  EXPECT_EQ(store_->failures(run_, 1)->at(0).id, first.failure);
}

TEST_F(FailureStore, AVerdictIsFoldedOnce) {
  const Folded first = add(0, mismatch("every row"));
  const auto again = store_->fold(run_, {"decode", "mismatch", "another"}, "random", 0);
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(again->failure, first.failure);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(all()[0].cases, 1);
  const auto none = store_->fold(run_, {"decode", "mismatch", "x"}, "random", 17);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text.find("17"), std::string::npos) << none.error().text;
}

TEST_F(FailureStore, AGreenVerdictCanBeFoldedByHand) {
  add(0, Pass{});
  const auto folded = store_->fold(run_, {"decode", "drift", "columns"}, "random", 0);
  ASSERT_TRUE(folded) << folded.error().text;
  EXPECT_TRUE(folded->is_new);
  EXPECT_EQ(all()[0].kind, "drift");
}

TEST_F(FailureStore, WhatExplainFindsFoldsFurther) {
  const int64_t a = add(0, mismatch("rows m=1 of 4")).failure;
  const int64_t b = add(1, mismatch("every row")).failure;
  add(2, mismatch("every row"));
  EXPECT_EQ(*store_->update_failure(a, {"", "", FailureState::shrinking}), a);
  EXPECT_EQ(*store_->update_failure(
                a, {"decode m=1", "K tail dropped", FailureState::done, {}, "the only row"}),
            a);
  EXPECT_EQ(all().size(), 2u);
  EXPECT_EQ(*store_->update_failure(
                b, {"decode m=1 n=16", "K tail dropped", FailureState::done, {}, "the only row"}),
            a);
  const auto failures = all();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].id, a);
  EXPECT_EQ(failures[0].cases, 3);
  EXPECT_EQ(failures[0].hypothesis, "K tail dropped");
  EXPECT_EQ(failures[0].pattern, "the only row");
  EXPECT_EQ(failures[0].smallest_line, "decode m=1");
  EXPECT_EQ(failures[0].state, FailureState::done);
  // Later ones of either first pattern go there at once.
  EXPECT_EQ(add(3, mismatch("every row")).failure, a);
  EXPECT_FALSE(add(4, mismatch("rows m=2 of 4")).is_new);
  EXPECT_EQ(all()[0].cases, 5);
  const auto gone = store_->update_failure(b, {});
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().text.find("there is no failure"), std::string::npos);
}

TEST_F(FailureStore, AnotherHypothesisIsAnotherFailure) {
  const int64_t a = add(0, mismatch("rows m=1 of 4")).failure;
  const int64_t b = add(1, mismatch("every row")).failure;
  ASSERT_TRUE(store_->update_failure(a, {"", "one", FailureState::done, {}, "p"}));
  EXPECT_EQ(*store_->update_failure(b, {"", "two", FailureState::done, {}, "p"}), b);
  EXPECT_EQ(all().size(), 2u);
}

TEST_F(FailureStore, WhatIsNotDoneFoldsIntoNothingAndKeepsItsSmallestLine) {
  const int64_t a = add(0, mismatch("rows m=1 of 4")).failure;
  const int64_t b = add(1, mismatch("every row")).failure;
  ASSERT_TRUE(store_->update_failure(a, {"small", "", FailureState::gave_up, {}, "p"}));
  EXPECT_EQ(*store_->update_failure(b, {"", "", FailureState::gave_up, {}, "p"}), b);
  ASSERT_TRUE(store_->update_failure(a, {"", "", FailureState::shrinking, {}, {}}));
  EXPECT_EQ(store_->failures(run_, 9)->size(), 1u);  // asked for, equal ones are shown as one
  EXPECT_EQ((*store_->failures(run_, 9))[0].smallest_line, "small");
}

TEST_F(FailureStore, EqualOnesOfSeveralRunsAreShownAsOne) {
  add(0, mismatch("every row"));
  run_ = *store_->begin_run({"c", "b1", 0, RunKind::campaign});
  const Folded second = add(0, mismatch("every row"));
  EXPECT_TRUE(second.is_new);
  ASSERT_TRUE(store_->update_failure(second.failure, {"small", "", FailureState::shrinking}));
  const auto both = *store_->failures(std::nullopt, 9);
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].cases, 2);
  EXPECT_EQ(both[0].runs, 2);
  EXPECT_EQ(both[0].smallest_line, "small");
  EXPECT_EQ(all()[0].cases, 1);
}

TEST_F(FailureStore, RunsFoldToo) {
  const int64_t run = *store_->begin_run({"c", "b1", 2});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(store_->add(
        run, {"smoke", "decode", "gfx1151", make_verdict("l", {mismatch("every row")}, {})}));
  }
  ASSERT_EQ(store_->failures(run, 9)->size(), 1u);
  EXPECT_EQ((*store_->failures(run, 9))[0].cases, 2);
}

}  // namespace
}  // namespace w4
