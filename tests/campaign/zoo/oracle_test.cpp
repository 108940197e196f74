// What counts as a mutant's death, and to which oracle it is owed.
#include "campaign/zoo/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace w4::zoo {
namespace {

Expect expect(const char* text) { return *parse_expect(text); }
Expect memory_expected() {
  return expect("covers B45\nverdict finding\nfinding lds_oob\nrows decode\n");
}

Verdict verdict(std::vector<Outcome> outcomes) {
  return make_verdict("decode", std::move(outcomes), {});
}
Finding finding(FindingKind kind) {
  Finding f;
  f.kind = kind;
  return f;
}

std::string killed_by(const Expect& e, std::vector<Outcome> outcomes) {
  std::string out;
  for (const Kill& k : kills_of(e, verdict(std::move(outcomes)))) {
    out += std::string(out.empty() ? "" : ", ") + std::string(name_of(k.oracle)) + ": " + k.what;
  }
  return out;
}

TEST(ZooKill, MismatchAndLawAlwaysCount) {
  EXPECT_EQ(killed_by(memory_expected(), {Mismatch{}}), "interval: mismatch");
  LawBroken law;
  law.law = "row_alone";
  EXPECT_EQ(killed_by(memory_expected(), {law}), "laws: law row_alone");
}

TEST(ZooKill, AFindingCountsWhereItsFamilyIsExpected) {
  EXPECT_EQ(killed_by(memory_expected(), {Found{{finding(FindingKind::oob_read)}}}),
            "memory: finding oob_read");
  EXPECT_EQ(killed_by(memory_expected(), {Found{{finding(FindingKind::lds_race)}}}), "");
  EXPECT_EQ(killed_by(expect("covers B1\nverdict mismatch\nrows decode\n"),
                      {Found{{finding(FindingKind::oob_read)}}}),
            "");
}

TEST(ZooKill, AllOutcomesOfAVerdictCount) {
  EXPECT_EQ(killed_by(memory_expected(), {Found{{finding(FindingKind::lds_oob)}}, Mismatch{}}),
            "memory: finding lds_oob, interval: mismatch");
}

TEST(ZooKill, AcceptanceAndRefusalCountByTheirClauseOnly) {
  const Expect e = expect("covers B02\nverdict accepted refused\nclause group.size\nrows decode\n");
  EXPECT_EQ(killed_by(e, {Accepted{"group.size", ""}}), "contract: accepted group.size");
  EXPECT_EQ(killed_by(e, {Accepted{"k.group", ""}}), "");
  Refused refused{"group.size", ""};
  EXPECT_EQ(killed_by(e, {refused}), "contract: refused group.size");
  refused.expected = true;
  EXPECT_EQ(killed_by(e, {refused}), "");
  EXPECT_EQ(killed_by(memory_expected(), {Refused{"k.group", ""}}), "");
}

TEST(ZooKill, TheHarnessOwnTroubleNeverCounts) {
  const Expect e = memory_expected();
  EXPECT_EQ(killed_by(e, {HarnessError{}}), "");
  EXPECT_EQ(killed_by(e, {HarnessError{}, Mismatch{}}), "");
  EXPECT_EQ(killed_by(e, {Unsupported{}, Mismatch{}}), "");
  EXPECT_EQ(killed_by(e, {Timeout{}, Mismatch{}}), "");
  EXPECT_EQ(killed_by(e, {Crash{}}), "");
  EXPECT_EQ(killed_by(e, {Mistrusted{}}), "");
  EXPECT_EQ(killed_by(e, {Skipped{}}), "");
  EXPECT_EQ(killed_by(e, {Pass{}}), "");
  const Expect dies = expect("covers B61\nverdict timeout crash\nrows decode\n");
  EXPECT_EQ(killed_by(dies, {Timeout{}}), "process: timeout");
  EXPECT_EQ(killed_by(dies, {Crash{}}), "process: crash");
}

}  // namespace
}  // namespace w4::zoo
