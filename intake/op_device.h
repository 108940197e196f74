// The device as an operator sees it: the caller's, but that the operator's result is the output of
// the call, that launches are named, and that what it throws is kept here.
#pragma once

#include <optional>
#include <string>

#include "kernels/module.h"

namespace w4 {

class OpDevice {
 public:
  // Both must outlive this.
  OpDevice(const w4_device& outer, const w4_tensor& out);
  OpDevice(const OpDevice&) = delete;

  const w4_device* table() const { return &table_; }
  // The kernels it launched, without what follows from sizes: "name<…> block 32x16x1; …".
  const std::string& launched() const { return launched_; }
  // What the first refusal said.
  const std::optional<std::string>& thrown() const { return thrown_; }

 private:
  static OpDevice& of(void* self) { return *static_cast<OpDevice*>(self); }

  const w4_device& outer_;
  const w4_tensor& out_;
  w4_device table_;
  bool given_ = false;  // the output's memory
  std::string launched_;
  std::optional<std::string> thrown_;
};

}  // namespace w4
