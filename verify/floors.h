// Whether a suite saw what it claims to cover (oracles.md 8): every value of a class that matters
// at least its floor of times. A suite below a floor fails.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Coverage {
 public:
  // Counts a case that ran and was judged; `v` supplies the instantiation.
  void add(const Case& c, const Verdict& v);
  // class ("m", "m range", "g", "zp", "bias", "fill", "fp", "device", "k*m", "k tail", "n tail",
  // "src", "dtype", "instantiation", "verdict", "code", "zero", "group"; with experts "tokens",
  // "block_m", "route", "rows", "silu", "padding" (rows of blocks that are no slot's), "form") ->
  // value -> cases.
  const std::map<std::string, std::map<std::string, int64_t>>& counts() const { return counts_; }
  int64_t cases() const { return cases_; }

  struct Floor {
    std::string name, value;
    double share;  // of all cases; the floor is at least one case
  };
  // One sentence for each floor that is not reached.
  std::vector<std::string> below(const std::vector<Floor>& floors) const;
  // One line per class.
  std::string text() const;

 private:
  std::map<std::string, std::map<std::string, int64_t>> counts_;
  int64_t cases_ = 0;
};

// What any suite of legal decode cases must show: every M, G, dtype, zero-point mode, both sides
// of the LDS edge, ragged and whole tiles, all 16 codes and zero points.
std::vector<Coverage::Floor> decode_floors();
// The same of expert layers: tokens, block_m, G, dtype, zero points, routings, orders of rows,
// silu, padding, forms.
std::vector<Coverage::Floor> moe_floors();

// The same for a row of choose_case (row_cases.h): what it takes of these.
std::vector<Coverage::Floor> row_floors(std::string_view row);

}  // namespace w4
