#include "verify/cases/break_clause.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/contract.h"
#include "verify/cases/breaks.h"

namespace w4 {
namespace {

const Break* find_break(std::string_view clause) {
  for (const auto all : {breaks_of_sizes(), breaks_of_tensors(), breaks_of_experts()}) {
    const auto found = std::ranges::find(all, clause, &Break::clause);
    if (found != all.end()) return &*found;
  }
  return nullptr;
}

struct Never {
  std::string_view row, clause, why;  // row: empty for all
};
constexpr std::array kNever{
    Never{"", "k.step", "every legal G is a multiple of 16: what breaks it breaks k.group"},
    Never{"", "index.width", "the smallest case that breaks it is larger than kCaseBytes"},
    Never{"", "index.wide", "the smallest case that breaks it is larger than kCaseBytes"},
    Never{"prefill_carrier", "source.octet",
          "its zero points are packed: an N that breaks it breaks zp.octet"},
    Never{
        "moe", "source.octet",
        "from ct, packed zero points alone go along N: an N that breaks it breaks zp.octet; other "
        "sources break source.experts, unpacked zero points zp.encoding"},
    Never{"moe_prefill", "source.octet", "as for moe"},
};

}  // namespace

std::span<const std::string_view> breakable_clauses() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> out;
    for (const auto some : {breaks_of_sizes(), breaks_of_tensors(), breaks_of_experts()}) {
      for (const Break& b : some) out.push_back(b.clause);
    }
    return out;
  }();
  return all;
}

Case break_clause(Case c, std::string_view clause, Chooser& choose) {
  const Break* b = find_break(clause);
  choose.about(Part::way);
  return break_clause(std::move(c), clause, choose, b == nullptr ? 0 : choose.pick(b->ways));
}

Case break_clause(Case c, std::string_view clause, Chooser& choose, int64_t way) {
  Problem& p = c.problem;
  choose.about(Part::way);
  // Strides that are given fit the sizes as they were.
  p.lda = p.ldl = p.lead = p.ldy = p.ldb = Auto{};
  if (const Break* b = find_break(clause)) b->apply(p, static_cast<int>(way % b->ways), choose);
  return c;
}

Case no_rows(Case c) {
  Problem& p = c.problem;
  p.m = 0;
  p.lda = p.ldl = p.lead = p.ldy = p.ldb = Auto{};
  // What the route to decode alone takes is no matter of M.
  if (c.kernel == "hybrid") p.tile = {};
  return c;
}

std::optional<std::string_view> never_alone(std::string_view row, std::string_view clause) {
  for (const Never& n : kNever) {
    if (n.clause == clause && (n.row.empty() || n.row == row)) return n.why;
  }
  return {};
}

}  // namespace w4
