#include "core/headrooms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace w4 {

double quantile(const std::vector<double>& sorted, double part) {
  const auto rank = static_cast<size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

void Headrooms::add(const Case& c, const Verdict& v) {
  const auto* pass = std::get_if<Pass>(&v.primary());
  if (pass == nullptr || pass->exposure <= 0) return;
  Use& use = of_[{c.kernel, std::string(name_of(c.problem.act)), v.ran.fp}];
  use.most = std::max(use.most, pass->headroom);
  use.exposure += pass->exposure;
  if (pass->exposure >= 1) use.cases.push_back(pass->headroom);
}

std::vector<std::string> Headrooms::lines() const {
  std::map<std::pair<std::string, std::string>, std::vector<double>> all;
  for (const auto& [key, use] : of_) {
    if (use.cases.empty()) continue;
    auto& to = all[{std::get<0>(key), std::get<1>(key)}];
    to.insert(to.end(), use.cases.begin(), use.cases.end());
  }
  std::vector<std::string> out;
  for (auto& [key, values] : all) {
    std::ranges::sort(values);
    out.push_back(
        fmt::format("{} {}: p50 {:.2g}, p90 {:.2g}, p99 {:.2g}, max {:.2g} of B in {} "
                    "cases",
                    key.first, key.second, quantile(values, 0.5), quantile(values, 0.9),
                    quantile(values, 0.99), values.back(), values.size()));
  }
  return out;
}

std::vector<std::string> Headrooms::too_loose() const {
  std::vector<std::string> out;
  for (const auto& [key, use] : of_) {
    if (use.most > kLoose || use.exposure * kLoose < kShown) continue;
    const auto& [kernel, dtype, fp] = key;
    out.push_back(fmt::format(
        "{} {} under fp {}: no more than {:.2g} of B, where {} would show in {:.0f} elements",
        kernel, dtype, fp, use.most, kLoose, use.exposure * kLoose));
  }
  return out;
}

}  // namespace w4
