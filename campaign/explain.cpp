#include "campaign/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "campaign/commands.h"
#include "campaign/explanation_json.h"
#include "campaign/idle_keys.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/plan.h"
#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/explain/explain.h"
#include "verify/explain/hypothesis.h"

namespace w4 {
namespace {

using explain::Explanation;

nlohmann::json json_of(const Explanation& e) {
  nlohmann::json out = explanation_json(e);
  out["verdict"] = verdict_to_json(e.verdict);
  out["lines"] = e.lines;
  return out;
}

int write_out(const Explanation& e, const JsonAside& to) {
  fmt::print(to.people(), "{}\n{}", to_string(e.verdict), printable_utf8(explain::to_string(e)));
  if (!to.write(json_of(e).dump())) return kHarnessError;
  if (e.verdict.kind() == VerdictKind::harness_error) return kHarnessError;
  return e.certainty == explain::Certainty::nothing ? kGreen : kRed;
}

int explain_here(const ExplainCommand& c, const Case& line) {
  const JsonAside to(c.json, c.in_process);
  if (!to.error().empty()) return usage_error(to.error());
  const bool terminal = isatty(STDERR_FILENO) != 0;
  Context context(threads_of_a_case(std::nullopt, 1));
  const Explanation e = explain::explain(
      line, context,
      {.seconds = c.seconds, .stop = interrupted, .progress = [terminal](const std::string& ran) {
         if (terminal) fmt::print(stderr, "\r\x1b[K{}", ran.substr(0, 100));
       }});
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  const int code = write_out(e, to);
  return interrupted() && code != kHarnessError ? kInterrupted : code;
}

int explain_in_child(const ExplainCommand& c, const Case& line) {
  std::vector<std::string> words{"explain", to_string(line), "--in-process",
                                 fmt::format("--seconds={}", c.seconds)};
  if (!c.json.empty()) words.push_back("--json=" + c.json);
  return in_own_process("explanation", std::move(words), 2 * c.seconds + 2);
}

}  // namespace

void add_explain(CLI::App& app, ExplainCommand& c) {
  CLI::App* explain = app.add_subcommand("explain",
                                         "Say why a case is not green: which known kind of defect "
                                         "predicts its outputs bit for bit, or "
                                         "what their pattern is");
  explain->add_option("line", c.words, "The case line, as one argument or as several, as for rerun")
      ->option_text("LINE")
      ->required();
  explain
      ->add_option("--json", c.json,
                   "Write verdict and explanation as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  explain
      ->add_option("--seconds", c.seconds,
                   "After this time it says what it has, 1 to 100000 (default 120)")
      ->option_text("SECONDS");
  explain->add_flag("--in-process", c.in_process)->group("");
  explain->footer(
      "The hypotheses: w4check list hypotheses, docs/explain.md.\n"
      "Exit codes: 0 nothing to explain, 1 explained or described, 2 usage, 3 harness error, "
      "130 interrupted: it says what it has.");
}

int explain_command(const ExplainCommand& c) {
  if (!(c.seconds >= 1) || c.seconds > 1e5) {
    return usage_error(fmt::format("--seconds: {}; legal: 1 to 100000", c.seconds));
  }
  const Result<Case> line = read_typed_line("explain", fmt::format("{}", fmt::join(c.words, " ")));
  if (!line) return usage_error(line.error().text);
  catch_interrupts();
  if (c.in_process) return as_own_process([&] { return explain_here(c, *line); });
  for (const std::string& idle : idle_keys(*line)) fmt::print(stderr, "w4check: note: {}\n", idle);
  const bool native =
      !line->module.empty() || !line->prep.empty() || is_native_device(line->device);
  return native ? explain_in_child(c, *line) : explain_here(c, *line);
}

void list_hypotheses() {
  for (const explain::Hypothesis& h : explain::all_hypotheses()) {
    fmt::print("  {:<24} {} (where: {}; seen as {})\n", h.name, h.says, h.when, h.defects);
  }
}

}  // namespace w4
