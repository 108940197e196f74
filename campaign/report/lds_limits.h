// The gates on K times rows of the built-in kernels: where another body runs, another kernel, or a
// call is refused.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace w4 {

// {"decode": [{"elements": 32768, "says": "…"}, …], "prefill": []}: activation elements, K times M
// or, of experts, block_m; up to `elements` a call is on the near side of the gate. "rows": the
// gate concerns calls of no more rows; 0: of any.
nlohmann::json lds_limits();

}  // namespace w4
