#include "campaign/campaign.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "campaign/commands.h"
#include "campaign/duration.h"
#include "campaign/interrupt.h"
#include "campaign/long_run/lock.h"
#include "campaign/long_run/long_run.h"
#include "campaign/long_run/slices.h"
#include "campaign/long_run/space.h"
#include "campaign/long_run/status.h"
#include "campaign/machine.h"
#include "campaign/own_process.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

constexpr const char* kFooter =
    "\nThe same command on the same store goes on with a campaign that was stopped, as --resume\n"
    "does without any of its options. docs/campaigns.md says what is kept and what it costs.\n\n"
    "Exit codes: 0 all green, 1 something red so far, 2 usage, 3 harness error (also where store "
    "or\n"
    "log cannot be written; what is stored stays valid), 130 interrupted with nothing red so far.";

std::string source_help() {
  std::string out = "\nSources (--suite):\n";
  for (const SourceInfo& s : kSources) out += fmt::format("  {:<8} {}\n", s.name, s.says);
  return out;
}

template <class T>
Result<void> each_once(std::string_view option, const std::vector<T>& values) {
  std::unordered_set<std::string> seen;
  for (const std::string& v : values) {
    if (!seen.insert(v).second) return fail("{}: '{}' is given twice", option, v);
  }
  return {};
}

Result<void> read_shard(const std::string& text, CampaignPlan& plan) {
  if (text.empty()) return {};
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, plan.shard);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, plan.shards);
    constexpr int64_t kMost = 100'000;
    if (second.ec == std::errc{} && second.ptr == end && plan.shards >= 1 && plan.shard >= 1 &&
        plan.shard <= plan.shards && plan.shards <= kMost) {
      return {};
    }
  }
  return fail("--shard: '{}'; legal: I/N with 1 <= I <= N <= 100000", text);
}

Result<void> read_devices(const CampaignCommand& c, CampaignPlan& plan) {
  if (!c.devices.empty()) plan.devices = c.devices;
  std::vector<std::string_view> legal;
  const w4_kernel& any = builtin_module().kernels[0];
  for (const GpuModel& gpu : gpu_models()) {
    if (!c.module.empty() || has_code(any, gpu.arch)) legal.push_back(gpu.arch);
  }
  for (const std::string& d : plan.devices) {
    if (std::ranges::find(legal, d) == legal.end())
      return fail("--device: '{}'; legal: {}", d, fmt::join(legal, ", "));
  }
  return each_once("--device", plan.devices);
}

Result<void> read_sources(const CampaignCommand& c, CampaignPlan& plan) {
  if (!c.sources.empty()) plan.sources = c.sources;
  for (const std::string& s : plan.sources) {
    if (std::ranges::find(kSources, s, &SourceInfo::name) != kSources.end()) continue;
    std::vector<std::string_view> legal;
    legal.reserve(kSources.size());
    for (const SourceInfo& info : kSources) legal.push_back(info.name);
    return fail("--suite: there is no source '{}'; legal: {}", s, fmt::join(legal, ", "));
  }
  return each_once("--suite", plan.sources);
}

Result<void> read_ends(const CampaignCommand& c, CampaignPlan& plan) {
  constexpr int64_t kMost = int64_t{1} << 53;
  if (c.cases && (*c.cases < 1 || *c.cases > kMost))
    return fail("--cases: {}; legal: 1 to {}", *c.cases, kMost);
  plan.cases = c.cases.value_or(0);
  if (!c.time.empty()) {
    const auto seconds = seconds_of("--for", c.time);
    if (!seconds) return std::unexpected(seconds.error());
    plan.seconds = *seconds;
  }
  if (plan.cases > 0 || plan.seconds > 0) return {};
  return fail("campaign: when shall it end? give --for TIME or --cases N, or --resume");
}

bool names_a_plan(const CampaignCommand& c) {
  return !c.time.empty() || c.cases || !c.sources.empty() || !c.kernels.empty() ||
         !c.devices.empty() || !c.module.empty() || !c.shard.empty() || c.seed;
}

Result<CampaignPlan> read_plan(const CampaignCommand& c) {
  CampaignPlan plan;
  plan.kernels = c.kernels, plan.module = c.module, plan.seed = c.seed.value_or(1);
  for (const auto& done : {read_sources(c, plan), read_devices(c, plan), read_shard(c.shard, plan),
                           read_ends(c, plan), each_once("--kernel", plan.kernels)}) {
    if (!done) return std::unexpected(done.error());
  }
  return plan;
}

Result<void> check_values(const CampaignCommand& c) {
  if (c.jobs < 1 || c.jobs > 256) return fail("--jobs: {}; legal: 1 to 256", c.jobs);
  if (!(c.timeout >= 0) || c.timeout > 1e6)
    return fail("--timeout: {}; legal: 0 (none) to 1000000 seconds", c.timeout);
  if (c.settle && (!(*c.settle >= 0) || *c.settle > 1e6))
    return fail("--settle: {}; legal: 0 to 1000000 seconds", *c.settle);
  return {};
}

// A campaign that was not finished, and what is wanted: which plan to go on with.
Result<CampaignPlan> agree(const CampaignCommand& c, const StoredRun& stored) {
  auto plan = plan_from_text(stored.plan);
  if (!plan) return fail("--db '{}': {}", c.db, plan.error().text);
  if (!names_a_plan(c)) return plan;
  const auto wanted = read_plan(c);
  if (!wanted) return std::unexpected(wanted.error());
  const std::string other = difference(*plan, *wanted);
  if (other.empty()) return plan;
  return fail(
      "--db '{}' holds a campaign that is not finished, of another plan: {}; go on with it "
      "(w4check "
      "campaign --db {} --resume), or give another --db",
      c.db, other, c.db);
}

struct Begun {
  CampaignPlan plan;
  std::optional<StoredRun> unfinished;
};

Result<Begun> decide(const CampaignCommand& c, Store& store) {
  const auto found = store.find_campaign();
  if (!found) return std::unexpected(found.error());
  if (*found && (*found)->state != RunState::complete) {
    auto plan = agree(c, **found);
    if (!plan) return std::unexpected(plan.error());
    return Begun{std::move(*plan), *found};
  }
  if (c.resume && !names_a_plan(c))
    return fail("--resume: '{}' holds no campaign that is not finished", c.db);
  auto plan = read_plan(c);
  if (!plan) return std::unexpected(plan.error());
  return Begun{std::move(*plan), std::nullopt};
}

// Goes on after whatever ended it: what was announced and has no verdict is lost, and comes first.
Result<int64_t> take_up(const Begun& b, LongRunStart& s, const AnnouncedLog& log) {
  const auto positions = s.store.positions(s.run);
  if (!positions) return std::unexpected(positions.error());
  for (const Position& p : *positions) {
    const auto done = s.store.done_numbers(s.run, p.source, p.next);
    if (!done) return std::unexpected(done.error());
    s.sources.go_on(p.source, p.next, *done);
  }
  int64_t lost = 0;
  for (const AnnouncedCase& c : log.open) {
    const auto at = std::ranges::find(*positions, c.source, &Position::source);
    const auto done = s.store.done_numbers(s.run, c.source, c.number);
    if (!done) return std::unexpected(done.error());
    const bool judged = (at != positions->end() && c.number < at->next) ||
                        (!done->empty() && done->front() == c.number);
    if (judged) {
      // Killed between the two.
      if (auto told = s.log.finish(c.source, c.number, "stored"); !told)
        return std::unexpected(told.error());
      continue;
    }
    ++lost;
    const char* why = b.unfinished->state == RunState::interrupted
                          ? "it ran when the campaign was interrupted"
                          : "it ran when the campaign was killed";
    if (auto marked = s.store.mark_lost(s.run, c.source, c.number, c.line, why); !marked)
      return std::unexpected(marked.error());
    if (auto value = parse_case(c.line)) s.sources.again({c.source, c.number, *value, {}});
  }
  return lost;
}

int harness_error(const std::string& text) {
  fmt::print(stderr, "w4check: harness error: {}\n", printable_utf8(text));
  return kHarnessError;
}

int cannot_go_on(const std::string& text) {
  return harness_error(text +
                       "\nwhat is stored stays valid; once the cause is gone (a full disk: once "
                       "there is space), the same command goes on from there");
}

int exit_code(const CampaignStatus& s, RunState state) {
  if (s.tally.of(VerdictKind::harness_error) > 0) return kHarnessError;
  if (s.tally.red > 0) return kRed;
  if (state == RunState::interrupted) return kInterrupted;
  return s.tally.green > 0 ? kGreen : kRed;
}

// What has to be there before a campaign begins, and is not: for want of space, or a wrong option.
int cannot_begin(const CampaignCommand& c, const std::string& text) {
  return lacks_space(c.db) ? cannot_go_on(text) : usage_error(text);
}

int run_it(const CampaignCommand& c, const Begun& b, LongRunStart& s, const JsonAside& to) {
  catch_interrupts();
  const LongRunOptions options{c.db, c.jobs, c.timeout, !c.no_shrink, c.settle, to.people()};
  const auto state = long_run(b.plan, options, s);
  const auto ended = s.store.end_run(s.run, state.value_or(RunState::stopped));
  if (!state) return cannot_go_on(state.error().text);
  if (!ended) return cannot_go_on(ended.error().text);
  const auto status = campaign_status(s.store, c.db);
  if (!status) return cannot_go_on(status.error().text);
  fmt::print(to.people(), "{}", printable_utf8(to_string(*status)));
  if (*state == RunState::interrupted)
    fmt::print(to.people(), "the same command again goes on from here\n");
  if (!to.write(to_json(*status).dump())) return kHarnessError;
  return exit_code(*status, *state);
}

int start_or_resume(const CampaignCommand& c, const JsonAside& to) {
  // A file that may not grow becomes a failed write.
  std::signal(SIGXFSZ, SIG_IGN);
  auto lock = CampaignLock::take(lock_of(c.db));
  if (!lock) return cannot_begin(c, fmt::format("--db '{}': {}", c.db, lock.error().text));
  auto store = Store::open(c.db, Store::Mode::write);
  if (!store) return cannot_begin(c, fmt::format("--db: {}", store.error().text));
  auto begun = decide(c, *store);
  if (!begun) return cannot_begin(c, begun.error().text);
  auto sources = Sources::open(begun->plan, corpus_of(c.db));
  if (!sources) return cannot_begin(c, sources.error().text);
  if (std::ranges::find(begun->plan.sources, "targets") != begun->plan.sources.end()) {
    if (const auto there = find_w4fuzz(); !there) return usage_error(there.error().text);
  }
  AnnouncedLog known;
  if (begun->unfinished) {
    auto read = read_announced(log_of(c.db));
    if (!read) return harness_error(read.error().text);
    known = std::move(*read);
  } else if (std::remove(log_of(c.db).c_str()) != 0 && errno != ENOENT) {
    return harness_error(
        fmt::format("cannot remove '{}', the log of an earlier campaign", log_of(c.db)));
  }
  auto log = Announced::open(log_of(c.db));
  if (!log) return cannot_go_on(log.error().text);
  LongRunStart s{std::move(*store), 0, std::move(*log), std::move(*sources), known.seconds};
  if (begun->unfinished) {
    s.run = begun->unfinished->id;
    if (auto again = s.store.reopen_run(s.run, this_machine()); !again)
      return cannot_go_on(again.error().text);
    const auto lost = take_up(*begun, s, known);
    if (!lost) return cannot_go_on(lost.error().text);
    fmt::print(stderr, "w4check: going on with the campaign in {}: {}; {} lost, run first\n", c.db,
               arguments_of(begun->plan), *lost);
  } else {
    const auto run = s.store.begin_run({c.typed, build_id(), begun->plan.cases, RunKind::campaign,
                                        plan_to_text(begun->plan), this_machine()});
    if (!run) return cannot_go_on(run.error().text);
    s.run = *run;
  }
  return run_it(c, *begun, s, to);
}

int print_status(const CampaignCommand& c, const JsonAside& to) {
  auto store = Store::open(c.db, Store::Mode::read);
  if (!store) return usage_error(fmt::format("--db: {}", store.error().text));
  const auto status = campaign_status(*store, c.db);
  if (!status) return usage_error(fmt::format("--db: {}", status.error().text));
  fmt::print(to.people(), "{}", printable_utf8(to_string(*status)));
  return to.write(to_json(*status).dump()) ? kGreen : kHarnessError;
}

void add_plan_options(CLI::App& to, CampaignCommand& c) {
  const auto repeated = [&](const char* name, std::vector<std::string>& into, const char* text) {
    to.add_option(name, into, text)->option_text("NAME")->allow_extra_args(false);
  };
  to.add_option("--for", c.time, "How long, all parts together: 90s, 10m, 8h, 3d")
      ->option_text("TIME");
  to.add_option("--cases", c.cases, "How many cases, all sources and shards together")
      ->option_text("N");
  repeated("--suite", c.sources, "Source of cases; repeatable, they take turns (default: random)");
  repeated("--kernel", c.kernels, "Only this kernel; repeatable (default: all of the module)");
  repeated("--device", c.devices,
           "Emulated arch; repeatable (default: gfx1151). Each takes memory in every worker");
  to.add_option("--module", c.module, "Module to test (docs/modules.md; default: built in)")
      ->option_text("FILE");
  to.add_option("--seed", c.seed, "Seed of the cases, 0 to 2^64-1 (default 1)")->option_text("S");
  to.add_option("--shard", c.shard, "Only part I of N of the same campaign (default 1/1)")
      ->option_text("I/N");
}

}  // namespace

void add_campaign(CLI::App& app, CampaignCommand& c) {
  CLI::App* campaign = app.add_subcommand(
      "campaign", "Run cases for hours or days into a store, resumed after whatever ends it");
  campaign->add_option("--db", c.db, "Store, made where there is none")->option_text("FILE");
  add_plan_options(*campaign, c);
  campaign->add_flag("--resume", c.resume,
                     "Go on with the campaign in the store; the plan's options can be left out");
  campaign->add_option("--jobs,-j", c.jobs, "Worker processes, 1 to 256 (default 1)")
      ->option_text("N");
  campaign
      ->add_option("--timeout", c.timeout,
                   "Seconds of a case before its worker is killed, 0 for none (default 600; native "
                   "code of modules: as run has it)")
      ->option_text("SECONDS");
  campaign->add_flag("--no-shrink", c.no_shrink,
                     "Do not shrink and explain new failures in the background");
  campaign
      ->add_option("--settle", c.settle,
                   "Seconds that shrinking and explaining may take once the cases are over, beside "
                   "what is left of --for (default 60; without --for 600)")
      ->option_text("SECONDS");
  campaign
      ->add_option("--json", c.json,
                   "Write the status at the end as JSON to FILE, - for "
                   "standard output")
      ->option_text("FILE");
  campaign->footer(source_help() + kFooter);
  CLI::App* status =
      campaign->add_subcommand("status", "How the newest campaign of a store stands");
  status->add_option("--db", c.db, "Store of the campaign, which may be running")
      ->option_text("FILE");
  status->add_option("--json", c.json, "Write it as JSON to FILE, - for standard output")
      ->option_text("FILE");
  status->footer("Exit codes: 0 printed, 2 usage, also where there is no such store or campaign.");
  status->callback([&c] { c.status = true; });
}

int campaign_command(const CampaignCommand& c) {
  if (c.db.empty()) return usage_error("campaign: --db FILE is missing");
  if (auto legal = check_values(c); !legal) return usage_error(legal.error().text);
  const JsonAside to(c.json, false);
  if (!to.error().empty()) return usage_error(to.error());
  if (c.status) return print_status(c, to);
  // What is wrong in itself is said before anything is made.
  if (names_a_plan(c) || !c.resume) {
    if (auto plan = read_plan(c); !plan) return usage_error(plan.error().text);
  }
  return start_or_resume(c, to);
}

}  // namespace w4
