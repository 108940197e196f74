#include "zoo/expect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

namespace w4 {
namespace {

constexpr std::array kLegal{VerdictKind::mismatch, VerdictKind::finding, VerdictKind::law_broken,
                            VerdictKind::accepted, VerdictKind::refused, VerdictKind::crash,
                            VerdictKind::timeout};

Result<void> add(Expect& e, std::string_view key, const std::string& word) {
  if (key == "covers") {
    e.covers.push_back(word);
  } else if (key == "clause") {
    e.clauses.push_back(word);
  } else if (key == "explain") {
    e.explain.push_back(word);
  } else if (key == "rows") {
    e.rows.push_back(word);
  } else if (key == "acts") {
    if (word != "f16" && word != "bf16") return fail("acts '{}'; legal: f16, bf16", word);
    e.acts.push_back(word);
  } else if (key == "groups") {
    int64_t g = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), g);
    if (error != std::errc{} || end != word.data() + word.size() ||
        (g != 32 && g != 64 && g != 128)) {
      return fail("groups '{}'; legal: 32, 64, 128", word);
    }
    e.groups.push_back(g);
  } else if (key == "finding") {
    const auto kind = finding_kind_from(word);
    if (!kind) return fail("finding '{}'; legal: a kind of core/finding.h", word);
    e.findings.push_back(*kind);
  } else if (word == "audit") {
    e.audit = true;
  } else {
    const auto kind = verdict_kind_from(word);
    if (!kind || std::ranges::find(kLegal, *kind) == kLegal.end()) {
      return fail(
          "verdict '{}'; legal: mismatch, finding, law_broken, accepted, refused, crash, timeout, "
          "audit",
          word);
    }
    e.verdicts.push_back(*kind);
  }
  return {};
}

bool has(const Expect& e, VerdictKind k) {
  return std::ranges::find(e.verdicts, k) != e.verdicts.end();
}

}  // namespace

Result<Expect> parse_expect(std::string_view text) {
  static const std::set<std::string_view> keys{"covers",  "verdict", "finding", "clause",
                                               "explain", "rows",    "groups",  "acts"};
  Expect e;
  std::set<std::string> seen;
  std::istringstream in{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    number++;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string key;
    if (!(words >> key)) continue;
    if (!keys.contains(key)) {
      return fail(
          "line {}: '{}'; legal: covers, verdict, finding, clause, explain, rows, groups, acts",
          number, key);
    }
    if (!seen.insert(key).second) return fail("line {}: '{}' a second time", number, key);
    int count = 0;
    for (std::string word; words >> word; count++) {
      if (auto done = add(e, key, word); !done) {
        return fail("line {}: {}", number, done.error().text);
      }
    }
    if (count == 0) return fail("line {}: '{}' without a word", number, key);
  }
  for (const char* key : {"covers", "verdict", "rows"}) {
    if (!seen.contains(key)) return fail("no line '{}'", key);
  }
  if (has(e, VerdictKind::finding) != !e.findings.empty()) {
    return fail("'finding' kinds and verdict finding belong together");
  }
  const bool clauses = has(e, VerdictKind::accepted) || has(e, VerdictKind::refused);
  if (clauses != !e.clauses.empty()) {
    return fail("'clause' and verdict accepted or refused belong together");
  }
  return e;
}

}  // namespace w4
