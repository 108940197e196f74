// Text that nobody would choose, and a disk that is full.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <limits>

#include "results/dump.h"
#include "results/export.h"
#include "results/merge.h"
#include "results/store_fixture.h"
#include "results/text.h"

namespace w4 {
namespace {

using testing::campaign_case;
using testing::mismatch;
using testing::StoreTest;

std::vector<std::string> hostile() {
  return {"'; DROP TABLE verdict; --",
          "\"quoted\" 'twice'",
          std::string("nul\0inside", 10),
          "\xff\xfe not UTF-8 \xc3",
          "tab\tnewline\nreturn\r",
          std::string(1 << 20, 'm'),
          ""};
}

CampaignCase case_of(const std::string& text, int64_t number) {
  Mismatch m = mismatch(text);
  CampaignCase c = campaign_case(text, number, m);
  c.record.suite = c.record.kernel = c.record.device = text;
  Verdict& v = c.record.verdict;
  v.line = text;
  v.ran.build_id = v.ran.object_hash = v.ran.fp = v.ran.instantiation = v.ran.outputs = text;
  Finding f;
  f.kernel = f.buffer = f.detail = f.at.source = text;
  v.outcomes.push_back(Found{{f}});
  return c;
}

TEST_F(StoreTest, HostileTextInEveryColumn) {
  Store store = fresh();
  int64_t number = 0;
  for (const std::string& text : hostile()) {
    const auto run = store.begin_run({text, text, 0, RunKind::campaign, text});
    ASSERT_TRUE(run) << run.error().text;
    const CampaignCase c = case_of(text, number++);
    const auto added = store.add_case(*run, c);
    ASSERT_TRUE(added) << added.error().text;
    ASSERT_TRUE(added->failure);
    ASSERT_TRUE(store.mark_lost(*run, text, 1000, text, text));
    ASSERT_TRUE(
        store.update_failure(added->failure->failure, {text, text, FailureState::done, {}, text}));
    const std::string kept = printable_utf8(text);
    const StoredRun stored = **store.find_run(*run);
    EXPECT_EQ(stored.command, kept);
    EXPECT_EQ(stored.plan, kept);
    EXPECT_EQ(stored.build_id, kept);
    const auto records = *store.verdicts(*run);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].suite, kept);
    EXPECT_EQ(records[0].verdict.line, kept);
    EXPECT_EQ(store.done_numbers(*run, text, 0)->size(), 1u);
    EXPECT_EQ(store.tally(*run)->at(0).device, kept);
    EXPECT_EQ(store.lost(*run)->at(0).why, kept);
    EXPECT_EQ(store.failures(*run, 1)->at(0).smallest_line, kept);
    EXPECT_EQ(store.positions(*run)->at(0).source, kept);
    const std::vector<std::string> lines{text};
    EXPECT_EQ(store.adopt(*run, text, lines)->size(), 1u);
  }
  const std::string all = (dir_ / "all.db").string();
  ASSERT_TRUE(merge_stores(std::vector{path_.string()}, all));
  EXPECT_EQ(testing::dump(all), testing::dump(path_.string()));
  size_t written = 0;
  ASSERT_TRUE(export_junit(store, std::nullopt, [&](std::string_view text) -> Result<void> {
    written += text.size();
    return {};
  }));
  EXPECT_GT(written, size_t{1} << 20);
}

TEST_F(StoreTest, NumbersThatSqliteHasNot) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 0, RunKind::campaign});
  Pass pass;
  pass.headroom = std::numeric_limits<double>::quiet_NaN();
  CampaignCase c = campaign_case("random", 0, pass);
  c.record.verdict.ran.seconds = std::numeric_limits<double>::quiet_NaN();
  c.record.verdict.ran.wave_instructions = 0xFFFFFFFFFFFFFFFFu;
  ASSERT_TRUE(store.add_case(run, c));
  pass.headroom = std::numeric_limits<double>::infinity();
  ASSERT_TRUE(store.add_case(run, campaign_case("random", 1, pass)));
  EXPECT_EQ(store.verdicts(run)->at(0).verdict.ran.wave_instructions, 0xFFFFFFFFFFFFFFFFu);
  EXPECT_EQ(store.tally(run)->at(0).headroom, std::numeric_limits<double>::infinity());
}

// Files cases until one cannot be; what is stored must be exactly what was said to be.
void fill_until_full(const std::string& path, std::string_view word) {
  auto store = Store::open(path, Store::Mode::write);
  ASSERT_TRUE(store) << store.error().text;
  const int64_t run = *store->begin_run({"c", "b1", 0, RunKind::campaign});
  int64_t filed = 0;
  Result<AddedCase> last;
  for (;; ++filed) {
    ASSERT_LT(filed, 100000);
    CampaignCase c = campaign_case("random", filed, mismatch("every row"));
    c.record.verdict.ran.resolved = std::string(2000, 'r');
    last = store->add_case(run, c);
    if (!last) break;
  }
  EXPECT_GT(filed, 10);
  for (const std::string_view part : {std::string_view(path), word, std::string_view("whole")}) {
    EXPECT_NE(last.error().text.find(part), std::string::npos) << last.error().text;
  }
  auto reader = Store::open(path, Store::Mode::read);
  ASSERT_TRUE(reader) << reader.error().text;
  EXPECT_EQ(reader->done_numbers(run, "random", 0)->size(), static_cast<size_t>(filed));
  EXPECT_EQ(reader->tally(run)->at(0).cases, filed);
  EXPECT_EQ(reader->failures(run, 1)->at(0).cases, filed);
}

// In a process of its own: what it does to itself ends with it. 77: it may not.
int in_a_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(StoreTest, AFolderThatMayNotBeWrittenTo) {
  {
    Store store = fresh();
    ASSERT_TRUE(store.begin_run({"c", "b1", 1}));
  }
  namespace fs = std::filesystem;
  fs::permissions(path_, fs::perms(0444));
  fs::permissions(dir_, fs::perms(0555));
  constexpr uid_t kNobody = 65534;
  EXPECT_EQ(0, in_a_child([&] {
              // To the superuser nothing is read-only.
              if (geteuid() == 0) ASSERT_EQ(setuid(kNobody), 0);
              for (const auto mode : {Store::Mode::read, Store::Mode::write}) {
                const auto store = Store::open(path_.string(), mode);
                ASSERT_FALSE(store);
                EXPECT_NE(store.error().text.find(path_.string()), std::string::npos);
                EXPECT_NE(store.error().text.find("may not be written to"), std::string::npos)
                    << store.error().text;
              }
            }));
  fs::permissions(dir_, fs::perms(0755));
}

TEST_F(StoreTest, AFileThatMayNotGrow) {
  EXPECT_EQ(0, in_a_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1 << 20, 1 << 20};
              ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
              fill_until_full(path_.string(), "cannot read or write");
            }));
  // With room again the campaign goes on where it was.
  Store store = fresh();
  const auto campaign = *store.find_campaign();
  ASSERT_TRUE(campaign);
  const int64_t next = store.positions(campaign->id)->at(0).next;
  EXPECT_TRUE(store.add_case(campaign->id, campaign_case("random", next, Pass{})));
}

TEST_F(StoreTest, AFullDisk) {
  const int code = in_a_child([&] {
    if (unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0) _exit(77);
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) _exit(77);
    if (mount("tmpfs", dir_.c_str(), "tmpfs", 0, "size=1m") != 0) _exit(77);
    fill_until_full(path_.string(), "no space is left");
  });
  if (code == 77) GTEST_SKIP() << "this process may not mount a file system";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace w4
