// What `w4check report --analyse` files of a failure, as large as it gets: every part at its limit.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace w4::testing {

// The document of kind "depiction" for this line.
nlohmann::json filled_depiction(const std::string& line, uint64_t seed);

}  // namespace w4::testing
