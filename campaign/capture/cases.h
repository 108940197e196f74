// Case lines of a capture: small legal calls of every built-in kernel, with what they wrote.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/capture/document.h"
#include "campaign/capture/replay.h"
#include "core/case.h"
#include "verify/context.h"

namespace w4::capture {

inline constexpr uint64_t kCaseSeed = 10;

// Case number `number` on an emulated arch: fp=auto, the schedule that is every device's, and the
// arch's figures where host code asks for them.
Case capture_case(std::string_view arch, int64_t number);

// Whether this build has kernels for the arch.
bool has_kernels(std::string_view arch);

// Runs it on `device`, which is hip or an emulated arch. On input: context.witness_outputs() was
// called.
CaseRecord record_case(const Case& c, const std::string& device, Context& context);

// The cases of a capture on the emulated device of its arch. `step` as record_probes has it.
Replayed replay_cases(const Capture& c, Context& context,
                      const std::function<bool(size_t done, size_t of)>& step);

}  // namespace w4::capture
