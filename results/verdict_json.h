// Verdict <-> JSON, lossless: what a worker answers, what the store keeps, what --json writes.
//   {"line": "decode …", "kind": "pass", "green": true, "outcomes": [{"kind": "pass", …}], "ran":
//   {…}}
// Infinities and NaN, which JSON lacks, are the strings "inf", "-inf", "nan". Text that is not
// UTF-8 is written with \xNN escapes (results/text.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/verdict.h"

namespace w4 {

nlohmann::json verdict_to_json(const Verdict& v);

// A number as above, for other documents.
nlohmann::json number_to_json(double v);

// One line, no newline inside or at the end.
std::string verdict_to_text(const Verdict& v);

// Errors name the member that is missing or has the wrong type. `kind` and `green` are derived
// again, so that a stored row cannot call itself green.
Result<Verdict> verdict_from_text(std::string_view text);

}  // namespace w4
