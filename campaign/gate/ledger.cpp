#include "campaign/gate/ledger.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>

#include "results/text.h"

namespace w4::gate {
namespace {

constexpr size_t kFields = 4;
constexpr std::string_view kForm = "CASE LINE | KIND | REASON | expires=YYYY-MM-DD";
constexpr std::string_view kBlanks = " \t\r";

struct Field {
  std::string_view text;
  size_t column = 1;
};

Field trimmed(std::string_view line, size_t begin, size_t end) {
  while (begin < end && kBlanks.contains(line[begin])) ++begin;
  while (end > begin && kBlanks.contains(line[end - 1])) --end;
  return {line.substr(begin, end - begin), begin + 1};
}

std::vector<Field> split(std::string_view line) {
  std::vector<Field> out;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find('|', at), line.size());
    out.push_back(trimmed(line, at, end));
    at = end + 1;
  }
  return out;
}

// A verdict that a line can have and that is not green; `refused` may be a wrong refusal.
std::optional<VerdictKind> red_kind(std::string_view text) {
  const auto kind = verdict_kind_from(text);
  if (kind == VerdictKind::pass || kind == VerdictKind::skipped) return std::nullopt;
  return kind;
}

std::string red_kinds() {
  std::string out;
  for (int k = 0; k <= static_cast<int>(VerdictKind::pass); ++k) {
    const std::string_view name = name_of(static_cast<VerdictKind>(k));
    if (red_kind(name)) out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<void> add(std::string_view line) {
    ++number_;
    const Field whole = trimmed(line, 0, line.size());
    if (whole.text.empty() || whole.text.starts_with('#')) return {};
    const std::vector<Field> fields = split(line);
    if (fields.size() != kFields) {
      return wrong(whole.column,
                   fmt::format("{} fields; legal: {}, {}", fields.size(), kFields, kForm));
    }
    Entry e;
    e.number = number_;
    if (auto c = case_of(fields[0]); c) {
      e.value = std::move(*c);
    } else {
      return std::unexpected(c.error());
    }
    const auto kind = red_kind(fields[1].text);
    if (!kind) {
      return wrong(fields[1].column, fmt::format("'{}' is no kind of a red verdict; legal: {}",
                                                 fields[1].text, red_kinds()));
    }
    e.kind = *kind;
    e.reason = printable_utf8(fields[2].text);
    if (e.reason.empty())
      return wrong(fields[2].column, "the reason is missing; legal: some words");
    constexpr std::string_view kKey = "expires=";
    const auto day = fields[3].text.starts_with(kKey) ? day_from(fields[3].text.substr(kKey.size()))
                                                      : std::nullopt;
    if (!day) {
      return wrong(
          fields[3].column,
          fmt::format("'{}'; legal: expires=YYYY-MM-DD, a day that there is", fields[3].text));
    }
    e.expires = *day;
    const auto [at, fresh] = lines_.try_emplace(to_string(e.value), number_);
    if (!fresh) {
      return wrong(fields[0].column,
                   fmt::format("the same case as in line {}; legal: each once", at->second));
    }
    entries_.push_back(std::move(e));
    return {};
  }
  std::vector<Entry> take() { return std::move(entries_); }

 private:
  std::unexpected<Error> wrong(size_t column, std::string_view what) const {
    return fail("{}:{}:{}: {}", file_, number_, column, printable_utf8(what));
  }

  Result<Case> case_of(const Field& f) const {
    auto c = parse_case(f.text);
    if (!c) return wrong(f.column, fmt::format("no case line: {}", c.error().text));
    if (!c->module.empty() || !c->prep.empty())
      return wrong(f.column, "module= and prep= are what the gate sets; legal: lines without them");
    return c;
  }

  std::string_view file_;
  int number_ = 0;
  std::map<std::string, int> lines_;
  std::vector<Entry> entries_;
};

}  // namespace

Result<std::vector<Entry>> parse_ledger(std::string_view text, std::string_view file) {
  Reader reader(file);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (auto added = reader.add(text.substr(at, end - at)); !added)
      return std::unexpected(added.error());
    at = end + 1;
  }
  return reader.take();
}

std::optional<Day> day_from(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](size_t at, size_t n) -> int {
    const std::string_view part = text.substr(at, n);
    int value = -1;
    if (part.find_first_not_of(kDigits) != part.npos) return -1;
    std::from_chars(part.data(), part.data() + part.size(), value);
    return value;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const Day out{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                std::chrono::day(static_cast<unsigned>(day))};
  return out.ok() ? std::optional(out) : std::nullopt;
}

std::string to_string(const Day& day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

Day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

}  // namespace w4::gate
