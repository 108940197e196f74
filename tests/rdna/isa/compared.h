// The honesty of the table's test column: every row must have had its result compared with a
// reference, by name, in the suite of its class (isa_class in rdna/catalogue.h).
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string_view>

#include "rdna/table.h"

namespace w4::rdna::test {

// Called where a result of `mnemonic` is compared with its reference, and nowhere else.
void compared(std::string_view mnemonic);

template <class A, class B>
testing::AssertionResult result_is(std::string_view mnemonic, const A& got, const B& want) {
  compared(mnemonic);
  if (got == want) return testing::AssertionSuccess();
  return testing::AssertionFailure() << mnemonic << " gives " << testing::PrintToString(got)
                                     << ", the reference " << testing::PrintToString(want);
}

// Rows without a value to compare, with the reason, which is printed.
struct Exempt {
  std::string_view mnemonic, why;
};

// At the end of the program: fails for each row of `rows` that no test compared. Counts only suites
// all of whose tests ran, and says which did not.
class EveryRowCompared : public testing::Environment {
 public:
  EveryRowCompared(std::vector<const Row*> rows, std::span<const Exempt> exempt)
      : rows_(std::move(rows)), exempt_(exempt) {}
  void TearDown() override;

 private:
  std::vector<const Row*> rows_;
  std::span<const Exempt> exempt_;
};

}  // namespace w4::rdna::test
