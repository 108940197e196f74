#include "campaign/report/distributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "campaign/instantiations.h"
#include "campaign/suites/suite.h"
#include "core/hash.h"
#include "results/text.h"
#include "verify/cases/coverage.h"
#include "verify/cases/floors.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

using nlohmann::json;

// Fewer cases of a row do not promise what is rare (rare_floors).
constexpr int64_t kManyCases = 10000;

bool is_row(std::string_view kernel) {
  return std::ranges::find(generated_rows(), kernel) != generated_rows().end();
}

class Distributions : public Section {
 public:
  explicit Distributions(int64_t cases)
      : stride_(static_cast<uint64_t>(std::max<int64_t>(cases / kDistributionCases, 1))) {}

  std::string_view name() const override { return "distributions"; }

  void add(const Seen& seen) override {
    if (!seen.value) return;
    const Case& c = *seen.value;
    const Verdict& v = seen.verdict();
    launched(c, v, seen.filed);
    if (v.kind() == VerdictKind::skipped) return;
    if (!seen.filed.source.empty()) {
      if (seen.filed.source == "random" && drawn_legal(c, v) && counted(v))
        rows_[c.kernel].add(c, v);
      return;
    }
    const Suite* suite = find_suite(seen.filed.record.suite);
    if (suite != nullptr && suite->floors != nullptr && counted(v)) suites_[suite].add(c, v);
  }

  Result<json> finish(Store&, const ReportContext&) override {
    json sets = json::array();
    for (const auto& [row, shown] : rows_) {
      std::vector<Coverage::Floor> floors = row_floors(row);
      if (shown.cases() >= kManyCases) {
        const auto rare = rare_floors(row);
        floors.insert(floors.end(), rare.begin(), rare.end());
      }
      sets.push_back(set_json("random cases of " + row, shown, floors));
    }
    for (const auto& [suite, shown] : suites_) {
      sets.push_back(set_json(fmt::format("suite {}", suite->name), shown, suite->floors()));
    }
    json launches = json::array();
    for (const Instantiations::Promised& p : ran_.promised()) {
      if (p.never.size() == p.all) continue;  // a kernel that the run is not about
      launches.push_back({{"kernel", p.kernel},
                          {"device", printable_utf8(p.device)},
                          {"promised", p.all},
                          {"never", p.never}});
    }
    return json{{"sets", sets.empty() ? json() : std::move(sets)},
                {"every", stride_},
                {"instantiations", launches.empty() ? json() : std::move(launches)}};
  }

 private:
  bool counted(const Verdict& v) const { return hash_of(v.line) % stride_ == 0; }

  // Every other case of the source has a law or breaks a clause; rows of modules have other floors.
  static bool drawn_legal(const Case& c, const Verdict& v) {
    return c.module.empty() && c.law == Law::reference && is_row(c.kernel) &&
           v.kind() != VerdictKind::refused && v.kind() != VerdictKind::accepted;
  }

  // Rows without their JSON do not say what they launched.
  void launched(const Case& c, const Verdict& v, const Filed& filed) {
    if (filed.json_kept && c.module.empty() && !v.ran.symbols.empty())
      ran_.add(filed.record.device, v);
  }

  static json set_json(const std::string& name, const Coverage& shown,
                       const std::vector<Coverage::Floor>& floors) {
    json list = json::array();
    for (const Coverage::Floor& f : floors) {
      const int64_t cases = shown.of(f.name, f.value), least = shown.least(f);
      list.push_back({{"class", f.name},
                      {"value", f.value},
                      {"cases", cases},
                      {"least", least},
                      {"share", f.share},
                      {"below", cases < least}});
    }
    return {{"name", name}, {"cases", shown.cases()}, {"floors", std::move(list)}};
  }

  uint64_t stride_;
  std::map<std::string, Coverage, std::less<>> rows_;
  std::map<const Suite*, Coverage> suites_;
  Instantiations ran_{expectations()};
};

}  // namespace

std::unique_ptr<Section> distributions_section(int64_t cases) {
  return std::make_unique<Distributions>(cases);
}

}  // namespace w4
