// The subcommands, after the command line has been read. Each returns the exit code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "campaign/audit.h"
#include "campaign/bench.h"
#include "campaign/campaign.h"
#include "campaign/capture.h"
#include "campaign/diff.h"
#include "campaign/explain.h"
#include "campaign/gate.h"
#include "campaign/intake.h"
#include "campaign/pair.h"
#include "campaign/plan.h"
#include "campaign/probe.h"
#include "campaign/recipe.h"
#include "campaign/report.h"
#include "campaign/score.h"
#include "campaign/shrink.h"
#include "campaign/stores.h"
#include "campaign/vote.h"
#include "campaign/zoo.h"

namespace w4 {

enum ExitCode : int {
  kGreen = 0,
  kRed = 1,
  kUsage = 2,
  kHarnessError = 3,
  kInterrupted = 130,  // as a shell reports SIGINT; only where nothing worse happened
};

struct ListCommand {
  std::string what;  // empty: everything
  // Of `coverage` only.
  PlanOptions plan;
  std::string kernel, out;  // regular expression of names, file; empty: all, standard output
  std::string db;           // store that the counts are filed in; empty: none
};

struct RunCommand {
  PlanOptions plan;
  int jobs = 1;
  std::optional<int> threads;     // see threads_of_a_case
  std::optional<double> timeout;  // seconds per case: as ExecuteOptions has it
  bool fail_fast = false, fresh = false;
  std::string json, junit, db;  // empty: none
  std::string typed;            // the command line, for the store
};

struct RerunCommand {
  std::string line;
  std::string json;
  std::optional<std::string> interval;  // "M,N" or "worst"
  bool trace = false;
  std::optional<double> timeout;
  std::optional<int> threads;
};

struct WorkerCommand {
  uint32_t threads = 1;
  bool trace = false;
  bool protocol = false;   // says which it has, and its build, as JSON; nothing else
  bool behaviour = false;  // says what cases showed, too (campaign/shown.h)
  bool outputs = false;    // says the output, too (campaign/vote/voice.h)
  bool diff = false;       // answers questions of campaign/diff instead of case lines
  // Or one of campaign/zoo; empty: verdicts.
  std::function<std::string(const std::string&)> answer;
};

using Command = std::variant<ListCommand, RunCommand, RerunCommand, ReportCommand, AuditCommand,
                             ShrinkCommand, WorkerCommand, ExplainCommand, ProbeCommand,
                             IntakeCommand, PairCommand, VoteCommand, DiffCommand, GateCommand,
                             ZooCommand, RecipeCommand, ScoreCommand, MigrateCommand, MergeCommand,
                             ExportCommand, CampaignCommand, BenchCommand, CaptureCommand>;

int list_command(const ListCommand& c);
int list_coverage(const ListCommand& c);
int run_command(const RunCommand& c);
int rerun_command(const RerunCommand& c);
int worker_command(const WorkerCommand& c);

// Threads that a large launch of one case may use: --threads, or else what the machine has where no
// other job wants it.
uint32_t threads_of_a_case(std::optional<int> threads, int jobs);

// "w4check: …" on stderr; returns kUsage, so that a command can end with it.
int usage_error(const std::string& text);

}  // namespace w4
