#include "kernels/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/clause_checks.h"
#include "kernels/objects.h"

namespace w4 {

BiasRead bias_read(const w4_call& call) {
  BiasRead b;
  if (call.bias == nullptr) return b;
  const w4_tensor& bias = *call.bias;
  const int64_t rows = bias.rank == 1 ? 1 : bias.dim[0];
  const int64_t cols = bias.dim[bias.rank - 1];
  b.address = bias.device;
  b.n_stride = cols == 1 ? 0 : 1;
  // The bias's own row length: rows of [M,1] are one element apart (contract.md K3).
  b.m_stride = rows == 1 ? 0 : cols;
  return b;
}

uint32_t row_step(int64_t blocks, int64_t waves, int64_t y) {
  return static_cast<uint32_t>(
      std::min<int64_t>(blocks * waves * y, std::numeric_limits<int32_t>::max()));
}

int launch(const w4_device& device, const Instance& what, const void* args, size_t arg_bytes) {
  const KernelObject* object = find_object(what.kernel, device.arch, what.act, what.group_size);
  if (object == nullptr) {
    return refuse(
        device,
        {"arch",
         fmt::format("no code object of {} for {} {} G = {}", what.kernel, device.arch, what.act,
                     what.group_size == 0 ? "any" : fmt::format("{}", what.group_size))});
  }
  w4_launch l{};
  l.object = object->begin;
  l.object_bytes = object->bytes();
  l.symbol = what.symbol.c_str();
  std::ranges::copy(std::array<uint32_t, 3>{static_cast<uint32_t>(what.blocks), 1, 1}, l.grid);
  std::ranges::copy(std::array<uint32_t, 3>{32, static_cast<uint32_t>(what.waves), 1}, l.block);
  l.dynamic_lds = what.dynamic_lds;
  l.args = args;
  l.arg_bytes = arg_bytes;
  const int result = device.launch(device.self, &l);
  device.ran(device.self, what.text.c_str());
  return result;
}

}  // namespace w4
