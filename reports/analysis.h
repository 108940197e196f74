// What was found out about a failure after its run: its document of kind "depiction" in the store.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

// With "depicted_at"; null: nobody has looked into it.
Result<nlohmann::json> stored_analysis(Store& store, const StoredFailure& f);

// One sentence without its capital and full stop, of an analysis: what the one hypothesis that fits
// says, or what the check saw. Empty: no one knows.
std::string says_of(const nlohmann::json& analysis);

}  // namespace w4
