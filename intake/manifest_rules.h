// What a manifest says of its kernel in names: clauses (core/contract.h), numerics
// (declarations.h), laws that hold bit for bit (core/law.h). Keys are their own:
// "kernels[0].clauses". All throw Wrong.
#pragma once

#include <string>
#include <vector>

#include "intake/manifest.h"
#include "intake/manifest_values.h"

namespace w4 {

// The clauses that follow from the arguments alone; first in the kernel's list.
void imply_clauses(ManifestKernel& k);
void read_clauses(const ManifestValues& values, const Json& v, const std::string& key,
                  std::vector<std::string>& into);
// Built-in kernels whose declaration is one for all calls: what "numerics": {"of": …} may name.
std::vector<const w4_kernel*> kernels_with_numerics();
void read_numerics(const ManifestValues& values, const Json& v, const std::string& key,
                   ManifestKernel& k);
void read_laws(const ManifestValues& values, const Json& v, const std::string& key,
               ManifestKernel& k);

}  // namespace w4
