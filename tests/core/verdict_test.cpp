#include "core/verdict.h"

#include <gmock/gmock.h>

namespace w4 {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// One of each, in the order of precedence of design.md.
std::vector<Outcome> one_of_each() {
  return {HarnessError{"store is locked"},
          Crash{11, "segfault\nat 0"},
          Timeout{1.5, 4000, "step limit"},
          Unsupported{"s_foo_b32", 0x40, ""},
          Found{{Finding{.kind = FindingKind::oob_read}}},
          LawBroken{"determinism", "decode seed=1", "decode seed=1 sched=rev", 1, 2, ""},
          Mismatch{{}, 1, 2, ""},
          Accepted{"k.group", "K = 320"},
          Refused{"k.group", "K = 320", true, true},
          Mistrusted{"most outputs are zero"},
          Skipped{SkipReason::too_large, "3 TiB"},
          Pass{{}, 0.25}};
}

TEST(Verdict, PrecedenceOverAllPairs) {
  const std::vector<Outcome> all = one_of_each();
  ASSERT_EQ(all.size(), std::variant_size_v<Outcome>);
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < all.size(); ++j) {
      const Verdict v = make_verdict("decode", {all[i], all[j]}, {});
      ASSERT_EQ(v.outcomes.size(), 2u);
      EXPECT_EQ(kind_of(v.primary()), kind_of(all[std::min(i, j)])) << i << " " << j;
      EXPECT_EQ(kind_of(v.outcomes[1]), kind_of(all[std::max(i, j)])) << i << " " << j;
    }
  }
}

TEST(Verdict, SortIsStable) {
  const Verdict v = make_verdict("decode", {Pass{}, Mistrusted{"b"}, Mistrusted{"a"}}, {});
  EXPECT_EQ(std::get<Mistrusted>(v.outcomes[0]).why, "b");
  EXPECT_EQ(std::get<Mistrusted>(v.outcomes[1]).why, "a");
}

TEST(Verdict, NoOutcomeIsAHarnessError) {
  EXPECT_EQ(make_verdict("decode", {}, {}).kind(), VerdictKind::harness_error);
}

TEST(Verdict, NamesGoBothWays) {
  const char* names[] = {"harness_error", "crash",      "timeout",  "unsupported",
                         "finding",       "law_broken", "mismatch", "accepted",
                         "refused",       "mistrusted", "skipped",  "pass"};
  const std::vector<Outcome> all = one_of_each();
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(name_of(kind_of(all[i])), names[i]);
    EXPECT_EQ(verdict_kind_from(names[i]), kind_of(all[i]));
    EXPECT_THAT(to_string(all[i]), StartsWith(names[i]));
  }
  EXPECT_EQ(verdict_kind_from("ok"), std::nullopt);
}

TEST(Verdict, GreenIsPassOrTheRefusalTheCaseAskedFor) {
  const auto green = [](std::vector<Outcome> o) { return make_verdict("decode", o, {}).green(); };
  for (const Outcome& o : one_of_each()) {
    const VerdictKind kind = kind_of(o);
    EXPECT_EQ(green({o}), kind == VerdictKind::pass || kind == VerdictKind::refused)
        << name_of(kind);
    // Nothing turns green because something green is attached.
    if (kind != VerdictKind::refused) {
      EXPECT_EQ(green({Pass{}, o}), kind == VerdictKind::pass) << name_of(kind);
    }
  }
  EXPECT_TRUE(green({Refused{"k.group", "", true, true}}));
  EXPECT_FALSE(green({Refused{"k.group", "", false, true}}));
  EXPECT_FALSE(green({Refused{"k.group", "", true, false}}));
  EXPECT_FALSE(green({Refused{"k.group", "", true, true}, Refused{"m.range", "", false, true}}));
}

TEST(Verdict, MismatchShowsWorstIntervalGotWhereAndRerun) {
  Worst w{.m = 2, .n = 17, .got = 3.5, .low = 1, .high = 2, .twin = 1.5, .bound = 0.5, .ratio = 4};
  Provenance ran;
  ran.instantiation = "medium y4u1a16w16 m3 g64";
  ran.object_hash = "abc123";
  ran.fp = "ieee";
  ran.resolved = "lda=256 cus=20";
  const Verdict v = make_verdict("decode m=3", {Mismatch{w, 13, 640, "every 8th column"}}, ran);
  EXPECT_EQ(
      to_string(v),
      "mismatch: 13 of 640 elements outside their interval; every 8th column\n"
      "  worst: out[m=2, n=17]\n"
      "  expected: 1 to 2 (declared twin 1.5 before bias and store, bound 0.5)\n"
      "  got: 3.5 ((y - twin)/bound = 4)\n"
      "  where: medium y4u1a16w16 m3 g64; object abc123; fp ieee\n"
      "  resolved: lda=256 cus=20\n"
      "  rerun: w4check rerun 'decode m=3'\n"
      "  the same with explain: the kind of defect; with shrink: a smaller line that fails alike");
}

TEST(Verdict, OnlyWhatIsRedOffersToShrink) {
  const auto text = [](Outcome o) { return to_string(make_verdict("decode", {std::move(o)}, {})); };
  EXPECT_THAT(text(Pass{}), Not(HasSubstr("shrink")));
  EXPECT_THAT(text(Skipped{SkipReason::no_device, ""}), Not(HasSubstr("shrink")));
  EXPECT_THAT(text(Refused{"k.group", "", true, true}), Not(HasSubstr("shrink")));
  EXPECT_THAT(text(Refused{"k.group", "", false, true}), HasSubstr("with shrink"));
}

TEST(Verdict, PrintKeepsEveryField) {
  const std::vector<Outcome> all = one_of_each();
  const char* parts[] = {"store is locked",  "signal 11",        "4000 wave-instructions",
                         "s_foo_b32",        "oob_read",         "sched=rev",
                         "1 of 2",           "k.group",          "K = 320",
                         "outputs are zero", "too_large: 3 TiB", "0.25"};
  for (size_t i = 0; i < all.size(); ++i) EXPECT_THAT(to_string(all[i]), HasSubstr(parts[i]));
  EXPECT_THAT(to_string(Outcome{Refused{"c", "m", false, false}}),
              testing::AllOf(HasSubstr("not expected"), HasSubstr("were written")));
  EXPECT_THAT(to_string(Outcome{Refused{"c", "m", true, true}}),
              testing::AllOf(Not(HasSubstr("not expected")), Not(HasSubstr("were written"))));
}

TEST(Verdict, AttachedOutcomesArePrinted) {
  const std::string text = to_string(make_verdict("decode", one_of_each(), {}));
  EXPECT_THAT(text, StartsWith("harness_error"));
  EXPECT_THAT(text, HasSubstr("also crash"));
  EXPECT_THAT(text, HasSubstr("also pass"));
}

TEST(Verdict, RerunLineIsQuotedForTheShell) {
  EXPECT_THAT(to_string(make_verdict("decode module=it's", {Pass{}}, {})),
              EndsWith(R"(rerun 'decode module=it'\''s')"));
}

}  // namespace
}  // namespace w4
