// Any text as a case line and as a file of them: parsing ends, what is refused has its place and a
// reason, and what parses prints as a line that parses to the same.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "core/case.h"
#include "fuzz/counters.h"
#include "fuzz/target.h"

namespace w4::fuzz {
namespace {

constexpr size_t kLongest = 4096;  // of a line in a file

[[noreturn]] void wrong(const char* what, const std::string& text) {
  std::fprintf(stderr, "case_line: %s: %s\n", what, text.c_str());
  std::abort();
}

// Takes "<word> <number>: " off, the number in [1, most].
bool takes_place(std::string_view& text, std::string_view word, size_t most) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  size_t number = 0, digits = 0;
  for (; digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])); ++digits)
    number = number * 10 + static_cast<size_t>(text[digits] - '0');
  text.remove_prefix(digits);
  if (digits == 0 || digits > 9 || !text.starts_with(":")) return false;
  text.remove_prefix(1);
  return number >= 1 && number <= most;
}

// A refusal or a word of a line without its values, the classes by which the engine keeps inputs.
void count_without_values(std::string_view text) {
  std::string kind;
  for (bool quoted = false; const char c : text) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && std::isdigit(static_cast<unsigned char>(c)) == 0) kind += c;
  }
  count_class(kind);
}

// Words of keys that take any text count once.
void count_words(std::string_view line) {
  line.remove_prefix(std::min(line.find(' '), line.size()));
  while (!line.empty()) {
    line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find(' '));
    const std::string_view key = word.substr(0, word.find('='));
    const bool any_text = key == "module" || key == "prep" || key == "mutate";
    count_without_values(any_text ? key : word);
    line.remove_prefix(word.size());
  }
}

void same_again(const Case& c) {
  const std::string line = to_string(c);
  const auto again = parse_case(line);
  if (!again) wrong("a printed line is refused", line + ": " + again.error().text);
  if (!(*again == c)) wrong("a printed line parses to another case", line);
  if (to_string(*again) != line) wrong("a case prints in two ways", line);
  count_words(line);
}

void as_line(std::string_view text) {
  const auto c = parse_case(text);
  if (c) return same_again(*c);
  std::string_view why = c.error().text;
  if (!takes_place(why, "column ", text.size() + 1) || why.size() < 4)
    wrong("a refusal without column or reason", c.error().text);
  count_without_values(c.error().text);
}

void as_file(std::string_view text) {
  const auto all = parse_cases(text, "f.cases");
  if (!all) {
    std::string_view why = all.error().text;
    if (why == "f.cases: no case line in it; legal is at least one") return;
    if (!takes_place(why, "f.cases:", text.size() + 1) ||
        !takes_place(why, " column ", text.size() + 1) || why.size() < 4)
      wrong("a refusal without line, column or reason", all.error().text);
    return;
  }
  std::string file;
  for (const Case& c : *all) {
    same_again(c);
    const std::string line = to_string(c);
    if (line.size() > kLongest) return;
    file += line + "\n";
  }
  const auto again = parse_cases(file, "f.cases");
  if (!again || *again != *all) wrong("a printed file parses to something else", file);
}

}  // namespace

FUZZ_TARGET(
    case_line,
    "any text parses to a case that prints and parses to itself, or is refused with its place") {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  as_line(text);
  as_file(text);
}

}  // namespace w4::fuzz
