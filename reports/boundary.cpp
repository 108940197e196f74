#include "reports/boundary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/classes.h"
#include "core/hash.h"
#include "reports/joint.h"
#include "results/text.h"

namespace w4 {
namespace {

using nlohmann::json;

std::vector<double> gates_of(const json& limits, const std::string& kernel) {
  std::vector<double> out;
  // "decode of mine.so" is a version of the row "decode".
  const auto of = limits.find(kernel.substr(0, kernel.find(" of ")));
  if (of == limits.end()) return {static_cast<double>(kLdsElements)};
  for (const json& gate : *of) out.push_back(gate.at("elements"));
  return out;
}

}  // namespace

// Skipped cases say nothing; a call without rows or columns has no place on such axes.
void Boundary::add(const Case& c, const Verdict& v) {
  const size_t fate = fate_of(v);
  const int64_t rows = staged_rows(c.problem);
  if (kFates.at(fate) == "skipped" || c.problem.k < 1 || rows < 1) return;
  Kernel& kernel = kernels_[kernel_label(c)];
  ++kernel.points[{c.problem.k, rows, fate}];
  if (c.problem.lds) ++kernel.reported[*c.problem.lds];
}

json Boundary::to_json(const json& limits) const {
  json names = json::array(), reported = json::array();
  json kernel = json::array(), k = json::array(), rows = json::array(), verdict = json::array(),
       cases = json::array();
  size_t all = 0;
  const size_t share = kMost / std::max<size_t>(kernels_.size(), 1);
  for (const auto& [name, of] : kernels_) {
    const std::vector<double> gates = gates_of(limits, name);
    using Point = std::pair<const Place, int64_t>;
    std::vector<const Point*> kept, others;
    for (const Point& p : of.points) {
      const double product = static_cast<double>(p.first.k) * static_cast<double>(p.first.rows);
      const bool must =
          kFates.at(p.first.fate) == "red" ||
          std::ranges::any_of(gates, [&](double g) { return std::abs(product - g) <= g * kNear; });
      (must ? kept : others).push_back(&p);
    }
    // Those that go are spread over all of them, and the same each time.
    const size_t room = share - std::min(share, kept.size());
    if (others.size() > room) {
      const auto order = [](const Point* p) {
        return mixed(mixed(mixed(0, static_cast<uint64_t>(p->first.k)),
                           static_cast<uint64_t>(p->first.rows)),
                     p->first.fate);
      };
      std::ranges::sort(others, {}, order);
      others.resize(room);
    }
    kept.insert(kept.end(), others.begin(), others.end());
    std::ranges::sort(kept, {}, [](const Point* p) { return p->first; });
    for (const Point* p : kept) {
      kernel.push_back(names.size());
      k.push_back(p->first.k);
      rows.push_back(p->first.rows);
      verdict.push_back(p->first.fate);
      cases.push_back(p->second);
    }
    for (const auto& [bytes, n] : of.reported) {
      reported.push_back({{"kernel", names.size()}, {"bytes", bytes}, {"cases", n}});
    }
    all += of.points.size();
    names.push_back(printable_utf8(name));
  }
  return {{"kernels", std::move(names)},
          {"all", all},
          {"reported", std::move(reported)},
          {"points",
           {{"kernel", std::move(kernel)},
            {"k", std::move(k)},
            {"rows", std::move(rows)},
            {"verdict", std::move(verdict)},
            {"cases", std::move(cases)}}}};
}

}  // namespace w4
