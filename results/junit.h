// JUnit XML for CI: one testsuite per suite, one testcase per case line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "results/record.h"

namespace w4 {

// Green: passed. Harness errors, crashes, timeouts and unknown instructions: error. Skipped:
// skipped. Everything else: failure. Times in seconds. Well-formed for any bytes in the verdicts.
std::string junit_xml(std::span<const Record> records);

// The same in pieces, for what does not fit into memory: head, for each suite its start, its cases
// and its end, tail.
struct JunitCounts {
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  void add(VerdictKind kind, bool green, int64_t cases, double took);
};
std::string junit_head();
std::string junit_suite(std::string_view name, const JunitCounts& counts);
std::string junit_case(const Record& record);
std::string junit_suite_end();
std::string junit_tail();

}  // namespace w4
