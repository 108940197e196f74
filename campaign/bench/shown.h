// What people and programs are given of a bench (docs/bench.md).
#pragma once

#include <string>

#include "campaign/bench/rows.h"

namespace w4::bench {

std::string text_of(const Measured& r);
std::string json_of(const Measured& r);  // one line

}  // namespace w4::bench
