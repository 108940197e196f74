// Handlers that the decoder binds itself, beside those of the table.
#pragma once

#include <string_view>

#include "rdna/op.h"
#include "rdna/wave.h"

namespace w4::rdna {

// Stops the launch as Unsupported. `why` chooses one of a fixed set of sentences.
Handler run_unsupported(std::string_view why);
// Waits and scheduling hints: memory is complete when its instruction is, so they do nothing.
void run_nothing(Wave& w, const Op& op);
// DPP: permutes src[0] into the machine's own row, narrows EXEC and runs the plain op (`second`).
Handler run_dpp(Track t);
// Lanes whose DPP source lane gives a value, and lanes that a DPP form writes (before EXEC).
uint32_t dpp_valid_lanes(const Wave& w, const Op& op);
uint32_t dpp_enabled_lanes(const Wave& w, const Op& op);
// Lanes it would write if their source lane were active.
uint32_t dpp_from_inactive(const Wave& w, const Op& op);
// VOPD: both halves read before either writes.
Handler run_dual(Track t, bool y_reads_x);

}  // namespace w4::rdna
