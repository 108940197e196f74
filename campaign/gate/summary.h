// What a gate found: one comment for a pull request, and the same as JSON.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "campaign/gate/closer.h"
#include "campaign/gate/judge.h"
#include "campaign/gate/ledger.h"
#include "campaign/gate/side.h"
#include "campaign/gate/survey.h"

namespace w4::gate {

struct Report {
  const std::array<Side, 2>& sides;
  const Survey& survey;
  const Judge& judge;
  const std::vector<Group>& groups;
  const std::vector<Entry>& ledger;
  std::string ledger_path{};  // empty: there is none
  std::vector<std::string> devices{};
  uint64_t seed = 1;
  double budget = 0, seconds = 0;
  bool interrupted = false;
  bool same = false;                       // both are the same bytes
  std::vector<std::string> not_covered{};  // sentences

  // New failures that the ledger does not list, and entries of it that are wrong.
  size_t failures() const;
  size_t wrong_entries() const;
  bool red() const { return failures() + wrong_entries() > 0; }
};

// Markdown, the verdict first; below GitHub's limit of 65,536 characters whatever was found. Text
// that modules had a part in stands in code spans alone.
std::string markdown(const Report& r);
nlohmann::json json_of(const Report& r);

// Text as a code span of one line, cut where it is long.
std::string code_span(std::string_view text);

}  // namespace w4::gate
