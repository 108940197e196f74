// A mutation: one instruction of one kernel runs otherwise than its code says. The key `mutate` of
// a case line, so that what a mutated run showed is rerun from its line.
//   SYMBOL+0xPC:OPERATOR[:VARIANT]      w4_decode_small_m1+0x21e10:swap_sources
// PC is the address as linked, VARIANT tells apart what an operator can do to one instruction
// (rdna/mutation.h enumerates both). docs/score.md says what each operator means.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

enum class MutationKind : uint8_t {
  drop_barrier,
  drop_wait,
  drop_store,
  drop_sum,
  drop_compare,
  drop_mask,
  invert_compare,
  strict_compare,
  invert_branch,
  leave_loop,
  repeat_loop,
  offset,
  lanes,
  swap_sources,
  shift,
  immediate,
  wrong_register,
  half,
  operation,
  round_to_zero,
};
inline constexpr int kMutationKinds = static_cast<int>(MutationKind::round_to_zero) + 1;

std::string_view name_of(MutationKind k);
std::string_view meaning_of(MutationKind k);  // a few words, for help

struct Mutation {
  std::string symbol;  // of the kernel; empty: nothing is mutated
  uint64_t pc = 0;
  MutationKind kind{};
  std::string variant{};  // empty where the operator has one at that instruction

  bool none() const { return symbol.empty(); }
  bool operator==(const Mutation&) const = default;
};

inline constexpr std::string_view kLegalMutations =
    "none, or SYMBOL+0xPC:OPERATOR[:VARIANT] (see docs/score.md)";

// Refuses with a text that names the part, its value and what is legal.
Result<Mutation> parse_mutation(std::string_view text);
std::string to_string(const Mutation& m);  // parse_mutation's inverse; "none"

}  // namespace w4
