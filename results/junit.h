// JUnit XML for CI: one testsuite per suite, one testcase per case line.
#pragma once

#include <span>
#include <string>

#include "results/record.h"

namespace w4 {

// Green: passed. Harness errors, crashes, timeouts and unknown instructions: error. Skipped:
// skipped. Everything else: failure. Times in seconds. Well-formed for any bytes in the verdicts.
std::string junit_xml(std::span<const Record> records);

}  // namespace w4
