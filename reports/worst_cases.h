// The cases of each kernel that used most of their interval, or left it.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/verdict.h"

namespace w4 {

class WorstCases {
 public:
  // `used`: |y - y~|/B of the worst element; 0 is left out. `worst` is nullptr where it was not
  // kept. NaN is more than anything.
  void add(const std::string& kernel, const Verdict& v, double used, const Worst* worst);
  // [{"kernel", "used", "kind", "line", "rerun", "fp", "instantiation", "element": {…} or null}],
  // the worst of each kernel first; equal lines once.
  nlohmann::json to_json() const;

  static constexpr size_t kKept = 10;  // of a kernel

 private:
  struct Kept {
    double used;
    std::string line, kind, fp, instantiation;
    bool element;
    Worst worst;
  };
  std::map<std::string, std::vector<Kept>> of_;
};

}  // namespace w4
