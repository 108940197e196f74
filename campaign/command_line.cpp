#include "campaign/command_line.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "campaign/analysis.h"
#include "campaign/execute.h"
#include "campaign/suites/suite.h"
#include "campaign/zoo/explain_kill.h"
#include "campaign/zoo/module_audit.h"
#include "campaign/zoo/try_recipe.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 all green, 1 discrepancies, 2 usage, 3 harness error, 130 interrupted with "
    "nothing red so far.";

std::string suite_help() {
  std::string out = "\nSuites:\n";
  for (const Suite& s : suites()) out += fmt::format("  {:<12} {}\n", s.name, s.says);
  return out;
}

std::string typed_line(int argc, char** argv) {
  std::string out;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t'\"$*?;&|<>()") == std::string::npos;
    out += fmt::format("{}{}", i == 0 ? "" : " ", plain ? word : "'" + word + "'");
  }
  return out;
}

void add_list(CLI::App& app, ListCommand& c) {
  CLI::App* list = app.add_subcommand(
      "list",
      "What there is: kernels, devices, suites, checks, fills, laws, clauses, keys; on request "
      "hypotheses of explain, instructions, and the coverage of the kernels' machine code by "
      "cases");
  list->add_option(
          "what", c.what,
          "kernels | devices | suites | checks | fills | laws | clauses | keys | hypotheses | "
          "instructions | coverage; left out: all but the last three")
      ->option_text("WHAT");
  // Of coverage.
  const std::string of = "coverage: ";
  const auto repeated = [&](const char* name, std::vector<std::string>& to, const char* text,
                            const char* value) {
    list->add_option(name, to, of + text)->option_text(value)->allow_extra_args(false);
  };
  repeated("--suite", c.plan.suites, "suite to run in this process; repeatable", "NAME");
  repeated("--cases", c.plan.files, "file of case lines to run; repeatable", "FILE");
  repeated("--case", c.plan.lines, "case line to run; repeatable", "LINE");
  repeated("--device", c.plan.devices, "run every case on this device; repeatable", "NAME");
  list->add_option("--kernel", c.kernel,
                   of + "only kernels whose name has a match of this regular expression")
      ->option_text("REGEX");
  list->add_option("--out", c.out, of + "file to write (default: standard output)")
      ->option_text("FILE");
  list->add_option("--db", c.db,
                   of + "store to file the counts in, made where missing, for `w4check report`")
      ->option_text("FILE");
}

void add_run(CLI::App& app, RunCommand& c, std::string& seed) {
  CLI::App* run = app.add_subcommand("run", "Run suites or files of case lines and judge them");
  run->add_option("--suite", c.plan.suites, "Suite to run; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
  run->add_option("--cases", c.plan.files,
                  "File of case lines, one a line, # starts a comment, - is standard input; "
                  "repeatable")
      ->option_text("FILE")
      ->allow_extra_args(false);
  run->add_option("--module", c.plan.module,
                  "Draw cases for the kernels of this module, any form of docs/modules.md: of "
                  "each, --count that break none of its clauses and one for each clause")
      ->option_text("FILE");
  run->add_option("--kernel", c.plan.kernel, "With --module: only the kernel of this name")
      ->option_text("NAME");
  run->add_option("--count", c.plan.count,
                  "With --module: legal cases of each kernel, 1 to 1000000 (default 200)")
      ->option_text("N");
  run->add_option("--device", c.plan.devices,
                  "Run every case on this device instead of the one its line names; repeatable: "
                  "on each of them")
      ->option_text("NAME")
      ->allow_extra_args(false);
  run->add_option(
         "--fp", c.plan.fp,
         "Arithmetic model for every case: auto, ieee, gfx1151, gfx1201 (default: what the lines "
         "say, auto in the suites)")
      ->option_text("MODEL");
  run->add_option("--checks", c.plan.checks,
                  "Emulator checks for every case: all, none, or names joined by + (see `w4check "
                  "list checks`)")
      ->option_text("NAMES");
  run->add_option("--seed", seed,
                  "Seed of the input data of every case, and of the cases that smoke draws "
                  "(default: what the lines say, 1 in the suites)")
      ->option_text("N");
  run->add_option(
         "--jobs,-j", c.jobs,
         "Worker processes, 1 to 256 (default 1: in this process, except for modules and the "
         "devices host, hip and cuda)")
      ->option_text("N");
  run->add_option(
         "--threads", c.threads,
         "Threads that a large launch may use, 1 to 64; no verdict depends on it (default: "
         "the machine's, 16 at most, and 1 with several jobs)")
      ->option_text("N");
  run->add_option("--timeout", c.timeout,
                  fmt::format("Seconds a case may take before its worker is killed and the verdict "
                              "is timeout; with it even one job uses a worker (default: {})",
                              kDefaultLimit))
      ->option_text("SECONDS");
  run->add_flag("--fail-fast", c.fail_fast, "Stop at the first case that is not green");
  run->add_option("--db", c.db,
                  "SQLite store to keep every verdict in, made where there is none. Lines that "
                  "this build has judged in it before are taken over instead of run again (not "
                  "those with module= or prep=, whose file may have changed)")
      ->option_text("FILE");
  run->add_flag("--fresh", c.fresh, "With --db: run everything again");
  run->add_option("--json", c.json,
                  "Write one JSON object a verdict and line to FILE, or - for "
                  "standard output (people's text then goes to stderr)")
      ->option_text("FILE");
  run->add_option("--junit", c.junit, "Write JUnit XML to FILE at the end; times in seconds")
      ->option_text("FILE");
  run->footer(suite_help() +
              "\nA complete run is red as well where a suite shows less than it claims, "
              "and any run where outputs lean by more than 6 sigma.\n\n" +
              kExitCodes);
}

void add_rerun(CLI::App& app, RerunCommand& c, std::vector<std::string>& words) {
  CLI::App* rerun = app.add_subcommand(
      "rerun",
      "Run one case line and print its verdict; a refusal that the case asks for is green");
  rerun
      ->add_option("line", words,
                   "The case line, as one argument or as several: decode m=5 n=64 k=256 g=64 "
                   "(see `w4check list keys`)")
      ->option_text("LINE")
      ->required();
  rerun->add_option("--json", c.json, "Write the verdict as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  rerun->add_flag("--trace", c.trace,
                  "With what the emulator reports: the last instructions of the wave and its "
                  "registers (a ? is a digit with undefined bits)");
  rerun
      ->add_option("--interval", c.interval,
                   "Say what the interval of one output element is made of, term by term: M,N for "
                   "out[M,N], or worst for the one nearest to its end or farthest outside")
      ->option_text("ELEMENT");
  rerun
      ->add_option("--timeout", c.timeout,
                   fmt::format("Seconds before the case is killed (default: {})", kDefaultLimit))
      ->option_text("SECONDS");
  rerun
      ->add_option("--threads", c.threads,
                   "Threads that a large launch may use, 1 to 64; no verdict depends on it "
                   "(default: the machine's, 16 at most)")
      ->option_text("N");
  rerun->footer(kExitCodes);
}

// What CLI11 says, and of a value that is no number what the option takes.
std::string explain(const CLI::App& app, const CLI::ParseError& e) {
  const std::string said = e.what();
  if (e.get_exit_code() != static_cast<int>(CLI::ExitCodes::ConversionError)) return said;
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      if (said.find(option->get_name() + " = ") != said.npos)
        return said + "\n" + option->get_name() + ": " + option->get_description();
    }
  }
  return said;
}

// CLI11 prints usage errors with an exit code of its own.
ExitCode print_and_map(const CLI::App& app, const CLI::ParseError& e) {
  if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(e);
    return kGreen;
  }
  std::string typed = "w4check";
  const CLI::App* in = &app;
  while (!in->get_subcommands().empty()) {
    in = in->get_subcommands().front();
    typed += " " + in->get_name();
  }
  usage_error(fmt::format("{}\n{} --help says what is legal", explain(app, e), typed));
  return kUsage;
}

std::optional<std::string> wrong_value(const RunCommand& c) {
  if (c.jobs < 1 || c.jobs > 256) return fmt::format("--jobs: {}; legal: 1 to 256", c.jobs);
  if (c.plan.suites.empty() && c.plan.files.empty() && c.plan.module.empty()) {
    return "run: nothing to run; give --suite NAME, --cases FILE or --module FILE";
  }
  if (c.fresh && c.db.empty()) return "--fresh: has a meaning only with --db";
  return std::nullopt;
}

std::optional<std::string> wrong_value(const ListCommand& c) {
  const PlanOptions& p = c.plan;
  const bool cases = !p.suites.empty() || !p.files.empty() || !p.lines.empty();
  if (c.what == "coverage") {
    if (cases) return std::nullopt;
    return "list coverage: nothing to run; give --suite NAME, --cases FILE or --case LINE";
  }
  if (!cases && p.devices.empty() && c.kernel.empty() && c.out.empty() && c.db.empty())
    return std::nullopt;
  return "list: --suite, --cases, --case, --device, --kernel, --out and --db have a meaning only "
         "with coverage";
}

// Those that help lists.
std::vector<std::string> subcommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* a : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!a->get_group().empty()) names.push_back(a->get_name());
  }
  return names;
}

bool knows_subcommand(const CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::any_of(all, [&](const CLI::App* a) { return a->get_name() == name; });
}

}  // namespace

std::variant<Command, ExitCode> read_command_line(int argc, char** argv) {
  CLI::App app(
      "w4check: verifies W4A16 GEMM kernels for AMD RDNA GPUs by executing their machine code on "
      "the CPU and judging every output element.");
  app.set_version_flag("--version", fmt::format("w4check {}", build_id()),
                       "Print the build id: version, git hash, compiler, flags");
  app.require_subcommand(1);
  app.footer(kExitCodes);
  app.get_formatter()->column_width(26);
  ListCommand list;
  RunCommand run;
  CampaignCommand campaign;
  RerunCommand rerun;
  ReportCommand report;
  AuditCommand audit;
  ShrinkCommand shrink;
  std::vector<std::string> words;
  std::string seed;
  add_list(app, list);
  add_run(app, run, seed);
  add_campaign(app, campaign);
  add_rerun(app, rerun, words);
  ExplainCommand why;
  add_explain(app, why);
  add_shrink(app, shrink);
  ProbeCommand probe;
  add_probe(app, probe);
  DiffCommand versions;
  add_diff(app, versions);
  GateCommand gate;
  add_gate(app, gate);
  RecipeCommand recipe;
  add_recipe(app, recipe);
  ScoreCommand mutants;
  add_score(app, mutants);
  add_audit(app, audit);
  PairCommand pair;
  add_pair(app, pair);
  VoteCommand vote;
  add_vote(app, vote);
  IntakeCommand intake;
  add_intake(app, intake);
  CaptureCommand silicon;
  add_capture(app, silicon);
  ZooCommand hunt;
  add_zoo(app, hunt);
  BenchCommand speed;
  add_bench(app, speed);
  add_report(app, report);
  MigrateCommand older;
  add_migrate(app, older);
  MergeCommand several;
  add_merge(app, several);
  ExportCommand text;
  add_export(app, text);
  CLI::App* worker = app.add_subcommand("worker", "Answers case lines; used by run")->group("");
  WorkerCommand answers;
  worker->add_option("--threads", answers.threads);
  worker->add_flag("--trace", answers.trace);
  worker->add_flag("--protocol", answers.protocol);
  worker->add_flag("--behaviour", answers.behaviour);
  worker->add_flag("--outputs", answers.outputs);
  worker->add_flag("--diff", answers.diff);
  const auto answers_with = [&](const char* option, std::string (*answer)(const std::string&)) {
    worker->add_flag_callback(option, [&answers, answer] { answers.answer = answer; });
  };
  answers_with("--audit", zoo::audit_answer);
  answers_with("--explain", zoo::explain_answer);
  answers_with("--recipe", zoo::recipe_answer);
  answers_with("--analyse", analyse);
  // CLI11 would only say that a subcommand is required.
  if (argc > 1 && argv[1][0] != '-' && !knows_subcommand(app, argv[1])) {
    usage_error(fmt::format("there is no subcommand '{}'; legal: {}", printable_utf8(argv[1]),
                            fmt::join(subcommands(app), ", ")));
    return kUsage;
  }
  if (argc > 2 && std::string_view(argv[1]) == "audit" && argv[2][0] != '-') {
    if (const auto wrong = wrong_audit(argv[2])) {
      usage_error(*wrong);
      return kUsage;
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return print_and_map(app, e);
  }
  for (const std::optional<double>& given : {run.timeout, rerun.timeout}) {
    const double seconds = given.value_or(0);
    if (!(seconds >= 0) || seconds > 1e6) {
      usage_error(fmt::format("--timeout: {}; legal: 0 (none) to 1000000 seconds", seconds));
      return kUsage;
    }
  }
  for (const std::optional<int>& threads : {run.threads, rerun.threads}) {
    if (threads && (*threads < 1 || *threads > 64)) {
      usage_error(fmt::format("--threads: {}; legal: 1 to 64", *threads));
      return kUsage;
    }
  }
  if (worker->parsed()) return Command(answers);
  if (app.got_subcommand("list")) {
    if (const auto wrong = wrong_value(list)) {
      usage_error(*wrong);
      return kUsage;
    }
    return Command(list);
  }
  if (app.got_subcommand("campaign")) {
    campaign.typed = typed_line(argc, argv);
    return Command(campaign);
  }
  if (app.got_subcommand("report")) return Command(report);
  if (app.got_subcommand("bench")) return Command(speed);
  if (app.got_subcommand("migrate")) return Command(older);
  if (app.got_subcommand("merge")) return Command(several);
  if (app.got_subcommand("export")) return Command(text);
  if (app.got_subcommand("audit")) return Command(audit);
  if (app.got_subcommand("pair")) return Command(pair);
  if (app.got_subcommand("vote")) return Command(vote);
  if (app.got_subcommand("explain")) return Command(why);
  if (app.got_subcommand("intake")) return Command(intake);
  if (app.got_subcommand("capture")) return Command(silicon);
  if (app.got_subcommand("probe")) return Command(probe);
  if (app.got_subcommand("diff")) return Command(versions);
  if (app.got_subcommand("gate")) return Command(gate);
  if (app.got_subcommand("zoo")) return Command(hunt);
  if (app.got_subcommand("recipe")) return Command(recipe);
  if (app.got_subcommand("score")) return Command(mutants);
  if (app.got_subcommand("shrink")) return Command(shrink);
  if (app.got_subcommand("rerun")) {
    rerun.line = fmt::format("{}", fmt::join(words, " "));
    return Command(rerun);
  }
  if (app.get_subcommand("run")->count("--seed") > 0) {
    if (const auto fits = check_key_value("--seed", "seed", seed); !fits) {
      usage_error(fits.error().text);
      return kUsage;
    }
    run.plan.seed = parse_case("decode seed=" + seed)->seed;
  }
  if (const auto wrong = wrong_value(run)) {
    usage_error(*wrong);
    return kUsage;
  }
  run.typed = typed_line(argc, argv);
  return Command(run);
}

}  // namespace w4
