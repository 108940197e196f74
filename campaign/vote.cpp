#include "campaign/vote.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "campaign/vote/poll.h"
#include "core/gpu.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

Result<std::vector<std::string>> devices_of(const std::string& text) {
  std::vector<std::string> legal, out;
  for (const GpuModel& gpu : gpu_models()) legal.emplace_back(gpu.arch);
  legal.insert(legal.end(), {"host", "hip", "cuda"});
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find(',', from), text.size());
    std::string one = text.substr(from, end - from);
    if (std::ranges::find(legal, one) == legal.end())
      return fail("--devices: '{}'; legal: {}", one, fmt::join(legal, ", "));
    if (std::ranges::find(out, one) != out.end())
      return fail("--devices: '{}' is named twice", one);
    out.push_back(std::move(one));
    from = end + 1;
  }
  if (out.size() < 2) return fail("--devices: '{}'; legal: two or more, comma separated", text);
  return out;
}

}  // namespace

void add_vote(CLI::App& app, VoteCommand& c) {
  CLI::App* vote = app.add_subcommand(
      "vote", "The same generated calls on several devices, their outputs against each other");
  vote->add_option("--devices", c.devices,
                   "Two or more, comma separated (default gfx1151,gfx1201,host)")
      ->option_text("NAMES");
  vote->add_option("--cases", c.cases, "Legal calls, of each row in turn (default 10000)")
      ->option_text("N");
  vote->add_option("--seed", c.seed, "Of the calls (default 1)")->option_text("N");
  vote->add_option("--largest", c.largest,
                   "Most multiply-adds M*N*K of a call; larger ones are drawn again (default: as "
                   "they are drawn)")
      ->option_text("N");
  vote->add_option("--jobs,-j", c.jobs, "Worker processes, 1 to 256 (default 1)")->option_text("N");
  vote->add_option("--timeout", c.timeout,
                   fmt::format("Seconds a device may take for a case (default: {})", kDefaultLimit))
      ->option_text("SECONDS");
  vote->add_option("--json", c.json, "Write the result as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  vote->footer(
      "A device that is not there is skipped, and the others vote. Exit codes: 0 nothing is red or "
      "unexplained, 1 something is, or nothing could be compared, 2 usage, 3 harness error, 130 "
      "interrupted.");
}

int vote_command(const VoteCommand& c) {
  auto devices = devices_of(c.devices);
  if (!devices) return usage_error(printable_utf8(devices.error().text));
  if (c.cases < 1 || c.cases > 10'000'000)
    return usage_error(fmt::format("--cases: {}; legal: 1 to 10000000", c.cases));
  if (c.largest < 0) return usage_error(fmt::format("--largest: {}; legal: 0 or more", c.largest));
  if (c.jobs < 1 || c.jobs > 256)
    return usage_error(fmt::format("--jobs: {}; legal: 1 to 256", c.jobs));
  if (c.timeout && (!(*c.timeout >= 0) || *c.timeout > 1e6))
    return usage_error(
        fmt::format("--timeout: {}; legal: 0 (none) to 1000000 seconds", *c.timeout));
  const JsonAside to(c.json, false);
  if (!to.error().empty()) return usage_error(to.error());
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  vote::Poll poll{*devices, c.cases, c.largest, c.seed};
  poll.stop = interrupted;
  poll.progress = [&](int64_t done) {
    if (done % std::max<int64_t>(c.cases / 20, 1) == 0)
      fmt::print(stderr, "vote: {}/{} cases\n", done, c.cases);
  };
  ExecuteOptions options;
  options.jobs = c.jobs, options.timeout = c.timeout, options.outputs = true;
  auto tally = vote::hold(poll, options);
  if (!tally) {
    fmt::print(stderr, "w4check: harness error: {}\n", tally.error().text);
    return kHarnessError;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  vote::measure(*tally);
  fmt::print(to.people(),
             "{}\n{} of {} cases, seed {}: {} pairs of outputs compared, {} to look "
             "at; {:.1f} s{}\n",
             vote::to_text(*tally), tally->cases(), c.cases, c.seed, tally->compared(),
             tally->complaints().size(), seconds, interrupted() ? "; interrupted" : "");
  nlohmann::json json = vote::to_json(*tally);
  json["seed"] = c.seed;
  json["seconds"] = seconds;
  json["build"] = build_id();
  if (!to.write(json.dump())) return kHarnessError;
  for (const auto& complaint : tally->complaints()) {
    if (complaint.what.find("harness_error") != std::string::npos) return kHarnessError;
  }
  if (!tally->complaints().empty()) return kRed;
  if (interrupted()) return kInterrupted;
  return tally->sound() ? kGreen : kRed;
}

}  // namespace w4
