#include "verify/cases/row_cases.h"

#include <array>

#include "verify/cases/rows.h"
#include "verify/cases/signal.h"

namespace w4 {
namespace {

// Fuzz seeds name a row by its place: add at the end.
constexpr std::array<std::string_view, 8> kRows{"decode",        "chunked",         "prefill",
                                                "prefill_dense", "prefill_carrier", "hybrid",
                                                "moe",           "moe_prefill"};

}  // namespace

std::span<const std::string_view> generated_rows() { return kRows; }

Case choose_draft(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  if (row == "chunked") return choose_chunked(choose, limits);
  if (row.starts_with("prefill")) return choose_prefill(choose, limits, row);
  if (row == "hybrid") return choose_hybrid(choose, limits);
  if (row == "moe") return choose_moe(choose, limits);
  if (row == "moe_prefill") return choose_moe_prefill(choose, limits);
  return choose_decode(choose, limits);
}

Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row) {
  Case c = choose_draft(choose, limits, row);
  ensure_signal(c);
  return c;
}

}  // namespace w4
