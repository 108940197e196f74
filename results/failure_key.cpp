#include "results/failure_key.h"

#include <fmt/ranges.h>

#include <cctype>
#include <set>

#include "results/text.h"

namespace w4 {
namespace {

constexpr size_t kLongest = 200;  // bytes of a pattern: what follows tells no causes apart

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Bytes of the number that starts at `at`: 0x1f, 12, 1.5, 2e-05.
size_t number_at(std::string_view s, size_t at) {
  size_t end = at;
  if (s.substr(at).starts_with("0x")) {
    for (end = at + 2; end < s.size() && std::isxdigit(static_cast<unsigned char>(s[end])) != 0;)
      ++end;
    return end - at;
  }
  const auto digits = [&] {
    while (end < s.size() && digit(s[end])) ++end;
  };
  digits();
  if (end + 1 < s.size() && s[end] == '.' && digit(s[end + 1])) ++end, digits();
  if (end + 1 < s.size() && s[end] == 'e') {
    const size_t sign = s[end + 1] == '-' || s[end + 1] == '+' ? 1 : 0;
    if (end + 1 + sign < s.size() && digit(s[end + 1 + sign])) end += 1 + sign, digits();
  }
  return end - at;
}

// "#", or nothing where it goes on a list or a range: "3,7", "3, 7", "3..7".
void add_number(std::string& out) {
  for (const std::string_view between : {"#,", "#, ", "#.."}) {
    if (!out.ends_with(between)) continue;
    out.resize(out.size() - between.size() + 1);
    return;
  }
  out += '#';
}

std::string sentence(std::string_view text) { return normalised(text.substr(0, text.find('\n'))); }

struct Pattern {
  std::string operator()(const Mismatch& o) const { return sentence(o.pattern); }
  std::string operator()(const LawBroken& o) const { return o.law; }
  std::string operator()(const Accepted& o) const { return o.clause; }
  std::string operator()(const Refused& o) const {
    return o.clause + (o.expected ? "" : ", not broken") + (o.untouched ? "" : ", outputs touched");
  }
  std::string operator()(const Found& o) const {
    std::set<std::string> places;
    for (const Finding& f : o.findings) {
      places.insert(std::string(name_of(f.kind)) + (f.at.source.empty() ? "" : " at ") +
                    f.at.source);
    }
    return fmt::format("{}", fmt::join(places, ", "));
  }
  std::string operator()(const Crash& o) const {
    const std::string how = o.signal == 0 ? "exit" : fmt::format("signal {}", o.signal);
    return how + (o.where.empty() ? "" : " in ") + o.where;
  }
  std::string operator()(const Unsupported& o) const { return o.instruction; }
  std::string operator()(const Timeout& o) const { return sentence(o.detail); }
  std::string operator()(const HarnessError& o) const { return sentence(o.what); }
  std::string operator()(const Mistrusted& o) const { return sentence(o.why); }
  std::string operator()(const Skipped& o) const { return std::string(name_of(o.reason)); }
  std::string operator()(const Pass&) const { return {}; }
};

}  // namespace

std::string normalised(std::string_view pattern) {
  const std::string text = printable_utf8(pattern.substr(0, 4 * kLongest));
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() < kLongest;) {
    if (digit(text[i]) && (i == 0 || !letter(text[i - 1]))) {
      i += number_at(text, i);
      add_number(out);
      continue;
    }
    // The digits of a word belong to it: f16, v2.
    const bool word = letter(text[i]);
    do out += text[i++];
    while (word && i < text.size() && out.size() < kLongest && (letter(text[i]) || digit(text[i])));
  }
  return printable_utf8(out);
}

FailureKey failure_key(const Record& record) {
  return {printable_utf8(record.kernel), std::string(name_of(record.verdict.kind())),
          printable_utf8(std::visit(Pattern{}, record.verdict.primary()).substr(0, kLongest))};
}

}  // namespace w4
