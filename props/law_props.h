// What the properties of laws share: cases of a row with law=, judged, counted and held against
// floors.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/law.h"
#include "props/run_props.h"

namespace w4 {

struct LawCheck {
  Law law;
  int cases = 10;  // of each row
  // Share of all cases that are judged bit for bit (for laws that never are: judged at all), at
  // least, in every row; and in single ones.
  double floor = 0;
  std::vector<std::pair<std::string_view, double>> floor_of{};
};

// One test a row: TEST_P(…) { check({…}); }
class LawProperty : public testing::TestWithParam<std::string_view> {
 protected:
  void check(const LawCheck& what) const;
};

// The rows that laws are checked over: every row with a generator.
inline auto law_rows() { return testing::ValuesIn(generated_rows()); }
inline std::string law_row_name(const testing::TestParamInfo<std::string_view>& info) {
  return std::string(info.param);
}

}  // namespace w4

// Defines the test class of a law's file, over every row.
#define W4_LAW_PROPERTY(Name)             \
  class Name : public w4::LawProperty {}; \
  INSTANTIATE_TEST_SUITE_P(Rows, Name, w4::law_rows(), w4::law_row_name)
