// w4soak: random legal cases until one is not a Pass, or for as long as wanted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <exception>
#include <limits>
#include <optional>

#include "campaign/commands.h"
#include "campaign/crash_note.h"
#include "campaign/interrupt.h"
#include "campaign/soak.h"
#include "core/gpu.h"
#include "kernels/table.h"
#include "results/text.h"
#include "verify/build_id.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

constexpr const char* kFooter =
    "Case I of a seed is a pure function of the two (and of --kernel and --device), so that\n"
    "--first goes on where another soak stopped, and several processes may share a seed.\n"
    "A verdict other than pass is an alarm, a mistrusted one too: its line is printed.\n"
    "A few hundred cases are too few for the floors, and end red for that alone.\n\n"
    "Exit codes: 0 every case passed and every floor was reached, 1 an alarm or a floor that was\n"
    "not reached, 2 usage, 3 harness error, 130 stopped before the end without an alarm.";

struct Words {
  std::string cases = "20000", seed = "1", first = "0", threads = "1", seconds = "0";
  std::vector<std::string> kernels, devices;
};

int mistake(const std::string& text) {
  fmt::print(stderr, "w4soak: {}\n", text);
  return kUsage;
}

template <class T>
std::optional<T> number(const std::string& text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= least && value <= most)) return std::nullopt;
  return value;
}

std::string refusal(std::string_view option, const std::string& text, std::string_view legal) {
  return fmt::format("{} is {}; legal: {}", option, text.empty() ? "empty" : printable_utf8(text),
                     legal);
}

std::vector<std::string_view> archs_with_code() {
  std::vector<std::string_view> out;
  const w4_kernel& kernel = builtin_module().kernels[0];
  for (const char* const* a = kernel.archs; *a != nullptr; ++a) {
    if (find_gpu(*a) != nullptr) out.emplace_back(*a);
  }
  return out;
}

// Every name is one of `legal`, none twice; all of them where none is given.
std::optional<std::string> choose_names(std::string_view option,
                                        const std::vector<std::string>& given,
                                        std::span<const std::string_view> legal,
                                        std::string_view hint, std::vector<std::string_view>& to) {
  for (const std::string& name : given) {
    const auto found = std::ranges::find(legal, name);
    if (found == legal.end()) {
      return refusal(option, name, fmt::format("{}{}", fmt::join(legal, ", "), hint));
    }
    if (std::ranges::find(to, name) != to.end())
      return fmt::format("{} {} is given twice", option, name);
    to.push_back(*found);
  }
  if (given.empty()) to.assign(legal.begin(), legal.end());
  return {};
}

std::optional<std::string> read(const Words& words, SoakPlan& plan) {
  // Their sum is a number of a case too.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  const std::string most = fmt::format(" to {}", kMost);
  const auto cases = number<int64_t>(words.cases, 1, kMost);
  if (!cases) return refusal("--cases", words.cases, "1" + most);
  const auto seed = number<uint64_t>(words.seed, 0, std::numeric_limits<uint64_t>::max());
  if (!seed) return refusal("--seed", words.seed, "0 to 18446744073709551615");
  const auto first = number<int64_t>(words.first, 0, kMost);
  if (!first) return refusal("--first", words.first, "0" + most);
  const auto threads = number<int>(words.threads, 1, 256);
  if (!threads) return refusal("--threads", words.threads, "1 to 256");
  const auto seconds = number<double>(words.seconds, 0, 1e9);
  if (!seconds) return refusal("--max-seconds", words.seconds, "0 (no limit) to 1e9");
  plan.cases = *cases, plan.seed = *seed, plan.first = *first;
  plan.threads = *threads, plan.max_seconds = *seconds;
  if (auto no = choose_names("--kernel", words.kernels, generated_rows(), "", plan.rows)) return no;
  const auto archs = archs_with_code();
  return choose_names("--device", words.devices, archs,
                      archs.size() < gpu_models().size()
                          ? " (this build has code for no other; W4_ALL_ARCHS=ON makes it for all)"
                          : "",
                      plan.devices);
}

int run(const SoakPlan& plan) {
  fmt::print("w4soak: {} cases from {} on of seed {}, {} kernels on {}, {} threads, build {}\n",
             plan.cases, plan.first, plan.seed, plan.rows.size(), fmt::join(plan.devices, " "),
             plan.threads, build_id());
  std::fflush(stdout);
  catch_interrupts();
  catch_crashes();
  const SoakResult result = soak(plan, stdout);
  const int64_t done = result.tally.all().cases();
  fmt::print("{}{} of {} cases in {:.1f} s, {:.1f} cases/s, {} alarms; next: --first {}\n",
             result.tally.text(), done, plan.cases, result.seconds,
             static_cast<double>(done) / std::max(result.seconds, 1e-9), result.tally.alarms(),
             result.next);
  bool low = false;
  if (result.complete) {
    for (const std::string& s : result.tally.below(plan)) {
      fmt::print("below its floor: {}\n", s);
      low = true;
    }
  }
  if (std::fflush(stdout) != 0) return kHarnessError;
  if (result.tally.alarms() > 0 || low) return kRed;
  return result.complete ? 0 : kInterrupted;
}

int main_of(int argc, char** argv) {
  Words words;
  CLI::App app{"Random legal cases of every kernel on every arch, judged one by one", "w4soak"};
  app.add_option("--cases", words.cases, "Cases to run (default 20000)")->option_text("N");
  app.add_option("--seed", words.seed, "Seed of the cases (default 1)")->option_text("N");
  app.add_option("--first", words.first, "Number of the first case (default 0)")->option_text("I");
  app.add_option("--kernel", words.kernels, "Only this kernel; repeatable (default: all)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  app.add_option("--device", words.devices,
                 "Only on this arch; repeatable (default: all this build has code for)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  app.add_option("--threads", words.threads, "Cases at a time, 1 to 256 (default 1)")
      ->option_text("N");
  app.add_option("--max-seconds", words.seconds, "Stop after so long (default 0: never)")
      ->option_text("S");
  app.footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return mistake(printable_utf8(e.what()));
  }
  SoakPlan plan;
  if (auto no = read(words, plan)) return mistake(*no);
  return run(plan);
}

}  // namespace
}  // namespace w4

int main(int argc, char** argv) {
  try {
    return w4::main_of(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "w4soak: harness error: %s\n", e.what());
    return w4::kHarnessError;
  }
}
