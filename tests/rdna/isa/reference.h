// A scalar reference of a vector or scalar ALU instruction, and the check that runs a row of the
// table against it: edges by edges, then random words; all 2^16 values of a unary 16-bit source;
// modifiers, MODE's denormal, IEEE and DX10 bits, op_sel, partial EXEC; and the soundness of the
// definedness rule. References are written from the ISA documents, over bits or exact values.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/exact.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {

// A source as the operation sees it: after abs, neg and the flush of denormals.
struct In {
  uint64_t bits = 0;
  double x = 0;  // the value of a float
};
// Bits, or a value of the destination's format.
struct Out {
  uint64_t bits = 0;
  double x = 0;
  Out(uint64_t b) : bits(b) {}                                          // NOLINT
  Out(uint32_t b) : bits(b) {}                                          // NOLINT
  Out(int b) : bits(static_cast<uint64_t>(static_cast<int64_t>(b))) {}  // NOLINT
  Out(int64_t b) : bits(static_cast<uint64_t>(b)) {}                    // NOLINT
  Out(double v) : x(v) {}                                               // NOLINT
};

enum Trait : unsigned {
  kFlushes = 1,   // fp32 denormals are zero whatever MODE says
  kClamped = 2,   // run with the integer clamp set
  kNoMods = 4,    // no source or output modifier exists in any form
  kKeepsDst = 8,  // the destination is one more source (fmac), the last of `src`
  kNoOmod = 16,   // the output modifier does not exist
  kNoOpSel = 32,  // 16-bit sources lie in the low half, the result fills the word
  kOneUlp = 64,   // within one unit of the last place of the reference
};

struct Reference {
  std::string mnemonic;
  Kind dst;
  std::array<Kind, 3> src;
  std::function<Out(const In&, const In&, const In&)> f;
  unsigned traits = 0;
  // With MODE.IEEE set, where that makes another function of it (min, max of signalling NaN).
  std::function<Out(const In&, const In&, const In&)> f_ieee = nullptr;

  int sources() const {
    int n = 0;
    for (Kind k : src) n += k != Kind::none;
    return n;
  }
};

// References of vector instructions, in the tables of the files *_references.cpp.
std::vector<Reference> integer_references();
std::vector<Reference> float_references();
std::vector<Reference> convert_references();

// Runs the row on the reference's inputs; the first difference is a test failure.
void check_vector(const Reference& r);

// All references whose row is of class `isa_class`; fails when there is none.
void check_class(std::string_view isa_class);

}  // namespace w4::rdna::test
