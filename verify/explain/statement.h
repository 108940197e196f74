// What a verdict means, in a sentence for whoever has to act on it.
#pragma once

#include <string>

#include "core/verdict.h"

namespace w4::explain {

std::string statement(const Verdict& v);

// Whether outputs may be wrong in a way that hypotheses speak about: findings, broken relations,
// mismatches.
bool about_outputs(const Verdict& v);

}  // namespace w4::explain
