// What can be done to one decoded instruction (core/mutation.h): no compiler and no encoder, an Op
// that differs. A variant is one such change; the operators are those of docs/score.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/mutation.h"
#include "core/result.h"
#include "rdna/program.h"

namespace w4::rdna {

struct Variant {
  // How the changed instruction runs: as its Op says, or as a loop's branch that goes the other way
  // the first time that it would be taken (leave), or would not be (repeat).
  enum class Way : uint8_t { as_op, leave, repeat };

  MutationKind kind{};
  std::string name;       // Mutation::variant
  Op op;                  // without `second` where `inner` stands for it
  std::vector<Op> inner;  // of a DPP form its plain op, of VOPD its X and Y
  Way way = Way::as_op;
};

// Every change of the instruction at pc, in a stable order; no two have the same kind and name.
// Waits run, and so matter, only in a program that keeps them.
std::vector<Variant> variants(Program& program, uint64_t pc);

// The mutations of the kernel `symbol`, whose program this is, at linked addresses, in their order.
std::vector<Mutation> enumerate_mutations(Program& program, const std::string& symbol,
                                          std::span<const uint64_t> pcs);

}  // namespace w4::rdna
