#include "reports/worst_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/rerun.h"
#include "results/text.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using nlohmann::json;

json element_json(const Worst& w) {
  return {{"m", w.m},
          {"n", w.n},
          {"got", number_to_json(w.got)},
          {"low", number_to_json(w.low)},
          {"high", number_to_json(w.high)},
          {"twin", number_to_json(w.twin)},
          {"bound", number_to_json(w.bound)}};
}

}  // namespace

void WorstCases::add(const std::string& kernel, const Verdict& v, double used, const Worst* worst) {
  if (std::isnan(used)) used = std::numeric_limits<double>::infinity();
  if (used == 0) return;
  std::vector<Kept>& of = of_[kernel];
  if (of.size() == kKept && !(used > of.back().used)) return;
  if (std::ranges::find(of, v.line, &Kept::line) != of.end()) return;
  const auto at = std::ranges::find_if(of, [&](const Kept& k) { return used > k.used; });
  of.insert(at, {used, v.line, std::string(name_of(v.kind())), v.ran.fp, v.ran.instantiation,
                 worst != nullptr, worst != nullptr ? *worst : Worst{}});
  if (of.size() > kKept) of.pop_back();
}

json WorstCases::to_json() const {
  json out = json::array();
  for (const auto& [kernel, kept] : of_) {
    for (const Kept& k : kept) {
      const std::string line = printable_utf8(k.line);
      out.push_back({{"kernel", printable_utf8(kernel)},
                     {"used", number_to_json(k.used)},
                     {"kind", k.kind},
                     {"line", line},
                     {"rerun", command_to_rerun(line)},
                     {"fp", printable_utf8(k.fp)},
                     {"instantiation", printable_utf8(k.instantiation)},
                     {"element", k.element ? element_json(k.worst) : json()}});
    }
  }
  return out;
}

}  // namespace w4
