// kill -9 at random moments: what was said to be stored is stored.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "results/sqlite.h"
#include "results/store_fixture.h"

namespace w4 {
namespace {

using testing::StoreTest;

// The next case of the newest campaign, red or green, with behaviours.
CampaignCase nth_case(int64_t n) {
  const Outcome o = n % 3 == 0 ? Outcome(testing::mismatch("every row")) : Outcome(Pass{});
  const auto un = static_cast<uint64_t>(n);
  return testing::campaign_case("random", n, o, {{0, un / 2}, {1, un}, {2, un % 5}});
}

// Adds case after case and writes the number of each into `told` once add_case has returned.
[[noreturn]] void add_until_killed(const std::string& path, int told) {
  auto store = Store::open(path, Store::Mode::write);
  if (!store) _exit(1);
  const auto campaign = store->find_campaign();
  if (!campaign || !*campaign) _exit(1);
  const int64_t run = (*campaign)->id;
  const auto positions = store->positions(run);
  if (!positions) _exit(1);
  for (int64_t n = positions->empty() ? 0 : positions->front().next;; ++n) {
    if (!store->add_case(run, nth_case(n))) _exit(1);
    if (write(told, &n, sizeof n) != sizeof n) _exit(1);
  }
}

// What the child said until it was killed.
std::vector<int64_t> killed_after(const std::string& path, std::chrono::microseconds time) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    add_until_killed(path, ends[1]);
  }
  close(ends[1]);
  std::vector<int64_t> told;
  int64_t n = 0;
  // The first number first: a kill before it would show nothing.
  if (read(ends[0], &n, sizeof n) == sizeof n) told.push_back(n);
  std::this_thread::sleep_for(time);
  kill(child, SIGKILL);
  while (read(ends[0], &n, sizeof n) == sizeof n) told.push_back(n);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << status;
  return told;
}

std::string integrity(const std::string& path) {
  auto db = Database::open(path, SQLITE_OPEN_READWRITE);
  auto s = db->prepare("PRAGMA integrity_check");
  EXPECT_TRUE(*s->step());
  return s->text(0);
}

TEST_F(StoreTest, Kill9LosesNothingThatWasStored) {
  constexpr int kKills = 8, kLongestUs = 40000;
  const int64_t run = *fresh().begin_run({"c", "b1", 0, RunKind::campaign});
  std::random_device random;
  std::vector<int64_t> told;
  for (int kill = 0; kill < kKills; ++kill) {
    const std::chrono::microseconds time(random() % kLongestUs);
    const auto more = killed_after(path_.string(), time);
    ASSERT_FALSE(more.empty()) << "kill " << kill;
    told.insert(told.end(), more.begin(), more.end());
    EXPECT_EQ(integrity(path_.string()), "ok") << "after " << time.count() << " us";
    Store store = fresh();
    const auto stored = *store.done_numbers(run, "random", 0);
    EXPECT_TRUE(std::ranges::includes(stored, told)) << "after " << time.count() << " us";
    // No half of a case: of the one in flight everything is there or nothing.
    const auto cases = static_cast<int64_t>(stored.size());
    EXPECT_LE(cases, static_cast<int64_t>(told.size()) + kill + 1);
    EXPECT_EQ(store.positions(run)->at(0).next, cases);
    EXPECT_EQ(store.stop_counts(run)->cases, cases);
    EXPECT_EQ(store.stop_counts(run)->kinds.at(1).distinct, cases);
    EXPECT_EQ(store.failures(run, 1)->at(0).cases, (cases + 2) / 3);
  }
}

}  // namespace
}  // namespace w4
