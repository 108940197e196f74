// What becomes of a mutant that no case killed, on devices with fewer checks than the emulator.
#include "campaign/zoo/fate.h"

#include <gtest/gtest.h>

namespace w4::zoo {
namespace {

Row row(const char* expect, int64_t cases = 3, int64_t skipped = 0) {
  Row r;
  r.expect = *parse_expect(expect);
  Hunted::Run run;
  run.cases = cases;
  run.skipped = skipped;
  if (skipped > 0) run.skip = "no_code_object: none for cuda";
  r.hunted.runs.push_back(run);
  return r;
}
constexpr const char* kRace = "covers B45\nverdict finding\nfinding lds_race\nrows decode\n";
constexpr const char* kBoth =
    "covers B45\nverdict finding mismatch\nfinding lds_race\nrows decode\n";
constexpr const char* kValue = "covers B45\nverdict mismatch\nrows decode\n";

TEST(Fate, FindingsOfChecksAreSilentWhereThereAreNone) {
  for (const char* device : {"cuda", "hip", "host"}) {
    const Ended e = fate_of(row(kRace), device);
    EXPECT_EQ(e.fate, Fate::silent) << device;
    EXPECT_EQ(e.why, "needs the emulator's checks: lds_race");
  }
  EXPECT_EQ(fate_of(row(kRace), "gfx1201").fate, Fate::survives);
  EXPECT_EQ(fate_of(row(kRace), "").fate, Fate::survives);
}

TEST(Fate, WrongValuesNeedNoChecks) {
  EXPECT_EQ(fate_of(row(kValue), "cuda").fate, Fate::survives);
  EXPECT_EQ(fate_of(row(kBoth), "cuda").fate, Fate::survives);
}

TEST(Fate, AKillCountsWhateverIsDeclared) {
  Row r = row(kRace);
  r.hunted.runs.front().killed[Oracle{}] = {};
  EXPECT_EQ(fate_of(r, "cuda").fate, Fate::killed);
  r.stale = "the line is gone";
  EXPECT_EQ(fate_of(r, "cuda").fate, Fate::stale);
}

TEST(Fate, SkippedOnlyWhereNothingRan) {
  const Ended all = fate_of(row(kValue, 3, 3), "cuda");
  EXPECT_EQ(all.fate, Fate::skipped);
  EXPECT_EQ(all.why, "no_code_object: none for cuda");
  EXPECT_EQ(fate_of(row(kValue, 3, 2), "cuda").fate, Fate::survives);
}

}  // namespace
}  // namespace w4::zoo
