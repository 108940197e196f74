// The tensors of one call on the device: shapes, strides, offsets and element types as the problem
// asks for them, in guarded buffers of exactly their extent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/result.h"
#include "devices/device.h"
#include "kernels/module.h"
#include "reference/arrays.h"

namespace w4 {

// A 2-D (or 1-D) tensor of rows with a payload each; what lies between two payloads is a pad.
struct Operand {
  std::string name;
  w4_tensor desc{};         // desc.device is set by place()
  int64_t offset = 0;       // of the first byte from a 256-byte aligned address
  uint64_t alignment = 16;  // of the address: what the kernel's align clause asks, if it has one
  int64_t rows = 0;
  int64_t per_expert = 0;      // rows of one expert; 0: a dense layer
  int64_t row_bytes = 0;       // payload
  int64_t stride_bytes = 0;    // from row to row
  bool pads_are_gaps = false;  // activations and outputs: nobody may touch a pad; weights, scales
                               // and zero points own theirs, but they hold nothing
  const std::byte* content = nullptr;  // null: zeros
  // From row to row in `content`; without it at the operand's stride, desc.bytes bytes.
  std::optional<int64_t> content_stride{};
};

struct Operands {
  Operand act, wei, scale, out;
  std::optional<Operand> zp, bias, carrier, expert_ids, sorted_ids;
  // Behind the contents of those operands.
  std::vector<std::byte> storage_act, storage_bias, storage_experts, storage_sorted;

  // Points into this.
  w4_call call(const Problem& p, const Reported& reported, const std::string& tile) const;
};

// Any problem; sizes are clamped at zero. The kernel says which form of the weights it reads. `x`
// may be null: activations and bias are then zeros.
Operands plan_operands(const Problem& p, const w4_kernel& kernel, const Arrays* x);

// Takes prepared weights into the plan. Errors: shape, stride, type or layout is not what was
// asked.
Result<void> use_prepared(Operands& ops, const w4_prepared& prepared);

// The same where another module than the kernel's prepared them (`prep=`): each operand is what
// that module wrote, its shape, strides, type and layout, whatever the problem asks for; what it
// did not write is absent. Whether the kernel takes it is the kernel's to say. Errors: weights or
// scales are missing; a tensor that its descriptor cannot be.
Result<void> hand_over(Operands& ops, const w4_prepared& prepared);

// The first of them that is not of the kernel's declaration, and the clause that speaks of it.
struct Undeclared {
  const char* clause;
  std::string what;
};
std::optional<Undeclared> undeclared_operand(const Operands& ops, const w4_kernel& kernel,
                                             ZpMode asked);

// Allocates and fills every operand; pads stay undefined or become gaps. `where`: on GPUs.
Result<void> place(Operands& ops, Device& device, Placement where = Placement::end);

// Fills the output with a signalling NaN (of fp16 or bf16; 4-byte outputs take two of fp16) without
// making it defined.
Result<void> poison_output(const Operands& ops, Device& device);
// The same with zeros.
Result<void> blank_output(const Operands& ops, Device& device);
// Fills the output, but not its gaps, with ones, defined.
Result<void> dirty_output(const Operands& ops, Device& device);
uint16_t poison_bits(w4_dtype act);

// Of all operands together.
uint64_t total_bytes(const Operands& ops);

}  // namespace w4
