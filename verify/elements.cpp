#include "verify/elements.h"

#include <fmt/format.h>

#include <algorithm>

namespace w4 {
namespace {

const Operand* operand_of(const Operands& ops, std::string_view name) {
  for (const Operand* o : {&ops.act, &ops.wei, &ops.scale, &ops.out}) {
    if (o->name == name) return o;
  }
  if (ops.zp && ops.zp->name == name) return &*ops.zp;
  for (const auto* o : {&ops.bias, &ops.carrier, &ops.expert_ids, &ops.sorted_ids}) {
    if (*o && (*o)->name == name) return &**o;
  }
  return nullptr;
}

// Byte `at` of row `row`, in the indices of the tensor.
std::string indices(const Operands& ops, const Operand& o, int64_t row, int64_t at) {
  const int64_t half = at / 2, word = at / 4;
  if (o.name == "expert_ids" || o.name == "sorted_ids") {
    return fmt::format(
        "{}", at / std::max<int64_t>(1, o.row_bytes / std::max<int64_t>(1, o.desc.dim[0])));
  }
  if (o.per_expert > 0) {
    Operand one = o;
    one.per_expert = 0;
    return fmt::format("e={}, {}", row / o.per_expert, indices(ops, one, row % o.per_expert, at));
  }
  if (ops.expert_ids && o.name == "out") {
    return fmt::format("{}={}, n={}", ops.sorted_ids ? "slot" : "row", row, half);
  }
  if (o.desc.layout == W4_WEI_SHUFFLED)  // 8 codes of one word, in no order of bytes
    return fmt::format("n={}, k={}..{}", row, word * 8, word * 8 + 7);
  if (o.desc.layout == W4_ZP_PACKED)
    return fmt::format("n={}..{}, group={}", row * 8, row * 8 + 7, word);
  if (o.name == "act") return fmt::format("m={}, k={}", row, half);
  if (o.name == "scale" || o.name == "zp") return fmt::format("n={}, group={}", row, half);
  if (o.name == "bias" && o.desc.rank == 1)
    return fmt::format("n={}", o.rows == 1 ? half : row);  // strided: a row an element
  return fmt::format("m={}, n={}", row, half);
}

}  // namespace

std::string element_at(const Operands& ops, std::string_view buffer, int64_t offset) {
  const Operand* o = operand_of(ops, buffer);
  if (!o || offset < 0 || static_cast<uint64_t>(offset) >= o->desc.bytes) return "";
  const int64_t stride = o->stride_bytes > 0 ? o->stride_bytes : o->row_bytes;
  if (stride <= 0) return "";
  const int64_t row = o->rows > 1 ? offset / stride : 0;
  const int64_t at = offset - row * stride;
  if (at >= o->row_bytes) return fmt::format("the pad behind row {} of {}", row, o->name);
  return fmt::format("{}[{}]", o->name, indices(ops, *o, row, at));
}

void name_element(const Operands& ops, Finding& f) {
  const std::string element = element_at(ops, f.buffer, f.offset);
  if (element.empty()) return;
  f.detail += fmt::format("{}{}", f.detail.empty() ? "" : "; ", element);
}

}  // namespace w4
