#include "campaign/zoo/stream.h"

#include <algorithm>
#include <map>

#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/law_cases.h"
#include "verify/cases/row_cases.h"

namespace w4::zoo {
namespace {

constexpr std::array<std::string_view, 1> kDevices{"gfx1151"};  // what mutants are compiled for
constexpr std::array<std::string_view, 4> kSuites{"smoke", "boundary", "moe", "sweep"};

class List final : public Stream {
 public:
  explicit List(std::vector<Case> cases) : cases_(std::move(cases)) {}
  std::optional<Case> next() override {
    if (at_ == cases_.size()) return std::nullopt;
    return cases_[at_++];
  }

 private:
  std::vector<Case> cases_;
  size_t at_ = 0;
};

class Random final : public Stream {
 public:
  Random(std::vector<std::string> rows, uint64_t seed) : rows_(std::move(rows)), seed_(seed) {
    for (const std::string& row : rows_) {
      const w4_kernel* k = find_kernel(builtin_module(), row);
      std::vector<std::string> breakable;
      for (const std::string& declared : names_in(k == nullptr ? nullptr : k->clauses)) {
        const std::string name(routed_name(declared).clause);
        if (std::ranges::find(breakable_clauses(), name) != breakable_clauses().end())
          breakable.push_back(name);
      }
      first_round_ = std::max(first_round_, static_cast<int64_t>(breakable.size()) + 1);
      clauses_[row] = std::move(breakable);
    }
  }

  std::optional<Case> next() override {
    const int64_t number = number_++;
    // The rows in turn, and each of them through all eight.
    const auto count = static_cast<int64_t>(rows_.size());
    const std::string& row = rows_[static_cast<size_t>(number % count)];
    const int64_t turn = number / count % 8;
    NumberedChooser choose(seed_, number);
    CaseLimits limits;
    limits.devices = kDevices;
    if (turn == 2 || turn == 6) return choose_law_case(choose, limits, row);
    // Until the longest list has been through once, three of eight: a call that should be refused
    // costs next to nothing, and a list has some thirty clauses.
    const bool breaks = turn == 4 || turn == 7 || (turn == 1 && broken_ < first_round_);
    limits.far_rows = !breaks;
    Case c = choose_case(choose, limits, row);
    if (!breaks) return c;
    // Clauses in turn, and the ways of each; a row's neighbour elsewhere in its list: all of them
    // soon come up somewhere.
    const std::vector<std::string>& clauses = clauses_.at(row);
    const auto turns = static_cast<int64_t>(clauses.size()) + 1;
    const auto at = static_cast<size_t>(broken_ % turns);
    const int64_t way = broken_++ / turns;
    return at == clauses.size() ? no_rows(std::move(c))
                                : break_clause(std::move(c), clauses[at], choose, way);
  }

 private:
  std::vector<std::string> rows_;
  std::map<std::string, std::vector<std::string>> clauses_;
  uint64_t seed_;
  int64_t number_ = 0, broken_ = 0, first_round_ = 0;
};

}  // namespace

std::string_view name_of(Generator g) {
  switch (g) {
    case Generator::own:
      return "own";
    case Generator::audit:
      return "audit";
    case Generator::random:
      return "random";
    case Generator::suites:
      return "suites";
  }
  return "own";
}

std::string_view says_of(Generator g) {
  switch (g) {
    case Generator::own:
      return "the lines beside the mutant";
    case Generator::audit:
      return "no cases: the audits of the kernel table and of selection";
    case Generator::random:
      return "legal cases, illegal ones and relations, drawn by seed as a campaign does";
    case Generator::suites:
      return "the suites smoke, boundary, moe and sweep, in an order by seed";
  }
  return "";
}

std::optional<Generator> generator_from(std::string_view name) {
  for (const Generator g : kGenerators) {
    if (name_of(g) == name) return g;
  }
  return std::nullopt;
}

std::unique_ptr<Stream> random_stream(std::vector<std::string> rows, uint64_t seed) {
  return std::make_unique<Random>(std::move(rows), seed);
}

std::unique_ptr<Stream> suites_stream(std::span<const std::string> rows, uint64_t seed) {
  std::vector<Case> cases;
  for (const std::string_view name : kSuites) {
    for (Case& c : find_suite(name)->cases(seed)) {
      if (std::ranges::find(rows, c.kernel) == rows.end() || c.device != kDevices[0]) continue;
      cases.push_back(std::move(c));
    }
  }
  NumberedChooser choose(seed, 0);
  for (size_t i = cases.size(); i > 1; --i) {
    std::swap(cases[i - 1], cases[static_cast<size_t>(choose.pick(static_cast<int>(i)))]);
  }
  return list_stream(std::move(cases));
}

std::unique_ptr<Stream> list_stream(std::vector<Case> cases) {
  return std::make_unique<List>(std::move(cases));
}

}  // namespace w4::zoo
