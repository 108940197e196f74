// What the operators of mutation (mutation.h) need to know of an instruction, by its mnemonic.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace w4::rdna {

// The compare or branch that gives the opposite; empty: there is none.
std::string opposite(std::string_view mnemonic);
// < for <=, > for >=, and back.
std::string other_strictness(std::string_view mnemonic);
// add for sub, and for or, min for max, arithmetic for logical shift, and back.
std::string other_operation(std::string_view mnemonic);

bool waits_for_loads(std::string_view mnemonic);
// A store, or an atomic without a result. `ndst`: destinations of the instruction.
bool only_stores(std::string_view mnemonic, int ndst);
// Adds to something: a sum where one of its sources is its destination.
bool sums(std::string_view mnemonic);

// Bytes by which an offset moves to be one element off: the size of the access, at most a word, or
// 1 where offsets count elements. 0: no address.
int address_step(std::string_view mnemonic);

// SOPK: arithmetic and compares with a constant in imm[0].
bool has_immediate(std::string_view mnemonic);

enum class ConstantUse { other, lanes, shift, number, mask, half_float };
ConstantUse use_of_constant(std::string_view mnemonic, int source);

// The two sources of a non-commutative operation.
std::optional<std::pair<int, int>> ordered_sources(std::string_view mnemonic);

}  // namespace w4::rdna
