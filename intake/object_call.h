// One call of a manifest's kernel: which code it takes, its arguments, grid, block and LDS.
#pragma once

#include <vector>

#include "intake/instances.h"
#include "intake/manifest.h"
#include "kernels/module.h"

namespace w4 {

// As w4_kernel::accept and w4_kernel::run: by the manifest's clauses, then the launch. What the
// manifest computes wrongly for sizes that its clauses let through is refused as "launch".
int accept_by_manifest(const ManifestKernel& k, const w4_call& call, const w4_device& device);
int run_by_manifest(const ManifestKernel& k, const std::vector<ArchCode>& archs,
                    const w4_call& call, const w4_device& device);

}  // namespace w4
