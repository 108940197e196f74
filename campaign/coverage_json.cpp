#include "campaign/coverage_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/coverage_rows.h"
#include "results/text.h"

namespace w4 {

using nlohmann::json;

json coverage_json(const rdna::Coverage& coverage, const std::regex& names, const CoveredBy& by) {
  const std::vector<CoveredKernel> all = covered_kernels(coverage, names);
  json kernels = json::array(), never = json::array(), partly = json::array();
  for (const CoveredKernel& k : all) {
    kernels.push_back({{"kernel", printable_utf8(k.info->demangled)},
                       {"arch", k.counts->object->arch()},
                       {"instructions", k.listing.instructions},
                       {"run", k.listing.instructions_run},
                       {"edges", k.listing.edges},
                       {"edges_run", k.listing.edges_run},
                       {"launches", k.counts->launches},
                       {"waves", k.counts->waves}});
  }
  const std::vector<CoveredLine> lines = covered_lines(all);
  for (const CoveredLine& l : lines) {
    if (l.entered == l.kernels) continue;
    json row = {{"source", printable_utf8(fmt::format("{}:{}", l.file, l.line))},
                {"instructions", l.instructions},
                {"kernels", l.kernels}};
    if (l.run > 0) {
      row["entered"] = l.entered;
      row["run"] = l.run;
    }
    (l.run == 0 ? never : partly).push_back(std::move(row));
  }
  return {{"cases", by.cases},
          {"red", by.red},
          {"kernels", std::move(kernels)},
          {"lines",
           {{"all", lines.size()}, {"never", std::move(never)}, {"partly", std::move(partly)}}}};
}

}  // namespace w4
