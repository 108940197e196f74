// What `w4check audit selection` proves, by enumeration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/module.h"
#include "kernels/selection.h"

namespace w4 {

struct SelectionAudit {
  struct Row {
    std::string entry;
    int64_t takes = 0, wins = 0;
    std::string first;  // the first layer it wins; where it wins none, the entry that shadows it
    bool inferred = false;
  };
  int64_t layers = 0;
  std::vector<Row> rows;           // by priority
  std::vector<std::string> notes;  // what is known and named
  std::vector<std::string> wrong;  // culprits; empty: proved
};

// Archs x quant types x dtypes x G x K x N x g_idx; every value that a rule of any table here or a
// kernel's clause changes at.
std::vector<Layer> selection_layers();

// Every entry wins somewhere or is named with the one that shadows it; the golden layers have their
// winners.
void audit_reach(const SelectionTable& table, const std::vector<Layer>& layers,
                 SelectionAudit& out);

// For entries with a kernel: can_implement says yes exactly where the accept() of that kernel of
// the module does, for M of 0, 1, 5, 6 and 300, with descriptors alone.
void audit_launches(const SelectionTable& table, const w4_module& module,
                    const std::vector<Layer>& layers, SelectionAudit& out);

// For every kernel of the module: each call that it accepts (M, G, dtype, zero points, every tile
// that is legal for its row, archs with code) launches a symbol that the code object has, and says
// that it ran what was wanted.
void audit_instantiations(const w4_module& module, SelectionAudit& out);

}  // namespace w4
