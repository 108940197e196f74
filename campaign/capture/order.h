// How a GPU adds in its dot products and matrix instructions: operands on which the order of the
// sums, the width of the adder and what becomes of the bits below it show, put in words; and which
// arithmetic model gives the same.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/capture/bench.h"
#include "campaign/capture/document.h"

namespace w4::capture {

// Runs a probe.
using Ask = std::function<Result<std::vector<uint32_t>>(const Operands&)>;
using Facts = std::vector<std::pair<std::string, std::string>>;

// Whether there is an order to ask about: dot products and matrix instructions of fp16 and bf16.
bool has_order(const Probe& p);

// Facts of a probe with an order and fp32 results; of others none.
Result<Facts> facts_of(const Probe& p, int family, const Ask& ask);

// The device's facts, and each model's agreement with `results` of `operands`, as the emulated
// device of the same arch gives them.
Result<OrderRecord> order_of(const Probe& p, Bench& device, Bench& emulator,
                             const Operands& operands, const std::vector<uint32_t>& results);

}  // namespace w4::capture
