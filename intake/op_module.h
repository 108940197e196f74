// Operators of an upstream source that `w4check intake` has compiled, as a module
// (kernels/module.h): accept() runs the operator's own host code with launches that do nothing,
// run() runs it for good; what it throws is a refusal with its text. prepare() is the project's own
// preparation. The first memory of the output's size that an operator asks for is the output
// itself, guarded and poisoned; where it returns other memory, that is copied there, undefined
// bytes included.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "intake/ops.h"
#include "kernels/module.h"

namespace w4 {

class OpModule {
 public:
  // `ops` must outlive this; `path` is for messages. Errors: another version, no manifest, and
  // where the manifest does not fit the operators (with its line and column, what is there and
  // what is legal).
  static Result<std::shared_ptr<const OpModule>> make(const w4_ops& ops, const std::string& path);
  ~OpModule();
  const w4_module& table() const;  // lives as long as this

 private:
  struct Impl;
  explicit OpModule(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
