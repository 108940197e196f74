// The device as an operator sees it: the caller's, but that the operator's result is the output of
// the call, that operands are read only, that a dry call changes nothing of the call's, that
// launches are named, and that what it throws is kept here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/module.h"

namespace w4 {

class OpDevice {
 public:
  struct Wants {
    bool dry = false;      // w4_op::call
    bool returns = false;  // what it returns is the output; otherwise an argument is
  };
  // Both must outlive this. Where the operator returns the output, the first memory that it asks
  // for of the output's size is the output itself, so that findings name it.
  OpDevice(const w4_device& outer, const w4_call& call, Wants wants);
  OpDevice(const OpDevice&) = delete;

  const w4_device* table() const { return &table_; }
  // The kernels it launched, without what follows from sizes: "name<a,b> block 32x16x1; …".
  const std::string& launched() const { return launched_; }
  // What the first refusal said.
  const std::optional<std::string>& thrown() const { return thrown_; }
  // The output was handed to it, and it has freed it since.
  bool freed_output() const { return freed_output_; }
  // A dry call has read what only a launch would have written: what follows from it is a guess.
  bool guesses() const { return guesses_; }

 private:
  struct Range {
    const char* name;
    uint64_t from, bytes;
    bool holds(uint64_t at) const { return at - from < bytes; }
  };
  static OpDevice& of(void* self) { return *static_cast<OpDevice*>(self); }
  uint64_t allocate(size_t bytes);
  void release(uint64_t address);
  const Range* operand_at(uint64_t at) const;  // NULL: none
  bool refuses_write(uint64_t to, size_t bytes);
  bool changes(uint64_t at) const;  // whether what is written there stays

  const w4_device& outer_;
  const w4_tensor& out_;
  Wants wants_;
  w4_device table_;
  std::vector<Range> operands_;
  bool given_ = false;  // the output's memory
  bool freed_output_ = false, guesses_ = false;
  std::string launched_;
  std::optional<std::string> thrown_;
};

}  // namespace w4
