#include "campaign/long_run/campaigns.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "campaign/process.h"
#include "results/store.h"

namespace w4::testing {

Words with(const std::string& db, const Words& more) {
  Words out{"campaign", "--db", db};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

pid_t start(const Words& words, rlim_t most_bytes, const std::string& program) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const rlimit limit{most_bytes, most_bytes};
  if (most_bytes != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &limit);
  setpgid(0, 0);
  if (std::freopen("/dev/null", "w", stdout) == nullptr ||
      std::freopen("/dev/null", "w", stderr) == nullptr) {
    _exit(99);
  }
  const char* const path = program.empty() ? W4_COMMAND : program.c_str();
  std::vector<char*> argv{const_cast<char*>(path)};
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  execv(path, argv.data());
  _exit(98);
}

int wait_for(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::multiset<std::string> verdicts_in(const std::string& db) {
  auto store = Store::open(db, Store::Mode::read);
  std::multiset<std::string> out;
  if (!store) return out;
  for (const StoredRun& run : *store->runs()) {
    for (const Record& r : *store->verdicts(run.id))
      out.insert(r.suite + " " + r.verdict.line + ": " + std::string(name_of(r.verdict.kind())));
  }
  return out;
}

std::vector<int64_t> numbers_in(const std::string& db, const std::string& source) {
  auto store = Store::open(db, Store::Mode::read);
  if (!store) return {};
  const auto campaign = *store->find_campaign();
  return campaign ? *store->done_numbers(campaign->id, source, 0) : std::vector<int64_t>{};
}

nlohmann::json status_of(const std::string& db) {
  const Finished f = w4check({"campaign", "status", "--db", db, "--json", "-"});
  EXPECT_EQ(f.code, 0) << f.err;
  return nlohmann::json::parse(f.out, nullptr, false);
}

Log log_in(const std::string& path) {
  Log out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, source, number;
    words >> what >> source >> number;
    if (what == "A") out.announced.insert(source + " " + number);
    if (what == "F") out.finished.insert(source + " " + number);
  }
  return out;
}

bool becomes_true(const std::function<bool()>& condition) {
  constexpr int kTimes = 24'000;
  for (int i = 0; i < kTimes; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

bool wait_for_finished(const std::string& db, size_t finished) {
  return becomes_true([&] { return log_in(db + ".announced").finished.size() >= finished; });
}

}  // namespace w4::testing
