#include "tests/kernels/call_of.h"

namespace w4 {
namespace {

w4_dtype to_c(DType t) { return static_cast<w4_dtype>(t); }

w4_tensor tensor(w4_dtype dtype, w4_layout layout, int64_t rows, int64_t cols, int64_t stride,
                 int64_t offset, uint64_t base) {
  w4_tensor t{};
  t.dtype = dtype;
  t.layout = layout;
  t.rank = 2;
  t.dim[0] = rows;
  t.dim[1] = cols;
  t.stride[0] = stride;
  t.stride[1] = 1;
  t.device = base + static_cast<uint64_t>(offset);
  return t;
}

}  // namespace

CallOf::CallOf(const Problem& p) {
  const int64_t k_groups = groups(p);
  act = tensor(to_c(p.act), W4_DENSE, p.m, p.k, p.lda.value_or(p.k), p.aoff, 0x10000);
  wei = tensor(W4_I8, W4_WEI_SHUFFLED, p.n, weight_row_bytes(p),
               weight_row_bytes(p) + resolved_wpad(p), p.woff, 0x20000);
  scale = tensor(to_c(p.sdt.value_or(p.act)), W4_DENSE, p.n, k_groups, k_groups + resolved_spad(p),
                 p.soff, 0x30000);
  const bool packed = p.zp == ZpMode::packed;
  zp = tensor(to_c(p.zdt.value_or(packed ? DType::i32 : p.act)),
              packed ? W4_ZP_PACKED : W4_ZP_UNPACKED, packed ? p.n / 8 + (p.n % 8 != 0) : p.n,
              k_groups, k_groups + resolved_spad(p), p.zoff, 0x40000);
  const auto dims = bias_dims(p);
  bias = tensor(to_c(p.bdt.value_or(p.act)), W4_DENSE, dims[0], dims[1], bias_stride(p), p.boff,
                0x50000);
  if (p.bias.rank == 1) {
    bias.rank = 1;
    bias.dim[0] = dims[1];
    bias.stride[0] = bias_stride(p);
  }
  out = tensor(to_c(p.act), W4_DENSE, p.m, p.n, p.ldy.value_or(p.n), p.yoff, 0x60000);
  call_.act = &act;
  call_.wei = &wei;
  call_.scale = &scale;
  call_.zp = p.zp == ZpMode::none ? nullptr : &zp;
  call_.bias = p.bias.rank == 0 ? nullptr : &bias;
  call_.out = &out;
  call_.group_size = p.g;
  call_.top_k = p.topk;
  call_.block_m = p.blockm;
  call_.silu = p.silu ? 1 : 0;
  call_.cu_count = p.cus.value_or(20);
  if (p.tile) {
    tile_ = to_string(*p.tile);
    call_.tile = tile_.c_str();
  }
}

Recorder::Recorder(const char* arch, Reported r) : reported(r) {
  device.self = this;
  device.arch = arch;
  device.property = [](void* p, w4_property which) -> int64_t {
    const Recorder& me = *static_cast<Recorder*>(p);
    if (which == W4_PROP_CU_COUNT) return me.reported.cus;
    return which == W4_PROP_LDS_PER_BLOCK ? me.reported.lds : 32;
  };
  device.host_alloc = [](void* p, size_t bytes) -> void* {
    auto& all = static_cast<Recorder*>(p)->memory_;
    return all.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
  };
  device.device_alloc = [](void* p, size_t) {
    return ++static_cast<Recorder*>(p)->allocations * 0x1000000;
  };
  device.device_free = [](void*, uint64_t) {};
  device.copy = [](void* p, uint64_t to, uint64_t from, size_t bytes) {
    static_cast<Recorder*>(p)->copies.push_back({to, from, bytes});
    return 0;
  };
  device.launch = [](void* p, const w4_launch* what) {
    Recorder& me = *static_cast<Recorder*>(p);
    me.launches++;
    me.last = *what;
    me.symbol = what->symbol;
    const auto* args = static_cast<const std::byte*>(what->args);
    me.args.assign(args, args + what->arg_bytes);
    return me.launch_result;
  };
  device.refuse = [](void* p, const char* clause, const char* message) {
    Recorder& me = *static_cast<Recorder*>(p);
    me.clause = clause;
    me.message = message;
  };
  device.ran = [](void* p, const char* text) { static_cast<Recorder*>(p)->ran = text; };
}

}  // namespace w4
