#include "fuzz/unguided.h"

#include <charconv>
#include <cstdio>
#include <limits>

#include "fuzz/cases.h"

namespace w4::fuzz {
namespace {

constexpr std::string_view kLegal = "-seed=N, -runs=N, -max_total_time=SECONDS";

Result<int64_t> number_in(const std::string& word, size_t at) {
  int64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data() + at, end, value);
  if (error != std::errc{} || stopped != end || value < 0)
    return fail("'{}' wants a number, 0 or more, after '='", word);
  return value;
}

}  // namespace

Result<Budget> parse_budget(std::span<const std::string> words) {
  Budget budget;
  for (const std::string& word : words) {
    const size_t at = word.find('=') + 1;
    const std::string_view name = std::string_view(word).substr(0, at);
    if (name != "-seed=" && name != "-runs=" && name != "-max_total_time=")
      return fail("'{}' says nothing to --unguided; legal: {}", word, kLegal);
    const auto value = number_in(word, at);
    if (!value) return std::unexpected(value.error());
    if (name == "-seed=") budget.seed = static_cast<uint64_t>(*value);
    if (name == "-runs=") budget.runs = *value;
    if (name == "-max_total_time=") budget.seconds = *value;
  }
  return budget;
}

std::vector<uint8_t> uniform_input(uint64_t seed, int64_t number) {
  constexpr uint32_t kStream = 0x756e6966;
  std::vector<uint8_t> out(kInputBytes);
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<uint8_t>(counter_bits(seed, kStream, number, static_cast<int64_t>(i)));
  return out;
}

Result<void> run_unguided(const Target& target, const Budget& budget) {
  if (target.inputs != Inputs::cases)
    return fail("--unguided draws inputs of cases; --target {} takes bytes as they are",
                target.name);
  const int64_t runs = budget.runs.value_or(std::numeric_limits<int64_t>::max());
  int64_t done = 0;
  while (done < runs &&
         !(budget.seconds && spent().seconds >= static_cast<double>(*budget.seconds)))
    target.run(uniform_input(budget.seed, done++));
  std::fprintf(stderr, "%s\n",
               fmt::format("{}: {} cases in {:.2f} s of processor time, none red", target.name,
                           done, spent().seconds)
                   .c_str());
  return {};
}

}  // namespace w4::fuzz
