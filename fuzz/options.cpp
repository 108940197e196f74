#include "fuzz/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace w4::fuzz {
namespace {

constexpr std::array<std::string_view, 3> kValued{"--target", "--module", "--device"};
constexpr std::array<std::string_view, 3> kFlags{"--list", "--help", "--unguided"};

std::string named_by(std::string_view program) {
  const std::string_view base = program.substr(program.find_last_of('/') + 1);
  constexpr std::string_view kPrefix = "w4fuzz_";
  return std::string(base.starts_with(kPrefix) ? base.substr(kPrefix.size()) : "");
}

template <size_t N>
bool among(const std::array<std::string_view, N>& all, std::string_view word) {
  return std::ranges::find(all, word) != all.end();
}

struct Word {
  std::string_view name;
  std::optional<std::string_view> value;
};

Word split(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == word.npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

void set_flag(Options& o, std::string_view name) {
  (name == "--list" ? o.list : name == "--help" ? o.help : o.unguided) = true;
  o.own.emplace_back(name);
}

void set_value(Options& o, std::string& target, std::string_view name, std::string_view value) {
  if (name == "--target") target = value;
  if (name == "--module") o.module = value;
  if (name == "--device") o.devices.emplace_back(value);
  o.own.push_back(fmt::format("{}={}", name, value));
}

}  // namespace

Result<Options> parse_options(std::span<const std::string> words) {
  Options o;
  std::string target = words.empty() ? "" : named_by(words[0]);
  for (size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      o.rest.push_back(words[i]);
      continue;
    }
    auto [name, value] = split(words[i]);
    if (among(kFlags, name)) {
      if (value) return fail("{} takes no value, got '{}'", name, *value);
      set_flag(o, name);
    } else if (among(kValued, name)) {
      if (!value && ++i < words.size()) value = words[i];
      if (!value || value->empty()) return fail("{} needs a value", name);
      set_value(o, target, name, *value);
    } else {
      return fail("unknown option '{}'; legal: {}, {}; the engine's begin with a single '-'",
                  words[i], fmt::join(kFlags, ", "), fmt::join(kValued, ", "));
    }
  }
  if (o.list || o.help) return o;
  auto found = find_target(target);
  if (!found) return std::unexpected(found.error());
  o.target = *found;
  return o;
}

std::string usage(bool engine) {
  std::string out = engine ? "w4fuzz --target NAME [options] [engine's options] [corpus folders]\n"
                           : "w4replay --target NAME [options] FILES|FOLDERS\n";
  out +=
      "  --list           the targets, and what must hold in each\n"
      "  --target NAME    which; a program called w4fuzz_NAME needs none\n"
      "  --module PATH    every case is of this module (docs/modules.md)\n"
      "  --device ARCH    emulated arch of cases, repeatable; default gfx1151\n";
  if (!engine) return out;
  return out +
         "  --unguided       inputs of uniform bytes without feedback; -runs, -seed and\n"
         "                   -max_total_time as the engine's\n"
         "The engine is libFuzzer: -help=1 lists its options. docs/fuzzing.md says more.\n";
}

}  // namespace w4::fuzz
