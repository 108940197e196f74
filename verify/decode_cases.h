// A legal decode case from a sequence of choices, weighted to the edges: generators (props), byte
// strings (fuzz) and anything else that can choose numbers share this one vocabulary. Every
// sequence is a legal case; choice 0 is the plainest everywhere, so shrinking choices shrinks the
// case.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/case.h"

namespace w4 {

class Chooser {
 public:
  virtual ~Chooser() = default;
  // A number in [0, count), count >= 1.
  virtual int pick(int count) = 0;
};

struct CaseLimits {
  int64_t n = 64;        // largest N
  int64_t k = 2048;      // largest K away from the LDS edge
  bool lds_edge = true;  // also K*M on both sides of 32768, exactly on it, and up to 39321
  std::span<const std::string_view> devices;  // emulated archs to choose from; empty: gfx1151
};

Case choose_decode_case(Chooser& choose, const CaseLimits& limits);

// Ways of breaking one clause in a case from above. pick() chooses the values.
std::span<const std::string_view> breakable_clauses();
// The same of clauses that decode does not have, in a case of a row that does (row_cases.h).
std::span<const std::string_view> breakable_expert_clauses();
Case break_clause(Case legal, std::string_view clause, Chooser& choose);

}  // namespace w4
