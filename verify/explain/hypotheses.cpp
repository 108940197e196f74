#include "verify/explain/hypothesis.h"

namespace w4::explain {

std::span<const Hypothesis> all_hypotheses() {
  static const std::vector<Hypothesis> all = [] {
    std::vector<Hypothesis> out;
    for (const auto family : {group_hypotheses(), zero_hypotheses(), weight_hypotheses(),
                              scale_hypotheses(), bias_hypotheses(), act_hypotheses(),
                              expert_hypotheses(), output_hypotheses(), numeric_hypotheses()}) {
      out.insert(out.end(), family.begin(), family.end());
    }
    return out;
  }();
  return all;
}

}  // namespace w4::explain
