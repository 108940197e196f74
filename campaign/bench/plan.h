// Which calls `w4check bench` measures.
#pragma once

#include <string>
#include <vector>

#include "campaign/bench/asked.h"
#include "campaign/bench/rows.h"

namespace w4::bench {

// In the order kernel, act, zp, shape, M; a layer is one of TP 1. Errors name the option.
Result<std::vector<Wanted>> plan(const Asked& asked);

// "qkv, gate_up of Qwen3-8B, m 1 to 5, …": the name under which the result is filed.
std::string to_string(const Asked& asked);

}  // namespace w4::bench
