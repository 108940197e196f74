// Campaigns as the tests of the command start, end and read them.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace w4::testing {

using Words = std::vector<std::string>;

// campaign --db DB and `more`.
Words with(const std::string& db, const Words& more);

// Starts `program` (W4_COMMAND) without output; it may be ended at any moment. Its files may not
// grow over `most_bytes`.
pid_t start(const Words& words, rlim_t most_bytes = RLIM_INFINITY, const std::string& program = {});
// Exit code; 128 + signal where a signal ended it.
int wait_for(pid_t pid);

// "source line: verdict" of all runs of the store.
std::multiset<std::string> verdicts_in(const std::string& db);
// Of the newest campaign.
std::vector<int64_t> numbers_in(const std::string& db, const std::string& source);
// What `campaign status --json -` says.
nlohmann::json status_of(const std::string& db);

struct Log {
  std::set<std::string> announced, finished;  // "source number"
};
Log log_in(const std::string& path);
// Asks again and again; false: it never became true, which is two minutes.
bool becomes_true(const std::function<bool()>& condition);
// Until the log of the store has so many finished cases.
bool wait_for_finished(const std::string& db, size_t finished);

}  // namespace w4::testing
