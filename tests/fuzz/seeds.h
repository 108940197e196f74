// What the name of a seed says: words joined by '_', each of them true of what the target makes of
// its bytes. Fuzzers give names of hexadecimal digits, which say nothing.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "verify/cases/case_bytes.h"

namespace w4 {

// What a target of cases makes of an input.
struct Seed {
  Case line;
  std::vector<std::string> broken;  // clauses, of `illegal`
  std::vector<Schedule> orders;     // of `schedules`
  int64_t more = 0;                 // of `preparation`
};

// The targets whose inputs are cases.
std::span<const std::string_view> case_targets();
Seed seed_of(std::string_view target, Bytes input);

using Says = std::function<bool(const Seed&)>;

// Nothing where the word means nothing.
std::optional<Says> meaning_of_word(std::string_view word);

std::vector<std::string> words_of_name(std::string_view name);

// The words of `name` that are not true of the seed, or mean nothing.
std::vector<std::string> untrue_words(std::string_view name, const Seed& seed);

}  // namespace w4
