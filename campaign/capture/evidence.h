// What of docs/hardware this build's emulator agrees with. The build makes it (evidence_main.cpp).
#pragma once

#include <span>

#include "rdna/captured.h"

namespace w4::capture {

std::span<const rdna::Captured> silicon_evidence();

}  // namespace w4::capture
