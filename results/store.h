// The store behind --db: one SQLite file that holds runs, their verdicts and their findings.
// Each verdict is committed as it comes (WAL, about 0.1 ms each): what is finished survives Ctrl-C
// and kill. Several processes may use one file at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "results/record.h"

namespace w4 {

struct RunStart {
  std::string command;  // as typed
  std::string build_id;
  int64_t planned = 0;  // cases
};

enum class RunState : uint8_t { running, complete, interrupted, stopped };  // stopped: --fail-fast
std::string_view name_of(RunState s);

struct StoredRun {
  int64_t id = 0;
  std::string command, build_id;
  int64_t planned = 0;
  std::string started, finished;  // UTC, 2026-01-31 12:00:00; finished is empty while it runs
  RunState state = RunState::running;
};

class Store {
 public:
  // `write` creates the file where there is none. A file that is not SQLite, not a store of
  // w4check, damaged, or of another schema version is refused and left untouched.
  enum class Mode : uint8_t { read, write };
  static Result<Store> open(const std::string& path, Mode mode);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  Result<int64_t> begin_run(const RunStart& start);
  Result<void> add(int64_t run, const Record& record);
  Result<void> end_run(int64_t run, RunState state);

  // Takes verdicts of this build that earlier runs reached for `lines` over into `run`. Harness
  // errors, timeouts, crashes and skipped cases are not taken over: they may end otherwise today.
  Result<std::vector<Record>> adopt(int64_t run, std::string_view build_id,
                                    std::span<const std::string> lines);

  Result<std::optional<StoredRun>> find_run(std::optional<int64_t> id);  // nullopt: the newest
  // In the order in which they were filed.
  Result<std::vector<Record>> verdicts(int64_t run);

  static constexpr int64_t kSchemaVersion = 1;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
