// The way out of a handler: findings and stops. A handler never throws and never exits.
#pragma once

#include <string>

#include "core/finding.h"
#include "rdna/wave.h"

namespace w4::rdna {

// Reports a finding for the lanes in `lanes` (0: the whole wave) at `op`. The wave stops;
// the others of its workgroup go on, but what may follow from the missing wave is not reported.
// `detail` says what the numbers were.
void found(Wave& w, const Op& op, FindingKind kind, uint32_t lanes, std::string detail);

// The same with what only the memory checks know: buffer, offset, bytes, the other party. Kernel,
// place, instruction and source line are filled in here; `f.at.lane` only if it is still -1.
void report(Wave& w, const Op& op, Finding f, uint32_t lanes);

// Stops the launch: the emulator does not implement this (Unsupported, never a guess).
void unsupported(Wave& w, const Op& op, std::string why);

// An instruction was used in a way the ISA does not allow between lanes. Only when the check
// `lanes` is on; `detail` is a literal, so that the caller pays nothing.
void misuse(Wave& w, const Op& op, FindingKind kind, uint32_t lanes, std::string_view detail);

// Undefined lanes reached a place where they matter. Only when the check `uninit` or `lanes` is on;
// which of the two it is, and so the kind of the finding, only the confirming run knows.
void undefined(Wave& w, const Op& op, FindingKind kind, uint32_t lanes);

}  // namespace w4::rdna
