// The cases of a run as points, K against the rows of activations that a workgroup holds: where
// they lie beside the LDS limits. Equal ones are one point; of many points some are left out.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Boundary {
 public:
  void add(const Case& c, const Verdict& v);
  // `limits`: of each kernel its gates, [{"elements", …}], as the facts have them; null where they
  // are not known. {"points": {"kernel": [name index], "k", "rows", "verdict", "cases"}, "kernels",
  // "all", "reported": [{"kernel", "bytes", "cases"}]}. About kMost points are kept: every red one,
  // every one within kNear of a limit, and of the others as many as there is room for, the kernels
  // alike.
  nlohmann::json to_json(const nlohmann::json& limits) const;

  static constexpr size_t kMost = 5000;
  static constexpr double kNear = 1.0 / 16;

 private:
  struct Place {
    int64_t k, rows;
    size_t fate;
    auto operator<=>(const Place&) const = default;
  };
  struct Kernel {
    std::map<Place, int64_t> points;
    std::map<int64_t, int64_t> reported;  // LDS bytes that a device was said to have -> cases
  };
  std::map<std::string, Kernel, std::less<>> kernels_;
};

}  // namespace w4
