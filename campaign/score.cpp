#include "campaign/score.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/open_tried.h"
#include "campaign/own_process.h"
#include "campaign/progress.h"
#include "campaign/score/report.h"
#include "intake/open_module.h"
#include "results/text.h"

namespace w4 {
namespace {

using Clock = std::chrono::steady_clock;
using score::KernelScore;

std::string wrong_value(const ScoreCommand& c) {
  if (c.mutants < 1 || c.mutants > 1'000'000)
    return fmt::format("--mutants: {}; legal: 1 to 1000000", c.mutants);
  if (c.cases < 1 || c.cases > 100'000)
    return fmt::format("--cases: {}; legal: 1 to 100000", c.cases);
  if (!(c.budget > 0) || c.budget > 3600)
    return fmt::format("--budget: {}; legal: above 0, to 3600 seconds", c.budget);
  if (c.jobs < 1 || c.jobs > 256) return fmt::format("--jobs: {}; legal: 1 to 256", c.jobs);
  for (const std::string& device : c.devices) {
    if (find_gpu(device) == nullptr)
      return fmt::format("--device: '{}'; legal: an emulated arch", printable_utf8(device));
  }
  return {};
}

std::vector<std::string> kernels_of(const w4_module& table) {
  std::vector<std::string> out;
  for (int32_t i = 0; i < table.kernel_count; ++i) out.emplace_back(table.kernels[i].name);
  return out;
}

// One kernel of the module, in every step. `code`: what the command returns so far.
class Scoring {
 public:
  Scoring(const ScoreCommand& c, const w4_module& table, FILE* people)
      : c_(c), table_(table), people_(people) {}

  int one(const std::string& kernel) {
    const auto start = Clock::now();
    score::StreamOptions how;
    how.draw = {c_.module == kBuiltIn ? "" : c_.module, kernel, c_.cases, c_.seed, c_.devices};
    how.stop = [] { return interrupted(); };
    score::Streamer streamer(table_, how);
    if (auto drawn = streamer.draw(); !drawn)
      return usage_error(printable_utf8(drawn.error().text));
    score::Stream* const stream = &streamer.stream();
    score::Sample sample;
    if (stream->red.empty() && !interrupted()) {
      sample = score::make_sample(*stream, c_.mutants, c_.seed);
      std::vector<score::Place> places;
      for (const score::Candidate& m : sample.chosen) places.push_back(m.place());
      streamer.grow(places);
    }
    if (interrupted()) return kInterrupted;
    if (!stream->red.empty()) {
      fmt::print(people_, "{}: not scored, a case is red without any mutation\n{}\n", kernel,
                 to_string(stream->red.front()));
      const bool harness = stream->red.front().kind() == VerdictKind::harness_error;
      return harness ? kHarnessError : kRed;
    }
    if (stream->cases.empty()) {
      fmt::print(people_, "{}: not scored, no case launches it\n", kernel);
      return kRed;
    }
    Progress progress(stderr, static_cast<int64_t>(sample.chosen.size()),
                      static_cast<double>(sample.chosen.size()), "mutants");
    score::HuntOptions hunting;
    hunting.jobs = c_.jobs;
    hunting.budget = c_.budget;
    hunting.stop = how.stop;
    hunting.done = [&](const score::Mutant&) { progress.advance(1, true); };
    hunting.tick = [&] { progress.show(); };
    auto mutants = score::hunt(sample, *stream, hunting);
    progress.clear();
    if (!mutants) {
      fmt::print(stderr, "w4check: harness error: {}\n", mutants.error().text);
      return kHarnessError;
    }
    KernelScore k{kernel, stream, &sample, std::move(*mutants), 0};
    k.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print(people_, "{}\n", score::text_of(k));
    std::fflush(people_);
    json_.push_back(score::json_of(k));
    rows_ += score::table_row(k);
    return interrupted() ? kInterrupted : kGreen;
  }

  std::string table() const { return rows_.empty() ? "" : score::table_head() + rows_; }
  std::string json() const { return json_.dump(); }

 private:
  const ScoreCommand& c_;
  const w4_module& table_;
  FILE* people_;
  nlohmann::json json_ = nlohmann::json::array();
  std::string rows_;
};

int score_here(const ScoreCommand& c) {
  const auto opened = open_tried(c.module);
  if (!opened) return usage_error(printable_utf8("--module: " + opened.error().text));
  const std::vector<std::string> all = kernels_of(*opened->table);
  if (!c.kernel.empty() && std::ranges::find(all, c.kernel) == all.end()) {
    return usage_error(
        printable_utf8(fmt::format("--kernel: '{}'; legal: {}", c.kernel, fmt::join(all, ", "))));
  }
  JsonAside out(c.json, c.in_process);
  if (!out.error().empty()) return usage_error(out.error());
  Scoring scoring(c, *opened->table, out.people());
  int worst = kGreen;
  for (const std::string& kernel : all) {
    if (!c.kernel.empty() && kernel != c.kernel) continue;
    const int code = scoring.one(kernel);
    if (code == kUsage || code == kInterrupted) {
      worst = code;
      break;
    }
    worst = std::max(worst, code);
  }
  fmt::print(out.people(), "{}", scoring.table());
  if (!out.write(scoring.json())) return kHarnessError;
  return worst;
}

}  // namespace

void add_score(CLI::App& app, ScoreCommand& c) {
  CLI::App* score = app.add_subcommand(
      "score",
      "Change single instructions of a kernel's machine code, one mutant at a time, and count how "
      "many of them its random cases notice");
  score->add_option("--module", c.module, "Module, any form of docs/modules.md (default: builtin)")
      ->option_text("PATH");
  score->add_option("--kernel", c.kernel, "Kernel of the module (default: all of them)")
      ->option_text("NAME");
  score
      ->add_option("--device", c.devices,
                   "Draw cases on this emulated arch; repeatable (default: gfx1151, or the first "
                   "that the kernel has)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  score->add_option("--mutants", c.mutants, "Mutants of each kernel to run (default 100)")
      ->option_text("N");
  score
      ->add_option("--cases", c.cases,
                   "Random legal cases to draw for each kernel, besides one of each law (default "
                   "200)")
      ->option_text("N");
  score->add_option("--budget", c.budget, "Seconds for each mutant (default 5)")
      ->option_text("SECONDS");
  score->add_option("--seed", c.seed, "Of the cases and of the sample (default 1)")
      ->option_text("N");
  score->add_option("--jobs,-j", c.jobs, "Worker processes, 1 to 256 (default 1)")
      ->option_text("N");
  score
      ->add_option("--json", c.json,
                   "Write the numbers and every mutant as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  score->add_flag("--in-process", c.in_process)->group("");
  score->footer(
      "docs/score.md says what the operators are and how to read the numbers.\n"
      "Exit codes: 0 measured, whatever the score, 1 a case is red without any mutation, 2 usage, "
      "3 harness error, 130 interrupted.");
}

int score_command(const ScoreCommand& c) {
  catch_interrupts();
  if (const std::string wrong = wrong_value(c); !wrong.empty()) return usage_error(wrong);
  if (c.in_process) return as_own_process([&] { return score_here(c); });
  const ModuleForm form = form_of(c.module);
  if (form == ModuleForm::built_in || form == ModuleForm::manifest) return score_here(c);
  std::vector<std::string> words{"score",
                                 "--in-process",
                                 "--module=" + c.module,
                                 fmt::format("--mutants={}", c.mutants),
                                 fmt::format("--cases={}", c.cases),
                                 fmt::format("--budget={}", c.budget),
                                 fmt::format("--seed={}", c.seed),
                                 fmt::format("--jobs={}", c.jobs)};
  if (!c.kernel.empty()) words.push_back("--kernel=" + c.kernel);
  for (const std::string& device : c.devices) words.push_back("--device=" + device);
  if (!c.json.empty()) words.push_back("--json=" + c.json);
  // Of one kernel; a module has few of them. What it may take at most is no prediction.
  constexpr double kKernels = 100, kStream = 3600;
  return in_own_process("score", std::move(words),
                        kKernels * (kStream + c.budget * static_cast<double>(c.mutants)));
}

}  // namespace w4
