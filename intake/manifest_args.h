// The arguments of a manifest's kernel: what each is, and where in which layout a tensor lies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "intake/manifest.h"
#include "intake/manifest_values.h"

namespace w4 {

std::string_view name_of(Role role);
std::vector<std::string_view> layout_names(Role role);  // legal in a manifest

// The values of "tensor" and "layout" of an argument; `key` is the argument's. Throw Wrong.
Role read_role(const ManifestValues& values, const Json& v, const std::string& key);
w4_layout read_layout(const ManifestValues& values, const Json& v, const std::string& key,
                      Role role);

// The member "optional" of a tensor, where there is one. Throws Wrong.
void read_optional(const ManifestValues& values, const Json& v, const std::string& key,
                   ManifestArg& a);

// The member "args" of kernels[i]; `key` is its own: "kernels[0].args". Throws Wrong.
std::vector<ManifestArg> read_args(const ManifestValues& values, const Json& v,
                                   const std::string& key);

}  // namespace w4
