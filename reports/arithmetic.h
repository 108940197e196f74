// What the arithmetic of a run rests on: for each verdict the weakest evidence of the instructions
// it used, under the model of arithmetic (fp=) that was in force.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "reports/section.h"

namespace w4 {

class ArithmeticUsed {
 public:
  void add(const Seen& seen);
  // `evidence`: facts.evidence of the command (docs/report.md); null: what is not known is said so.
  nlohmann::json finish(const nlohmann::json& evidence) const;

 private:
  struct Used {
    int64_t cases = 0;                    // those of not_kept_ too
    std::map<std::string, int64_t> sets;  // cases by instructions of weaker evidence than IEEE
  };
  std::map<std::string, Used> by_model_;  // by fp
  int64_t not_kept_ = 0;                  // rows of campaigns that keep no list of instructions
};

}  // namespace w4
