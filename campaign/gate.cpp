#include "campaign/gate.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "campaign/commands.h"
#include "campaign/duration.h"
#include "campaign/gate/summary.h"
#include "campaign/interrupt.h"
#include "core/gpu.h"
#include "results/text.h"

namespace w4 {
namespace {

using gate::Clock;
using gate::kBase;
using gate::kHead;

constexpr const char* kKnown = "ci/known.cases";
constexpr const char* kRegressions = "ci/regressions.cases";
// Shares of the budget. Known lines: so much at most. Then what changed is looked at. Once there is
// a new failure, the last part is for making it smaller and explaining it.
constexpr double kKnownShare = 0.4, kSurveyShare = 0.2, kCloserShare = 0.25, kLastShare = 0.05;
constexpr double kLeastCase = 2, kMostCase = 60;  // seconds
// Drawn cases that run where nothing changed: where both are the same bytes, and otherwise.
constexpr int64_t kFloorOfSame = 300, kFloor = 3000;
constexpr int kMostJobs = 256, kUsualJobs = 16;

struct Wanted {
  std::array<gate::Side, 2> sides;
  double budget = 0;
  gate::SurveyOptions survey;
  std::vector<gate::Entry> ledger;
  std::string ledger_path;
  std::vector<Case> known;
  gate::Day day;
  int jobs = 1;
};

Result<void> read_ledger(const GateCommand& c, Wanted& w) {
  std::error_code ec;
  if (!c.known && !std::filesystem::exists(kKnown, ec)) return {};
  w.ledger_path = c.known.value_or(kKnown);
  const auto text = read_text(w.ledger_path);
  if (!text) return fail("--known: {}", text.error().text);
  auto entries = gate::parse_ledger(*text, w.ledger_path);
  if (!entries) return fail("--known: {}", entries.error().text);
  w.ledger = std::move(*entries);
  return {};
}

Result<void> read_known(const GateCommand& c, Wanted& w) {
  std::vector<std::string> files = c.cases;
  std::error_code ec;
  if (files.empty() && std::filesystem::exists(kRegressions, ec)) files.emplace_back(kRegressions);
  for (const std::string& file : files) {
    const auto text = read_text(file);
    if (!text) return fail("--cases: {}", text.error().text);
    auto cases = parse_cases(*text, file);
    if (!cases) return fail("--cases: {}", cases.error().text);
    for (Case& one : *cases) {
      if (!one.module.empty() || !one.prep.empty()) {
        return fail(
            "--cases: {}: '{}': module= and prep= are what the gate sets; legal: lines "
            "without them",
            file, to_string(one));
      }
      if (std::ranges::find(w.known, one) == w.known.end()) w.known.push_back(std::move(one));
    }
  }
  return {};
}

Result<void> read_numbers(const GateCommand& c, Wanted& w) {
  const auto seconds = seconds_of("--budget", c.budget);
  if (!seconds) return std::unexpected(seconds.error());
  w.budget = *seconds;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  w.jobs = c.jobs.value_or(std::clamp(cores, 1, kUsualJobs));
  if (w.jobs < 1 || w.jobs > kMostJobs)
    return fail("--jobs: {}; legal: 1 to {}", w.jobs, kMostJobs);
  if (const auto ok = check_key_value("--seed", "seed", c.seed); !ok)
    return std::unexpected(ok.error());
  w.survey.seed = parse_case("decode seed=" + c.seed)->seed;
  const auto day = c.today.empty() ? gate::today() : gate::day_from(c.today);
  if (!day) return fail("--today: '{}'; legal: YYYY-MM-DD, a day that there is", c.today);
  w.day = *day;
  return {};
}

Result<void> read_names(const GateCommand& c, Wanted& w) {
  for (const std::string& device : c.devices) {
    if (find_gpu(device) != nullptr) continue;
    std::vector<std::string_view> legal;
    for (const GpuModel& gpu : gpu_models()) legal.push_back(gpu.arch);
    return fail("--device: '{}' is not an emulated device; legal: {}", device,
                fmt::join(legal, ", "));
  }
  w.survey.devices = c.devices.empty() ? std::vector<std::string>{"gfx1151"} : c.devices;
  try {
    const std::regex wanted(c.kernel);
  } catch (const std::regex_error& e) {
    return fail("--kernel: '{}' is no regular expression: {}", c.kernel, e.what());
  }
  w.survey.kernel = c.kernel;
  return {};
}

Result<Wanted> read_options(const GateCommand& c) {
  Wanted w;
  for (const auto read : {read_numbers, read_names, read_ledger, read_known}) {
    if (auto done = read(c, w); !done) return std::unexpected(done.error());
  }
  for (const auto side : {kBase, kHead}) {
    auto opened = gate::open_side(gate::kOption.at(side), side == kBase ? c.base : c.head);
    if (!opened) return std::unexpected(opened.error());
    w.sides.at(side) = std::move(*opened);
  }
  return w;
}

class GateRun {
 public:
  GateRun(const Wanted& w, Clock::time_point start)
      : w_(w),
        start_(start),
        crew_(w.sides, w.jobs, std::clamp(w.budget / 4, kLeastCase, kMostCase), at(1), interrupted),
        judge_(crew_, w.ledger, w.day, start) {}

  // The errors: true, a user's; false, the harness's.
  std::optional<std::pair<bool, std::string>> run() {
    diff::Pair opened(w_.sides[kBase].home, w_.sides[kHead].home, left(1));
    auto survey = gate::declare(opened, w_.survey);
    if (!survey) return std::pair{opened.trouble().empty(), survey.error().text};
    survey_ = std::move(*survey);
    if (auto ran = known(); !ran) return std::pair{false, ran.error().text};
    gate::SurveyOptions how = w_.survey;
    how.seconds = std::min(w_.budget * kSurveyShare, left(1) / 2);
    if (same_) how.most = kFloorOfSame;
    diff::Pair pair(w_.sides[kBase].home, w_.sides[kHead].home, how.seconds);
    gate::look(pair, how, survey_);
    if (!pair.trouble().empty()) return std::pair{false, pair.trouble()};
    if (auto ran = drawn(); !ran) return std::pair{false, ran.error().text};
    groups_ = gate::fold(judge_.reds());
    if (auto done = gate::look_closer(groups_, crew_, w_.sides[kHead], at(1)); !done)
      return std::pair{false, done.error().text};
    return std::nullopt;
  }

  gate::Report report() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return {.sides = w_.sides,
            .survey = survey_,
            .judge = judge_,
            .groups = groups_,
            .ledger = w_.ledger,
            .ledger_path = w_.ledger_path,
            .devices = w_.survey.devices,
            .seed = w_.survey.seed,
            .budget = w_.budget,
            .seconds = seconds,
            .interrupted = interrupted(),
            .same = same_,
            .not_covered = not_covered()};
  }

 private:
  Clock::time_point at(double share) const {
    return start_ + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(share * w_.budget));
  }
  double left(double share) const {
    return std::chrono::duration<double>(at(share) - Clock::now()).count();
  }
  bool asked(const Case& c) const {
    return std::ranges::find(survey_.kernels, c.kernel) != survey_.kernels.end();
  }

  // Lines of the ledger and of files.
  Result<void> known() {
    size_t entry = 0, line = 0;
    return crew_.run([&]() -> std::optional<gate::Task> {
      for (; entry < w_.ledger.size(); ++entry) {
        if (asked(w_.ledger[entry].value)) return judge_.entry(w_.ledger[entry++]);
      }
      for (; line < w_.known.size(); ++line) {
        const Case& c = w_.known[line];
        if (judge_.listed(c)) continue;
        if (!asked(c)) {
          ++known_of_others_;
        } else if (left(kKnownShare) < 0) {
          ++known_left_;
        } else {
          return judge_.known(w_.known[line++]);
        }
      }
      return std::nullopt;
    });
  }

  // What changes touch first, then others, then what the generators go on to draw.
  Result<void> drawn() {
    calls_ = gate::in_order(std::move(survey_.calls));
    size_t next = 0;
    int64_t n = 0;
    const bool unchanged = same_ || (!survey_.changed() && survey_.complete);
    const int64_t floor = same_ ? kFloorOfSame : kFloor;
    const auto more = [&]() -> std::optional<gate::Task> {
      if (unchanged && n >= floor) return std::nullopt;
      for (;;) {
        if (left(1 - (judge_.found_any() ? kCloserShare : kLastShare)) < 0) break;
        std::optional<gate::Call> call;
        if (next < calls_.size()) {
          call = calls_[next++];
        } else if (auto c = survey_.more()) {
          call = gate::Call{std::move(*c)};
        }
        if (!call) break;
        if (judge_.listed(call->value)) continue;
        ++n;
        return judge_.drawn(std::move(*call));
      }
      not_run_ = std::count_if(calls_.begin() + static_cast<std::ptrdiff_t>(next), calls_.end(),
                               [](const gate::Call& c) { return c.why != gate::Why::other; });
      return std::nullopt;
    };
    // Slow cases shall not take the time that is left for a closer look.
    const auto enough = [&] { return left(1 - kCloserShare / 2) < 0 && judge_.found_any(); };
    return crew_.run(more, enough);
  }

  std::vector<std::string> not_covered() const {
    std::vector<std::string> out;
    const auto say = [&out](int64_t n, const char* text) {
      if (n > 0) out.push_back(fmt::format("{} {}", n, text));
    };
    say(known_of_others_, "known lines of kernels that are not asked");
    say(known_left_, "known lines: they had their share of the budget");
    say(not_run_, "drawn calls that changes touch: the budget was over");
    say(crew_.forgotten(), "cases were under way when the time was over");
    const auto slow = std::ranges::count_if(
        judge_.reds(), [](const gate::Red& r) { return r.against == gate::Against::slow; });
    say(slow, "cases took longer than a case may, on base too or not every time");
    const auto unlooked =
        std::ranges::count_if(survey_.code, [](const gate::ChangedCode& c) { return !c.looked; });
    say(unlooked, "changed instantiations whose branches were not counted");
    if (!survey_.complete && !same_)
      out.emplace_back("what changed was not looked at in full: its share of the budget was over");
    return out;
  }

  const Wanted& w_;
  const bool same_ = gate::same_bytes(w_.sides[kBase], w_.sides[kHead]);
  Clock::time_point start_;
  gate::Crew crew_;
  gate::Judge judge_;
  gate::Survey survey_;
  std::vector<gate::Call> calls_;
  std::vector<gate::Group> groups_;
  int64_t known_of_others_ = 0, known_left_ = 0, not_run_ = 0;
};

int harness_error(const std::string& text) {
  fmt::print(stderr, "w4check: harness error: {}\n", printable_utf8(text));
  return kHarnessError;
}

struct File {
  const char* option;
  const std::string& path;
  FILE* f = nullptr;

  // Opened before anything runs, so that a wrong path costs nothing.
  Result<void> open() {
    if (path.empty()) return {};
    f = path == "-" ? stdout : std::fopen(path.c_str(), "we");
    if (f == nullptr) return fail("{}: cannot write '{}': {}", option, path, std::strerror(errno));
    return {};
  }
  Result<void> write(const std::string& text) {
    if (f == nullptr) return {};
    errno = 0;
    bool written = std::fputs(text.c_str(), f) >= 0 && std::fflush(f) == 0;
    if (f != stdout) written = std::fclose(f) == 0 && written;
    f = nullptr;
    if (written) return {};
    return fail("{}: cannot write '{}': {}", option, path, std::strerror(errno));
  }
};

}  // namespace

void add_gate(CLI::App& app, GateCommand& c) {
  CLI::App* g = app.add_subcommand(
      "gate",
      "Hold a change against what it is based on, within a budget of time: known regressions, then "
      "cases by what changed, then others; red where something is new");
  const char* sides =
      "builtin, a module (docs/modules.md), a w4check, or a folder with bin/w4check";
  g->add_option("--base", c.base, std::string("What the change is based on: ") + sides)
      ->option_text("A")
      ->required();
  g->add_option("--head", c.head, "The change, alike")->option_text("B")->required();
  g->add_option("--budget", c.budget,
                "Time for everything: a number with s, m, h or d, 1s to 100d (default 10m)")
      ->option_text("TIME");
  g->add_option("--known", c.known,
                "Ledger of known reds, a line each: CASE LINE | KIND | REASON | expires=YYYY-MM-DD "
                "(default: ci/known.cases where it is there)")
      ->option_text("FILE");
  g->add_option("--cases", c.cases,
                "File of case lines to run first; repeatable (default: ci/regressions.cases where "
                "it is there)")
      ->option_text("FILE")
      ->allow_extra_args(false);
  g->add_option("--kernel", c.kernel,
                "Only kernels whose name has a match of this regular expression")
      ->option_text("REGEX");
  g->add_option("--device", c.devices,
                "Emulated device of the drawn cases; repeatable (default gfx1151)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  g->add_option("--seed", c.seed, "Seed of the drawn cases (default 1)")->option_text("N");
  g->add_option("--jobs,-j", c.jobs,
                "Worker processes of each side, 1 to 256 (default: the machine's, 16 at most)")
      ->option_text("N");
  g->add_option("--out", c.out, "Write the summary, one comment of markdown, to FILE as well")
      ->option_text("FILE");
  g->add_option("--json", c.json,
                "Write the result as JSON to FILE, or - for standard output (the summary then goes "
                "to stderr)")
      ->option_text("FILE");
  g->add_option("--today", c.today,
                "The day that expiry dates are held against, YYYY-MM-DD (default: the day it is, "
                "UTC)")
      ->option_text("DAY");
  g->footer(
      "docs/gate.md says what is new, in which order cases run, and how to keep the ledger.\n"
      "Exit codes: 0 nothing new, 1 a new failure, a wrong entry of the ledger or nothing judged, "
      "2 "
      "usage, 3 harness error, 130 interrupted with nothing new so far.");
}

int gate_command(const GateCommand& c) {
  const auto start = Clock::now();
  const auto wanted = read_options(c);
  if (!wanted) return usage_error("gate: " + printable_utf8(wanted.error().text));
  if (!c.json.empty() && c.json == c.out) {
    return usage_error(fmt::format("gate: --json and --out: both are '{}'; legal: two files",
                                   printable_utf8(c.json)));
  }
  File json{"--json", c.json}, out{"--out", c.out};
  for (File* f : {&json, &out}) {
    if (const auto opened = f->open(); !opened)
      return usage_error("gate: " + printable_utf8(opened.error().text));
  }
  FILE* people = json.f == stdout ? stderr : stdout;
  catch_interrupts();
  GateRun run(*wanted, start);
  if (const auto trouble = run.run()) {
    return trouble->first && !interrupted()
               ? usage_error("gate: " + printable_utf8(trouble->second))
               : harness_error(trouble->second);
  }
  const gate::Report report = run.report();
  const std::string text = gate::markdown(report);
  fmt::print(people, "{}", text);
  for (const auto& [file, content] :
       {std::pair{&out, text}, {&json, json_of(report).dump() + "\n"}}) {
    if (const auto written = file->write(content); !written)
      return harness_error(written.error().text);
  }
  if (report.red()) return kRed;
  if (report.interrupted) return kInterrupted;
  return report.judge.counted().cases > 0 ? kGreen : kRed;
}

}  // namespace w4
