// From a legal call to its launch, as far as it is the same for every kernel with device code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/module.h"

namespace w4 {

// How a kernel reads a bias of one of the five shapes (clause bias.shape): element (m,n) lies at
// m * m_stride + n * n_stride, 0 where it is repeated. Address 0: there is none.
struct BiasRead {
  uint64_t address = 0;
  int64_t m_stride = 0, n_stride = 0;
};
BiasRead bias_read(const w4_call& call);

// The fields that the arguments of all dense kernels have. Strides and sizes fit the fields: the
// clauses see to that.
template <class Args>
void set_layer_arguments(const w4_call& call, Args& a) {
  a.act = call.act->device;
  a.wei = call.wei->device;
  a.scale = call.scale->device;
  a.zp = call.zp == nullptr ? 0 : call.zp->device;
  a.out = call.out->device;
  a.wei_stride = call.wei->stride[0];
  a.scale_stride = call.scale->stride[0];
  a.out_stride = static_cast<decltype(a.out_stride)>(call.out->stride[0]);
  a.n = static_cast<uint32_t>(call.wei->dim[0]);
  a.k = static_cast<uint32_t>(call.act->dim[1]);
  const BiasRead bias = bias_read(call);
  a.bias = bias.address;
  a.bias_n_stride = static_cast<decltype(a.bias_n_stride)>(bias.n_stride);
  a.bias_m_stride = static_cast<decltype(a.bias_m_stride)>(bias.m_stride);
}

// Output rows between two tiles of one wave of a persistent grid. Past int32 there is no second
// tile: N has 31 bits.
uint32_t row_step(int64_t blocks, int64_t waves, int64_t y);

// What runs.
struct Instance {
  std::string_view kernel, act;  // as KernelObject has them
  int group_size = 0;            // 0: the object is for any
  std::string symbol;            // in the code object
  std::string text;              // for reports
  int64_t blocks = 0;            // of the grid
  int waves = 0;                 // of a block, 32 lanes each
  uint32_t dynamic_lds = 0;      // bytes
};

// Finds the object and launches; then says what ran. 0: launched; otherwise refused, or launch()'s
// value.
int launch(const w4_device& device, const Instance& what, const void* args, size_t arg_bytes);

}  // namespace w4
