// Operands as another module than the kernel's wrote them.
#include <fmt/format.h>

#include <algorithm>

#include "core/dtypes.h"
#include "kernels/descriptors.h"
#include "verify/operands.h"

namespace w4 {
namespace {

using Wide = __int128;

Result<void> take_as_is(Operand& o, const w4_tensor& made) {
  const int64_t element = bytes_of(made.dtype);
  if (element == 0 || made.rank < 1 || made.rank > 3) {
    return fail("prepare() gave {} as {} of rank {}; legal: a w4_dtype, rank 1 to 3", o.name,
                name_of(made.dtype), made.rank);
  }
  Wide last = element, rows = 1;
  for (int32_t d = 0; d < made.rank; ++d) {
    constexpr int64_t kMost = int64_t{1} << 40;  // far past what a case may take
    if (made.dim[d] < 0 || made.stride[d] < 0 || made.dim[d] > kMost) {
      return fail("prepare() gave {} with dim[{}] {} and stride {}; legal: 0 to {}, at least 0",
                  o.name, d, made.dim[d], made.stride[d], kMost);
    }
    last += Wide{std::max<int64_t>(made.dim[d], 1) - 1} * made.stride[d] * element;
    if (d + 1 < made.rank) rows *= made.dim[d];
  }
  const int64_t cols = made.dim[made.rank - 1];
  const bool empty = rows == 0 || cols == 0;
  if (!empty && last > Wide{made.bytes}) {
    return fail("the module prepared {} in {} bytes; its shape and stride need {}", o.name,
                made.bytes, last);
  }
  o.desc = made;
  o.desc.host = nullptr;
  o.content = static_cast<const std::byte*>(made.host);
  const bool plain = made.rank >= 2 && made.stride[made.rank - 1] == 1 &&
                     (made.rank == 2 || made.stride[0] == made.dim[1] * made.stride[1]);
  if (empty) {
    o.rows = 0, o.row_bytes = 0, o.stride_bytes = 0;
    o.desc.bytes = 0;
  } else if (plain && Wide{made.stride[made.rank - 2]} * rows * element <= Wide{made.bytes}) {
    o.rows = static_cast<int64_t>(rows);
    o.row_bytes = cols * element;
    o.stride_bytes = made.stride[made.rank - 2] * element;
  } else {  // one piece of memory
    o.rows = 1;
    o.row_bytes = o.stride_bytes = static_cast<int64_t>(made.bytes);
  }
  o.per_expert = made.rank == 3 ? made.dim[1] : 0;
  return {};
}

Result<void> take_or_drop(std::optional<Operand>& o, const char* name, const w4_tensor& made) {
  if (made.host == nullptr) {
    o.reset();
    return {};
  }
  if (!o) {
    o.emplace();
    o->name = name;
  }
  return take_as_is(*o, made);
}

std::string shown(const w4_tensor& t) {
  return fmt::format("{} of {}", name_of(t.layout), name_of(t.dtype));
}

}  // namespace

Result<void> hand_over(Operands& ops, const w4_prepared& prepared) {
  for (const auto& [o, made] :
       {std::pair(&ops.wei, &prepared.wei), std::pair(&ops.scale, &prepared.scale)}) {
    if (made->host == nullptr && made->bytes > 0) return fail("prepare() gave no {}", o->name);
    if (auto done = take_as_is(*o, *made); !done) return done;
  }
  if (auto done = take_or_drop(ops.zp, "zp", prepared.zp); !done) return done;
  return take_or_drop(ops.carrier, "carrier", prepared.carrier);
}

std::optional<Undeclared> undeclared_operand(const Operands& ops, const w4_kernel& kernel,
                                             ZpMode asked) {
  const w4_layout wei = kernel.dense_weights != 0 ? W4_DENSE : W4_WEI_SHUFFLED;
  const w4_dtype wei_type = kernel.dense_weights != 0 ? ops.act.desc.dtype : W4_I8;
  if (ops.wei.desc.layout != wei || ops.wei.desc.dtype != wei_type) {
    return Undeclared{"weight.stride", fmt::format("it was given weights in {}; it reads {}",
                                                   shown(ops.wei.desc), name_of(wei))};
  }
  if (ops.scale.desc.layout != W4_DENSE || ops.scale.desc.dtype != ops.act.desc.dtype) {
    return Undeclared{"scale.dtype",
                      fmt::format("it was given scales as {}; it reads dense rows of {}",
                                  shown(ops.scale.desc), name_of(ops.act.desc.dtype))};
  }
  if ((kernel.reads_carrier != 0) != ops.carrier.has_value()) {
    return Undeclared{"carrier.stride", ops.carrier ? "a carrier that the kernel does not read"
                                                    : "no carrier, and the kernel reads one"};
  }
  if (!ops.zp) {
    if (asked == ZpMode::none || ops.carrier || kernel.dense_weights != 0) return std::nullopt;
    return Undeclared{"zp.dtype", "no zero points, and the weights have some"};
  }
  const w4_tensor& zp = ops.zp->desc;
  const bool layout = std::any_of(kernel.zp_layouts, kernel.zp_layouts + kernel.zp_layout_count,
                                  [&](w4_layout l) { return l == zp.layout; });
  const bool dtype = zp.layout == W4_ZP_PACKED ? zp.dtype == W4_I32 || zp.dtype == W4_U32
                                               : zp.dtype == ops.act.desc.dtype;
  if (layout && dtype) return std::nullopt;
  return Undeclared{"zp.dtype",
                    fmt::format("it was given {}, which it does not declare", shown(zp))};
}

}  // namespace w4
