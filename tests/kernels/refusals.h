// What the tests of every row's host checks do alike.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu.h"
#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

// Breaks one clause of a call, in the problem's terms; the refusal names the value.
struct RefusalLine {
  const char* line;  // keys of a case line
  const char* clause;
  const char* value;
};

Problem problem_of(std::string_view kernel, std::string_view line);
Reported reported_by_gfx1151(const Problem& p);

// Names of the clauses that the row declares, in its order.
std::vector<std::string> declared_by(const w4_kernel& kernel);
void expect_known_clauses_once(const w4_kernel& kernel);

// accept() and run() refuse by the clause, with the value and what is legal; nothing is launched.
// `call`: the problem's.
void expect_refused(const w4_kernel& kernel, const w4_call& call, const Problem& p,
                    const RefusalLine& expected);

// accept() refuses by the first clause that the problem breaks of those that speak of a call, and
// takes what breaks none: every shape with every other key, more than 50 of either kind.
void expect_first_broken(const w4_kernel& kernel, std::span<const char* const> shapes,
                         std::span<const char* const> others);

}  // namespace w4
