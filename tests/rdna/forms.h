// Instruction texts for round trips, made from templates and the mnemonics of the table, each with
// what the decoder must understand (op_text.h). MC decides which of them an arch has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace w4::rdna {

struct Form {
  std::string text, want;
  int imms = 0;
  std::string mnemonic;
};

// The operands of a vector or scalar ALU instruction, tried until MC takes them.
struct Shape {
  std::string mnemonic;
  std::vector<std::string> dst, src;
  std::string text(const std::string& suffix = "") const;
};
std::vector<Shape> shapes_to_try(std::string_view mnemonic);

// Every variation of an ALU shape: encodings, operand kinds, modifiers, DPP.
std::vector<Form> alu_forms(const Shape& shape);

// Forms of memory, control and matrix instructions.
std::vector<Form> other_forms(std::string_view mnemonic);

// Pairs of VOPD.
std::vector<Form> dual_forms();

}  // namespace w4::rdna
