// Cases for the clauses of the contract, each of which breaks its clause and no other; k.step comes
// with k.group, which it follows from wherever G is legal.
#pragma once

#include <span>
#include <string_view>

namespace w4 {

struct RefusalLine {
  std::string_view clause;  // of core/contract.h
  std::string_view line;
};
std::span<const RefusalLine> refusal_lines();

}  // namespace w4
