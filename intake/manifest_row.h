// What a manifest says of a kernel, as a row of a module's table.
#pragma once

#include <string>
#include <vector>

#include "intake/manifest.h"
#include "kernels/module.h"

namespace w4 {

// The lists that a row points to; they and the manifest's kernel outlive it.
struct RowLists {
  std::vector<const char*> clauses, laws;  // NULL-terminated
  std::vector<w4_layout> zp_layouts;

  // Name, clauses, laws, zero points and numerics of `declared`; archs, data and the functions are
  // the caller's to add. `clauses`: what the kernel refuses, and what its callers see to.
  w4_kernel row(ManifestKernel& declared);
};

}  // namespace w4
