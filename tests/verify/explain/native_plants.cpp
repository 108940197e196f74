#include "tests/verify/explain/native_plants.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "core/dtypes.h"
#include "tests/verify/fake_device.h"

namespace w4::test {
namespace {

enum class Fault {
  right,
  bias_twice,
  bias_in_each_lane,
  bias_stride_1,
  bias_rounded_first,
  out_stride_n,
  truncates,
  short_sums,
  lanes_rounded,
  halves_in_a_chunk,
  parts_in_16_bits,
  weights_rounded,
  weights_fused,
  offset_in_halves,
  zero_unscaled,
  through_bf16,
  both_through_bf16,
  flushed_scales,
  flushed_chunks,
  every_third_lost,
};

struct Args {
  Fault fault;
  const w4_call* call;
};

// Reads the call's tensors by address.
struct Memory {
  FakeDevice& d;
  const w4_call& c;
  Fault fault;
  DType t;

  static double rounded(DType to, double v) { return to_f64(to, from_f64(to, v)); }
  double number(uint64_t from) const { return to_f64(t, d.load16(from)); }
  double act(int64_t m, int64_t k) const {
    const double a = number(c.act->device + static_cast<uint64_t>(2 * (m * c.act->stride[0] + k)));
    const bool shorter = fault == Fault::through_bf16 || fault == Fault::both_through_bf16;
    return shorter ? rounded(DType::bf16, a) : a;
  }
  double scale(int64_t n, int64_t g) const {
    const double s =
        number(c.scale->device + static_cast<uint64_t>(2 * (n * c.scale->stride[0] + g)));
    return fault == Fault::flushed_scales && s < 0x1p-14 ? 0 : s;
  }
  int code(int64_t n, int64_t k) const {
    const uint64_t at = c.wei->device + static_cast<uint64_t>(n * c.wei->stride[0] + k / 8 * 4);
    const int half = d.load16(at + (k % 2 != 0 ? 2 : 0));
    return half >> (4 * (k % 8 / 2)) & 15;
  }
  double bias(int64_t m, int64_t n) const {
    if (c.bias == nullptr) return 0;
    const w4_tensor& b = *c.bias;
    int64_t at = b.rank == 1 ? n * b.stride[0] : m * b.stride[0] + n;
    if (fault == Fault::bias_stride_1) {
      at = n;
      if (at % b.stride[0] != 0) return 77;  // whatever lies between the elements
    }
    const double v = number(b.device + static_cast<uint64_t>(2 * at));
    if (fault == Fault::bias_in_each_lane) return 32 * v;
    return fault == Fault::bias_twice ? 2 * v : v;
  }
  double zero(int64_t n, int64_t g) const {
    if (c.zp == nullptr) return 8;
    return number(c.zp->device + static_cast<uint64_t>(2 * (n * c.zp->stride[0] + g)));
  }
  double weight(int64_t n, int64_t k) const {
    const int64_t g = k / c.group_size;
    const double q = code(n, k), z = zero(n, g), s = scale(n, g);
    switch (fault) {
      case Fault::weights_rounded:
        return rounded(t, (q - z) * s);
      case Fault::both_through_bf16:
        return rounded(DType::bf16, (q - z) * s);
      case Fault::weights_fused:
        return rounded(t, q * s - rounded(t, z * s));
      case Fault::offset_in_halves:
        return rounded(t,
                       rounded(t, q * s) - rounded(t, rounded(t, 8 * s) + rounded(t, (z - 8) * s)));
      case Fault::zero_unscaled:
        return q * s - z;
      default:
        return (q - z) * s;
    }
  }
  // 16 products, the first at k.
  double chunk(int64_t m, int64_t n, int64_t k) const {
    double total = 0, plain = 0, even = 0, odd = 0;
    const double s = scale(n, k / c.group_size), z = zero(n, k / c.group_size);
    for (int64_t i = k; i < k + 16; ++i) {
      if (fault == Fault::every_third_lost && i % 3 == 1) continue;
      const double a = act(m, i), product = a * (code(n, i) - z);
      total += a * weight(n, i), plain += product;
      double& half = i % 2 == 0 ? even : odd;
      half = rounded(t, half + product);
    }
    if (fault == Fault::halves_in_a_chunk) return (even + odd) * s;
    return fault == Fault::flushed_chunks && std::abs(plain) < 0x1p-14 ? 0 : total;
  }
  double sum(int64_t m, int64_t n) const {
    double total = 0, first = 0;
    const int64_t all = c.act->dim[1];
    std::array<double, 32> lane{};
    for (int64_t k = 0; k < all; k += 16) {
      const double p = chunk(m, n, k);
      total += p;
      if (k < all / 2) first += p;
      double& mine = lane[static_cast<size_t>(k / 16 % 32)];
      mine += p;
      if (fault == Fault::short_sums) mine = rounded(t, mine);
    }
    if (fault == Fault::parts_in_16_bits) return rounded(t, first) + (total - first);
    if (fault != Fault::short_sums && fault != Fault::lanes_rounded) return total;
    total = 0;
    for (const double l : lane) total += rounded(t, l);
    return total;
  }
  uint16_t element(int64_t m, int64_t n) const {
    const double total = sum(m, n), b = bias(m, n);
    if (fault == Fault::bias_rounded_first) return from_f64(t, to_f64(t, from_f64(t, total)) + b);
    const uint16_t y = from_f64(t, total + b);
    const bool away = std::abs(to_f64(t, y)) > std::abs(total + b);
    return fault == Fault::truncates && away ? static_cast<uint16_t>(y - 1) : y;
  }
};

LaunchResult compute(FakeDevice& d, const w4_launch& what, const LaunchOptions&) {
  Args args;
  std::memcpy(&args, what.args, sizeof args);
  const w4_call& c = *args.call;
  const Memory memory{d, c, args.fault, c.act->dtype == W4_F16 ? DType::f16 : DType::bf16};
  const int64_t width = c.out->dim[1];
  const int64_t stride = args.fault == Fault::out_stride_n ? width : c.out->stride[0];
  for (int64_t m = 0; m < c.out->dim[0]; ++m) {
    for (int64_t n = 0; n < width; ++n) {
      const int64_t at = m * stride + n;
      if (at % c.out->stride[0] >= width) continue;  // a gap, which nobody reads
      d.store16(c.out->device + static_cast<uint64_t>(2 * at), memory.element(m, n));
    }
  }
  return {};
}
constexpr FakeKernel kCompute = compute;

template <Fault F>
int run(const w4_kernel*, const w4_call* c, const w4_device* d) {
  const Args args{F, c};
  const w4_launch launch{.object = &kCompute,
                         .object_bytes = sizeof kCompute,
                         .symbol = "native",
                         .grid = {1, 1, 1},
                         .block = {32, 1, 1},
                         .dynamic_lds = 0,
                         .args = &args,
                         .arg_bytes = sizeof args};
  const std::string ran = fmt::format("m{} g{} {}", c->act->dim[0], c->group_size,
                                      c->act->dtype == W4_F16 ? "f16" : "bf16");
  d->ran(d->self, ran.c_str());
  return d->launch(d->self, &launch);
}

int prepare(const w4_kernel*, const w4_source* s, const w4_device*, w4_prepared* out) {
  out->wei = *s->wei;
  out->scale = *s->scale;
  if (s->zp != nullptr) out->zp = *s->zp;
  return 0;
}

int accept(const w4_kernel*, const w4_call*, const w4_device*) { return 0; }

constexpr w4_layout kZeroPoints[] = {W4_ZP_UNPACKED};
constexpr const char* kClauses[] = {"group.size", nullptr};
constexpr const char* kArchs[] = {"gfx1151", nullptr};
constexpr w4_numerics kNumerics{
    .weight = [](w4_dtype, double q, double z, double s) { return (q - z) * s; },
    .store = [](w4_dtype t, double acc, double bias,
                int) { return from_f64(t == W4_F16 ? DType::f16 : DType::bf16, acc + bias); },
    .chain = [](w4_dtype, int64_t, int64_t, int64_t, int64_t,
                int64_t) { return w4_chain{W4_UNIT_FMA32, 25, 16, 1, 0}; },
    .text = "double sums",
    .gate = nullptr};

template <Fault F>
constexpr w4_kernel kernel(const char* name) {
  return {.name = name,
          .says = name,
          .clauses = kClauses,
          .zp_layouts = kZeroPoints,
          .zp_layout_count = 1,
          .numerics = &kNumerics,
          .archs = kArchs,
          .inline_assembly = 0,
          .data = nullptr,
          .accept = accept,
          .prepare = prepare,
          .run = run<F>,
          .dense_weights = 0,
          .reads_carrier = 0,
          .moe = 0,
          .shape = nullptr,
          .numerics_of = nullptr,
          .laws = nullptr};
}

constexpr std::array kKernels{
    kernel<Fault::right>("right"),
    kernel<Fault::bias_twice>("bias_twice"),
    kernel<Fault::bias_in_each_lane>("bias_in_each_lane"),
    kernel<Fault::bias_stride_1>("bias_stride_1"),
    kernel<Fault::bias_rounded_first>("bias_rounded_first"),
    kernel<Fault::out_stride_n>("out_stride_n"),
    kernel<Fault::truncates>("truncates"),
    kernel<Fault::short_sums>("short_sums"),
    kernel<Fault::lanes_rounded>("lanes_rounded"),
    kernel<Fault::halves_in_a_chunk>("halves_in_a_chunk"),
    kernel<Fault::parts_in_16_bits>("parts_in_16_bits"),
    kernel<Fault::weights_rounded>("weights_rounded"),
    kernel<Fault::weights_fused>("weights_fused"),
    kernel<Fault::offset_in_halves>("offset_in_halves"),
    kernel<Fault::zero_unscaled>("zero_unscaled"),
    kernel<Fault::through_bf16>("through_bf16"),
    kernel<Fault::both_through_bf16>("both_through_bf16"),
    kernel<Fault::flushed_scales>("flushed_scales"),
    kernel<Fault::flushed_chunks>("flushed_chunks"),
    kernel<Fault::every_third_lost>("every_third_lost"),
};
constexpr w4_module kModule{W4_MODULE_VERSION, sizeof(w4_kernel), "native", kKernels.data(),
                            static_cast<int32_t>(kKernels.size())};

}  // namespace

std::vector<NativePlant> native_plants() {
  return {
      {"bias_twice", "bias.repeated", "right m=2 n=24 k=256 g=64 bias=n"},
      {"bias_in_each_lane", "bias.repeated", "right m=2 n=24 k=256 g=64 bias=n"},
      {"bias_stride_1", "bias.stride_ignored", "right m=3 n=24 k=256 g=64 bias=n ldb=3"},
      {"bias_rounded_first", "num.bias_order", "right m=3 n=40 k=512 g=64 bias=n"},
      {"out_stride_n", "out.stride_n", "right m=3 n=8 k=256 g=64 ldy=9"},
      {"truncates", "num.store_truncates", "right m=3 n=40 k=512 g=64"},
      {"short_sums", "num.short_sums", "right m=3 n=40 k=1024 g=64"},
      {"lanes_rounded", "num.short_sums", "right m=3 n=40 k=1024 g=64"},
      {"halves_in_a_chunk", "num.short_sums", "right m=3 n=40 k=1024 g=64"},
      {"parts_in_16_bits", "num.short_sums", "right m=3 n=40 k=1024 g=64"},
      {"weights_fused", "num.weights", "right m=3 n=40 k=512 g=64 zp=unpacked"},
      {"offset_in_halves", "num.weights", "right m=3 n=40 k=512 g=64 zp=unpacked fill=extreme"},
      {"zero_unscaled", "zp.unscaled", "right m=3 n=40 k=512 g=64 zp=unpacked"},
      {"weights_rounded", "num.weights", "right m=3 n=40 k=512 g=64 act=bf16"},
      {"through_bf16", "num.through_bf16", "right m=3 n=40 k=512 g=64"},
      {"both_through_bf16", "num.through_bf16", "right m=3 n=40 k=512 g=64"},
      {"flushed_chunks", "num.flushed", "right m=4 n=40 k=512 g=64 fill=extreme seed=3"},
      {"flushed_scales", "num.flushed", "right m=3 n=40 k=512 g=64 fill=extreme"},
      {"every_third_lost", "", "right m=3 n=40 k=512 g=64",
       "every group of K carries the error, in the first one k = "},
  };
}

void put_native(Context& context) {
  context.put_device("gfx1151", std::make_unique<FakeDevice>());
  context.put_module("native", &kModule);
}

}  // namespace w4::test
