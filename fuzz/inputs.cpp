#include "fuzz/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/contract.h"
#include "fuzz/cases.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/law_cases.h"

namespace w4::fuzz {
namespace {

using RowNames = std::span<const std::string_view>;

constexpr size_t kOwnByte = 3;  // of the head

uint8_t byte_at(Bytes input, size_t i) { return i < input.size() ? input[i] : uint8_t{0}; }

CaseInput any_row(Bytes input) { return small_cases(chosen_row(input, generated_rows())); }

}  // namespace

std::span<const std::string_view> rows_of(std::string_view target) {
  static constexpr std::array<std::string_view, 1> kDecode{"decode"}, kHybrid{"hybrid"};
  static constexpr std::array<std::string_view, 2> kExperts{"moe", "moe_prefill"};
  static constexpr std::array<std::string_view, 3> kPrefill{"prefill", "prefill_dense",
                                                            "prefill_carrier"};
  if (target == "decode") return kDecode;
  if (target == "hybrid") return kHybrid;
  if (target == "moe") return kExperts;
  return target == "prefill" ? RowNames(kPrefill) : generated_rows();
}

Case legal_input(Bytes input, std::string_view target) {
  return case_of(input, small_cases(chosen_row(input, rows_of(target))));
}

Case draft_input(Bytes input, std::string_view target) {
  return draft_of(input, small_cases(chosen_row(input, rows_of(target))));
}

Case law_input(Bytes input) {
  PartChooser choose(input);
  const CaseInput how = any_row(input);
  return choose_law_case(choose, how.small, how.row);
}

Illegal illegal_input(Bytes input) {
  const CaseInput how = any_row(input);
  const std::vector<std::string> declared =
      names_in(find_kernel(builtin_module(), how.row)->clauses);
  PartChooser choose(input);
  const Case legal = choose_case(choose, how.small, how.row);
  choose.about(Part::way);
  const auto first = choose.pick(static_cast<int>(declared.size()));
  const int way = choose.pick(256);
  for (size_t i = 0; i < 4 * declared.size(); ++i) {
    const auto at = (static_cast<size_t>(first) + i) % declared.size();
    const std::string_view clause = routed_name(declared[at]).clause;
    Case c = break_clause(legal, clause, choose, way + static_cast<int64_t>(i / declared.size()));
    std::vector<std::string> broken =
        broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
    if (!broken.empty()) return {std::move(c), std::move(broken)};
  }
  std::abort();  // every row declares m.range or m.positive, which any case can break
}

Reordered schedules_input(Bytes input) {
  PartChooser choose(input);
  CaseInput how = any_row(input);
  how.small.k = 512;
  Case c = choose_case(choose, how.small, how.row);
  const Schedule own = c.sched;
  c.sched = {};
  const uint64_t seed = byte_at(input, kOwnByte);
  std::vector<Schedule> orders{{.order = Order::random, .seed = seed},
                               {.order = Order::priority, .seed = seed}};
  orders.insert(orders.begin(), own == Schedule{} ? Schedule{.order = Order::reversed} : own);
  return {std::move(c), std::move(orders)};
}

Checkpointed preparation_input(Bytes input) {
  PartChooser choose(input);
  CaseInput how = any_row(input);
  how.small.n = 64, how.small.k = 1024;
  Case c = choose_case(choose, how.small, how.row);
  return {std::move(c), byte_at(input, kOwnByte) % 5};
}

std::string class_of(const Checkpointed& input) {
  const Problem& p = input.line.problem;
  std::string out =
      fmt::format("{} {} {} {}", input.line.kernel, name_of(p.src), name_of(p.zp), name_of(p.act));
  const auto add = [&out](bool is, std::string_view word) {
    if (is) out += fmt::format(" {}", word);
  };
  add(resolved_wpad(p) != 0 || resolved_spad(p) != 0, "padded");
  add(p.cpad.value_or(0) != 0, "carrier padded");
  add(p.n0 != 0, "rows of a shard");
  add(p.k0 != 0, "columns of a shard");
  add(p.gidx != GroupIndex::none, name_of(p.gidx));
  add(p.qzeros, "unused zero points");
  add(p.n % 8 != 0, "ragged n");
  add(input.more != 0, "long rows");
  return out;
}

}  // namespace w4::fuzz
