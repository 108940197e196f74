// One member of a manifest's "kernels": the kernel of a code object.
#pragma once

#include <string>

#include "intake/manifest.h"
#include "intake/manifest_values.h"

namespace w4 {

// `key`: "kernels[0]". Throws Wrong.
std::string read_kernel_name(const ManifestValues& values, const Json& v, const std::string& key);
ManifestKernel read_kernel(const ManifestValues& values, const Json& v, const std::string& key);

}  // namespace w4
