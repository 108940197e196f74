// A manifest and its code objects as a module (kernels/module.h): accept() judges a call by the
// manifest's clauses, prepare() is the project's own preparation, run() launches the symbol of the
// device's arch with the declared arguments, grid, block and dynamic LDS.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "intake/manifest.h"
#include "kernels/module.h"

namespace w4 {

class ObjectModule {
 public:
  // Reads the manifest and every object it names, and holds its arguments against the metadata.
  // Errors name file, line, column, key, value and what is legal.
  static Result<std::shared_ptr<const ObjectModule>> open(const std::string& path);
  // The same with a text, and objects that `reader` gets from wherever they are. `path` names the
  // manifest in errors and in the table.
  using ObjectReader = std::function<Result<std::vector<std::byte>>(const ManifestObject&)>;
  static Result<std::shared_ptr<const ObjectModule>> read(std::string_view manifest,
                                                          const std::string& path,
                                                          const ObjectReader& reader);
  ~ObjectModule();
  const w4_module& table() const;  // lives as long as this

 private:
  struct Impl;
  explicit ObjectModule(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
