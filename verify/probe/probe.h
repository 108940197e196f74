// `w4check probe`: what a kernel really does with its operands, recovered from outputs alone and
// held against what it declares. Operands are written bit by bit (rig.h), never prepared, so that
// nothing of the declared layouts is believed; the two encodings of zero points are told apart by
// their values.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "verify/context.h"

namespace w4::probe {

enum class Status : uint8_t { ok, differs, not_probed };
std::string_view name_of(Status s);

struct Property {
  std::string name;                 // "weight codes", "zero-point encoding", …
  std::string declared, recovered;  // with this call's numbers; recovered: why it was not probed
  std::string rule;                 // declared, for any call
  Status status = Status::ok;
};

// What one kind of call shows: one dtype, encoding, group size and number of rows.
struct Probed {
  Case line;
  std::vector<Property> properties;
  // Where something differs: what the checks find with buffers of the exact size.
  std::vector<std::string> findings;
  std::string error;  // the kernel does not take the call, or does not end: nothing was probed
};

// The calls that a kernel of a module is probed with: both dtypes, every encoding of zero points,
// G = 32, 64 and 128, few rows and many, as far as its clauses let them through. `base` names
// kernel, module and device. `left_out`: the others, with the clause.
std::vector<Case> calls_of(const Case& base, Context& context, std::vector<std::string>& left_out);

// Any call of a known kernel; never throws for what a module does. The line's own fill and checks
// count for nothing.
Probed probe(const Case& line, Context& context);

}  // namespace w4::probe
