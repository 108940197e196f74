// The store behind --db: one SQLite file that holds runs, their verdicts and what follows from
// them. Each verdict is committed as it comes (WAL): what is finished survives Ctrl-C and kill -9;
// a power cut may lose the last seconds, never what was stored before. Several processes may use
// one file at once. Text is kept as printable_utf8 (results/text.h) makes it. Errors name the store
// and the cause; what failed has changed nothing. docs/store.md has the tables.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "results/campaign_rows.h"
#include "results/failure_key.h"
#include "results/record.h"

namespace w4 {

enum class RunKind : uint8_t { run, campaign };
std::string_view name_of(RunKind k);

struct RunStart {
  std::string command;  // as typed
  std::string build_id;
  int64_t planned = 0;  // cases; 0: not known
  RunKind kind = RunKind::run;
  std::string plan{};     // JSON, of a campaign: what --resume needs
  std::string machine{};  // where it runs: "AMD EPYC 7R13, 2 cores, Linux 6.1"
};

enum class RunState : uint8_t { running, complete, interrupted, stopped };  // stopped: --fail-fast
std::string_view name_of(RunState s);

struct StoredRun {
  int64_t id = 0;  // in this store
  std::string command, build_id;
  int64_t planned = 0;
  std::string started, finished;  // UTC, 2026-01-31 12:00:00; finished is empty while it runs
  RunState state = RunState::running;
  std::string uid{};  // in all stores: 32 hex digits
  RunKind kind = RunKind::run;
  std::string plan{};
  std::string heartbeat{};  // when the run last stored something, to the second; UTC
  std::string machine{};    // where it ran; of several, by --resume: "one; another"
};

class Store {
 public:
  // `write` creates the file where there is none, and brings one of an older schema version up to
  // this one; `read` refuses it. A file that is not SQLite, not a store of w4check, damaged (looked
  // at up to 32 MiB; larger ones show it when read), or of a newer schema version is refused and
  // left untouched.
  enum class Mode : uint8_t { read, write };
  static Result<Store> open(const std::string& path, Mode mode);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  Result<int64_t> begin_run(const RunStart& start);
  // Numbers count up within the run. A red verdict is folded into its failure.
  Result<void> add(int64_t run, const Record& record);
  Result<void> end_run(int64_t run, RunState state);

  // Takes verdicts of this build that earlier runs reached for `lines` over into `run`. Harness
  // errors, timeouts, crashes and skipped cases are not taken over: they may end otherwise today.
  Result<std::vector<Record>> adopt(int64_t run, std::string_view build_id,
                                    std::span<const std::string> lines);

  Result<std::optional<StoredRun>> find_run(std::optional<int64_t> id);  // nullopt: the newest
  Result<std::vector<StoredRun>> runs();                                 // oldest first
  // What was taken over, then the run's own, each in the order in which it was filed. All in
  // memory: for a large campaign see export.h.
  Result<std::vector<Record>> verdicts(int64_t run);

  // Of a campaign.
  // One transaction: the verdict, its failure, behaviours and tally, and where to go on. A number
  // that has a verdict of this source already is an error.
  Result<AddedCase> add_case(int64_t run, const CampaignCase& c);
  Result<std::optional<StoredRun>> find_campaign();  // the newest
  // Running again, by --resume; `machine`, where it is another one, is added to the run's.
  Result<void> reopen_run(int64_t run, std::string_view machine = {});
  Result<std::vector<Position>> positions(int64_t run);
  Result<void> set_position(int64_t run, std::string_view source, int64_t next);
  // Numbers >= `from` of this source that have a verdict, ascending.
  Result<std::vector<int64_t>> done_numbers(int64_t run, std::string_view source, int64_t from);
  // Announced and without a verdict when the campaign ended. The same case again changes nothing.
  Result<void> mark_lost(int64_t run, std::string_view source, int64_t number,
                         std::string_view line, std::string_view why);
  Result<std::vector<LostCase>> lost(int64_t run);

  // Of one run, or (nullopt) of all. Each verdict counts for the run that reached it only.
  Result<std::vector<TallyRow>> tally(std::optional<int64_t> run);
  Result<StopCounts> stop_counts(std::optional<int64_t> run);
  // Of these sources of one run together; names that it has not count nothing.
  Result<DrawnCounts> drawn_counts(int64_t run, std::span<const std::string> sources);

  // Failures: red verdicts folded by kernel, verdict and pattern, and after explain by hypothesis.
  // add and add_case fold by themselves; a verdict that is folded already is not counted again.
  Result<Folded> fold(int64_t run, const FailureKey& key, std::string_view source, int64_t number);
  // A state goes forward only: new, shrinking, then done or given up; merging relies on it. Where
  // it is done, a failure of the run with the same kernel, kind, pattern and hypothesis
  // takes this one in. Returns the id under which it is kept from now on.
  Result<int64_t> update_failure(int64_t id, const FailureUpdate& update);
  // The most frequent first. nullopt: of all runs, equal ones of several runs as one.
  Result<std::vector<StoredFailure>> failures(std::optional<int64_t> run, int64_t limit);
  // Lines that one build judged differently (kind, or output hash where both have one); skipped
  // cases do not count, nor do verdicts of different code objects.
  Result<std::vector<FlakyLine>> flaky(int64_t limit);

  // What `body` reads is the store at one moment, whoever writes to it meanwhile. It must not
  // write.
  Result<void> reading(const std::function<Result<void>()>& body);

  static constexpr int64_t kSchemaVersion = 3;

  struct Impl;  // store_impl.h, of this room
  Impl& impl() { return *impl_; }

 private:
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Whether `file` is the store at `store` or one of the files that SQLite keeps beside it, by
// whatever path: to write it as something else would destroy the store.
bool is_of_store(const std::string& file, const std::string& store);

}  // namespace w4
