// What all properties share: RapidCheck's choices as a Chooser, and the number of cases.
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cases/row_cases.h"

namespace w4 {

// Inside a generator or property body: each pick is one generated, shrinkable number, uniform
// whatever RapidCheck's size is.
class RapidChooser final : public Chooser {
 public:
  int pick(int count) override;
};

// gfx1151 and one other arch: the one that W4_PROPS_ARCH names, gfx1201 where it does not. Says on
// first use which.
std::span<const std::string_view> props_devices();

// The clauses that a built-in row declares, with their routes.
std::vector<std::string> declared_clauses(std::string_view row);

// A generator of legal cases of a row on props_devices().
rc::Gen<Case> legal_case(std::string_view row);
// The same of small ones: K up to 1024, no model layers, no edges of arrays.
rc::Gen<Case> small_legal_case(std::string_view row);

// Runs `property` on generated values: `cases` times the number in W4_PROPS_CASES. A seed in
// RC_PARAMS is kept. True where it held; RapidCheck prints the shrunk counterexample otherwise.
bool check_property(const char* name, int cases, const std::function<void()>& property);

// RapidCheck prints a case as its line.
void showValue(const Case& c, std::ostream& out);

}  // namespace w4
