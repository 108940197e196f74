// A kernel of a manifest that is an operator with host code of its own: the member "op".
#pragma once

#include <string>

#include "intake/manifest.h"
#include "intake/manifest_values.h"

namespace w4 {

// kernels[i], an object with the member "op"; `key` is its own. Throws Wrong.
ManifestKernel read_operator(const ManifestValues& values, const Json& v, const std::string& key);

}  // namespace w4
