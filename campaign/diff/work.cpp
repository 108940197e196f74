#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/diff/job.h"

namespace w4::diff {
namespace {

using nlohmann::json;

// Differences of counts below one in a hundred say nothing about a machine.
constexpr double kShown = 0.01;

struct Changed {
  Case at;
  double a = 0, b = 0;
  double factor() const { return a > 0 ? b / a : b > 0 ? INFINITY : 1; }
  double size() const { return std::abs(std::log(std::max(factor(), 1e-9))); }
};

}  // namespace

Section work(Job& job) {
  Section s{.name = "work",
            .header = {"kernel", "figure", "calls", "A", "B", "B over A", "most at"},
            .unit = "calls counted"};
  std::vector<Case> cases;
  for (const Compared& k : job.kernels) {
    for (const std::string& device : job.devices) {
      const std::vector<Case> more = work_cases(k, device);
      cases.insert(cases.end(), more.begin(), more.end());
    }
  }
  s.planned = static_cast<int64_t>(cases.size());
  std::map<std::pair<std::string, std::string>, std::vector<Changed>> changed;
  std::map<std::string, int64_t> counted, one_only, neither;
  for (const Case& c : cases) {
    if (job.pair.gave_up(c.kernel)) continue;
    const auto r = job.pair.both("work", c);
    if (!r) break;
    ++s.done;
    job.progress(s);
    if (!r->at(kA).ok() || !r->at(kB).ok()) {
      ++(r->at(kA).ok() || r->at(kB).ok() ? one_only : neither)[c.kernel];
      continue;
    }
    ++counted[c.kernel];
    for (const auto& [name, value] : r->at(kA).said.at("figures").items()) {
      const Changed d{c, value, r->at(kB).said.at("figures").at(name)};
      if (d.a == d.b || std::abs(d.b - d.a) < kShown * std::max(d.a, d.b)) continue;
      changed[{c.kernel, name}].push_back(d);
    }
  }
  for (const auto& [at, all] : changed) {
    const auto& [kernel, figure] = at;
    const Changed& most = *std::ranges::max_element(all, {}, &Changed::size);
    const Problem& p = most.at.problem;
    Row row;
    row.keys = {fmt::format("{}/{}", kernel, key_of(figure))};
    row.cells = {kernel,
                 figure,
                 fmt::format("{} of {}", all.size(), counted[kernel]),
                 fmt::format("{:.5g}", most.a),
                 fmt::format("{:.5g}", most.b),
                 fmt::format("{:.3f}", most.factor()),
                 fmt::format("m={} n={} k={} {}", p.m, p.n, p.k, most.at.device)};
    row.below = {"A: " + job.pair.rerun(kA, most.at), "B: " + job.pair.rerun(kB, most.at)};
    json each = json::array();
    for (const Changed& c : all)
      each.push_back({{"line", to_string(c.at)}, {"a", c.a}, {"b", c.b}});
    row.json = {{"calls", std::move(each)}};
    job.add(s, std::move(row));
  }
  for (const auto& [kernel, n] : one_only) {
    s.notes.push_back(fmt::format(
        "{}: {} calls are green in one only, and cannot be compared (see contract, bits)", kernel,
        n));
  }
  for (const auto& [kernel, n] : neither)
    s.notes.push_back(fmt::format("{}: {} calls are green in neither", kernel, n));
  job.note_given_up(s);
  s.notes.emplace_back("counts of what the code asks of a machine, not times");
  return s;
}

}  // namespace w4::diff
