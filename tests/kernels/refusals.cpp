#include "tests/kernels/refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/case.h"
#include "core/contract.h"
#include "tests/kernels/call_of.h"

namespace w4 {

using testing::HasSubstr;

Problem problem_of(std::string_view kernel, std::string_view line) {
  const auto c = parse_case(std::string(kernel) + " " + std::string(line));
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return c ? c->problem : Problem{};
}

Reported reported_by_gfx1151(const Problem& p) { return resolve_reported(p, *find_gpu("gfx1151")); }

std::vector<std::string> declared_by(const w4_kernel& kernel) {
  std::vector<std::string> names;
  for (const char* const* c = kernel.clauses; *c != nullptr; c++) names.emplace_back(*c);
  return names;
}

void expect_known_clauses_once(const w4_kernel& kernel) {
  const auto names = declared_by(kernel);
  for (const std::string& name : names) {
    EXPECT_NE(find_clause(name), nullptr) << name;
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
  }
}

void expect_refused(const w4_kernel& kernel, const w4_call& call, const Problem& p,
                    const RefusalLine& expected) {
  SCOPED_TRACE(std::string(kernel.name) + " " + expected.line);
  Recorder recorder("gfx1151", reported_by_gfx1151(p));
  EXPECT_NE(kernel.accept(&kernel, &call, &recorder.device), 0);
  EXPECT_EQ(recorder.clause, expected.clause);
  EXPECT_THAT(recorder.message, HasSubstr(expected.value));
  EXPECT_THAT(recorder.message, HasSubstr("legal"));
  recorder.clause.clear();
  EXPECT_NE(kernel.run(&kernel, &call, &recorder.device), 0);
  EXPECT_EQ(recorder.clause, expected.clause);
  EXPECT_EQ(recorder.launches, 0);
  EXPECT_EQ(recorder.ran, "");
}

void expect_first_broken(const w4_kernel& kernel, std::span<const char* const> shapes,
                         std::span<const char* const> others) {
  auto names = declared_by(kernel);
  std::erase_if(names, [](const std::string& n) { return of_source(n); });
  int refused = 0;
  int accepted = 0;
  for (const char* shape : shapes) {
    for (const char* other : others) {
      const std::string line = std::string(shape) + " " + other;
      const Problem p = problem_of(kernel.name, line);
      const auto broken = broken_clauses(names, p, reported_by_gfx1151(p));
      const CallOf call(p);
      const Recorder recorder("gfx1151", reported_by_gfx1151(p));
      const int no = kernel.accept(&kernel, &call.call(), &recorder.device);
      EXPECT_EQ(no != 0 ? recorder.clause : "accepted",
                broken.empty() ? "accepted" : broken.front())
          << kernel.name << " " << line << ": " << recorder.message;
      (no != 0 ? refused : accepted)++;
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(accepted, 50);
}

}  // namespace w4
