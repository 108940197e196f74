// What explain says of a mutant's killing line, and whether it is right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "campaign/zoo/hunt.h"
#include "core/result.h"
#include "zoo/expect.h"

namespace w4::zoo {

// In a worker: explain on a case line, as JSON.
std::string explain_answer(const std::string& line);

enum class Diagnosis : uint8_t {
  right,   // a hypothesis that the mutant declares is named
  stated,  // the verdict says it itself: a finding, a refusal, a call that ran, a crash, a relation
           // that alone does not hold
  unknown,  // none is named
  wrong,    // only others are
};
std::string_view name_of(Diagnosis d);

struct Explained {
  Diagnosis diagnosis{};
  std::string said;  // names, or explain's one sentence
};

// Errors: no answer within `seconds`.
Result<Explained> explain_kill(const Expect& expect, const Killed& killed, double seconds);

}  // namespace w4::zoo
