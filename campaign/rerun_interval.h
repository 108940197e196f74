// What `w4check rerun --interval` prints after the verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/case.h"
#include "core/result.h"
#include "core/verdict.h"

namespace w4 {

struct Element {
  int64_t m = 0, n = 0;
};
// "3,17"; nullopt: "worst". Errors say what is legal.
Result<std::optional<Element>> parse_element(std::string_view text);

// What is known of it before the case has run: that it lies outside the output, or that the case
// has a law, whose calls the interval is not that of.
Result<void> check_element(const Case& c, std::optional<Element> element);

// `element`: nullopt is the worst of the verdict. Errors: the verdict has no worst element, or as
// interval_of (verify/case_interval.h).
Result<std::string> interval_text(const Case& c, const Verdict& v, std::optional<Element> element);

}  // namespace w4
