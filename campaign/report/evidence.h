// What the emulated arithmetic rests on, as a topic of the report's facts: models (fp=) and
// instructions whose evidence is weaker than the definition by IEEE.
#pragma once

#include <nlohmann/json.hpp>

namespace w4 {

// {"models": {fp: {level, says}}, "instructions": {mnemonic: {level, says, by_model}}}; level is
// "measured", "documented" or "assumed". by_model: what it rests on is said by the model in force.
nlohmann::json evidence_fact();

}  // namespace w4
