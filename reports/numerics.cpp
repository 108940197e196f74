#include "reports/numerics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/drifts.h"
#include "core/headrooms.h"
#include "reports/histogram.h"
#include "reports/joint.h"
#include "reports/worst_cases.h"

namespace w4 {
namespace {

using nlohmann::json;

// Of a kernel and dtype.
struct Group {
  Histogram headroom{headroom_edges()}, leaning{signed_edges()}, means{ulp_edges()};
  int64_t exact = 0;    // passes in which no error would show: sums are exact, or far finer
  int64_t unknown = 0;  // headroom 0, and nothing kept that says whether an error would show
};

class Numerics : public Section {
 public:
  std::string_view name() const override { return "numerics"; }

  void add(const Seen& seen) override {
    const Outcome& o = seen.verdict().primary();
    const auto* pass = std::get_if<Pass>(&o);
    const auto* mismatch = std::get_if<Mismatch>(&o);
    if (!seen.value || (pass == nullptr && mismatch == nullptr)) return;
    const Case& c = *seen.value;
    const std::string kernel = kernel_label(c);
    Group& group = groups_[{kernel, std::string(name_of(c.problem.act))}];
    ++judged_;
    if (pass != nullptr && !seen.filed.json_kept) {
      ++bare_;
      if (pass->headroom > 0) {
        group.headroom.add(pass->headroom);
        worst_.add(kernel, seen.verdict(), pass->headroom, nullptr);
      } else {
        ++group.unknown;
      }
      return;
    }
    drifts_.add(c, seen.verdict());
    headrooms_.add(c, seen.verdict());
    if (pass != nullptr && pass->exposure < 1) {
      ++group.exact;
      return;
    }
    const Worst& worst = pass != nullptr ? pass->worst : mismatch->worst;
    const double used = pass != nullptr ? pass->headroom : std::abs(worst.ratio);
    group.headroom.add(used);
    worst_.add(kernel, seen.verdict(), used, &worst);
    // Towards zero or away from it; an exact sum of 0 has no side.
    if (worst.twin != 0 && !std::isnan(worst.twin) && !std::isnan(worst.ratio)) {
      group.leaning.add(worst.ratio * (worst.twin > 0 ? 1 : -1));
    }
    if (pass != nullptr && pass->drift.outputs > 0) group.means.add(pass->drift.mean());
  }

  Result<json> finish(Store&, const ReportContext&) override {
    json groups = json::array(), drift = json::array();
    for (const auto& [key, g] : groups_) {
      groups.push_back({{"kernel", key.first},
                        {"dtype", key.second},
                        {"cases", g.headroom.all()},
                        {"exact", g.exact},
                        {"unknown", g.unknown},
                        {"headroom", g.headroom.counts()},
                        {"signed", g.leaning.counts()},
                        {"means", g.means.counts()}});
    }
    for (const Drifts::Group& g : drifts_.groups()) {
      drift.push_back({{"kernel", g.kernel},
                       {"device", g.device},
                       {"fp", g.fp},
                       {"dtype", g.dtype},
                       {"outputs", g.drift.outputs},
                       {"columns", g.drift.columns},
                       {"mean", g.drift.mean()},
                       {"sigma", g.drift.sigma()},
                       {"allowed", g.allowed},
                       {"sigmas", g.sigmas},
                       {"beyond", g.beyond()}});
    }
    return json{
        {"judged", judged_},
        {"bare", bare_},
        {"edges",
         {{"headroom", headroom_edges()}, {"signed", signed_edges()}, {"means", ulp_edges()}}},
        {"groups", std::move(groups)},
        {"used", headrooms_.lines()},
        {"loose", headrooms_.too_loose()},
        {"loose_below", Headrooms::kLoose},
        {"drift", std::move(drift)},
        {"drift_beyond", kDriftSigmas},
        {"drift_columns", kDriftColumns},
        {"worst", worst_.to_json()}};
  }

 private:
  std::map<std::pair<std::string, std::string>, Group> groups_;
  Drifts drifts_;
  Headrooms headrooms_;
  WorstCases worst_;
  int64_t judged_ = 0;  // passes and mismatches
  int64_t bare_ = 0;    // of them those of which only the headroom was kept
};

}  // namespace

std::unique_ptr<Section> numerics_section() { return std::make_unique<Numerics>(); }

}  // namespace w4
