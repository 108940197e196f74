// What two failing verdicts must have alike to be one failure seen twice: what shrinking keeps.
#pragma once

#include <string>

#include "core/verdict.h"

namespace w4 {

// Of the primary verdict the kind and what names it: the kind of the first finding, the law, the
// clause, the reason, the signal, the instruction; never numbers that depend on the shape. And
// whether the call was legal: a clause that is broken without a refusal stays the same one.
struct Failure {
  VerdictKind kind{};
  std::string name;      // "lds_oob", "k.group"; empty where the kind says it all
  std::string accepted;  // the clause of an Accepted outcome, primary or attached

  bool operator==(const Failure&) const = default;
};
Failure failure_of(const Verdict& v);

// Findings may come several at once: any of the kind will do.
bool shows(const Verdict& v, const Failure& failure);

// "mismatch", "finding lds_oob", "refused k.group".
std::string to_string(const Failure& f);

}  // namespace w4
