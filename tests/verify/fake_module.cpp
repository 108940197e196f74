#include "tests/verify/fake_module.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

#include "core/dtypes.h"
#include "core/layout.h"
#include "tests/verify/fake_device.h"

namespace w4::test {
namespace {

enum class How {
  right,
  strided,
  wrong_value,
  unwritten,
  unchecked,
  refuses_legal,
  touches,
  false_alarm,
  true_alarm,
  lost_race,
  unsupported,
  step_limit,
  other_group,
  idle
};

struct Args {
  How how;
  const w4_call* call;
};

uint32_t load32(FakeDevice& d, uint64_t from) {
  return d.load16(from) | static_cast<uint32_t>(d.load16(from + 2)) << 16;
}

double zero_point(FakeDevice& d, const w4_call& c, DType t, int64_t n, int64_t g) {
  if (!c.zp) return 8;
  const auto at = [&](int64_t row, int64_t bytes) {
    return c.zp->device + static_cast<uint64_t>((row * c.zp->stride[0] + g) * bytes);
  };
  if (c.zp->layout == W4_ZP_UNPACKED) return to_f64(t, d.load16(at(n, 2)));
  return load32(d, at(n / 8, 4)) >> (4 * (n % 8)) & 15;
}

uint16_t element(FakeDevice& d, const w4_call& c, int64_t m, int64_t n) {
  const DType t = c.act->dtype == W4_F16 ? DType::f16 : DType::bf16;
  double sum = 0;
  for (int64_t k = 0; k < c.act->dim[1]; ++k) {
    const int64_t g = k / c.group_size;
    const Nibble at = wei_shuffled({n, k});
    const uint32_t word =
        load32(d, c.wei->device + static_cast<uint64_t>(at.row * c.wei->stride[0] + 4 * at.col));
    const double q = word >> (4 * at.nibble) & 15;
    const double s = to_f64(
        t, d.load16(c.scale->device + static_cast<uint64_t>(2 * (n * c.scale->stride[0] + g))));
    const double a =
        to_f64(t, d.load16(c.act->device + static_cast<uint64_t>(2 * (m * c.act->stride[0] + k))));
    sum += a * (q - zero_point(d, c, t, n, g)) * s;
  }
  if (c.bias) {
    const bool flat = c.bias->rank == 1;
    const int64_t row = flat ? 0 : m % c.bias->dim[0];
    const int64_t col = flat ? n : n % c.bias->dim[1];
    const int64_t at = flat ? col * c.bias->stride[0] : row * c.bias->stride[0] + col;
    sum += to_f64(t, d.load16(c.bias->device + static_cast<uint64_t>(2 * at)));
  }
  return from_f64(t, sum);
}

Finding alarm(FindingKind kind) {
  Finding f;
  f.kind = kind;
  f.kernel = "fake";
  return f;
}

LaunchResult compute(FakeDevice& d, const w4_launch& what, const LaunchOptions& options) {
  Args args;
  std::memcpy(&args, what.args, sizeof args);
  const w4_call& c = *args.call;
  LaunchResult result;
  for (int64_t m = 0; m < c.out->dim[0]; ++m) {
    for (int64_t n = 0; n < c.out->dim[1]; ++n) {
      if (args.how == How::unwritten && m == 0 && n == 1) continue;
      uint16_t y = args.how == How::unchecked ? 0 : element(d, c, m, n);
      if (args.how == How::wrong_value && m == 0 && n == 3) y = static_cast<uint16_t>(y + 64);
      d.store16(c.out->device + static_cast<uint64_t>(2 * (m * c.out->stride[0] + n)), y);
    }
  }
  const auto found = [&](FindingKind kind) {
    result.end = LaunchResult::End::findings;
    result.findings.push_back(alarm(kind));
  };
  if (args.how == How::true_alarm) found(FindingKind::undefined_store);
  if (args.how == How::false_alarm && !options.confirm) found(FindingKind::undefined_store);
  if (args.how == How::lost_race && !options.confirm) found(FindingKind::lds_race);
  if (args.how == How::unsupported) {
    result.end = LaunchResult::End::unsupported;
    result.why = "v_fancy_f32 v0, v1";
  }
  if (args.how == How::step_limit) result.end = LaunchResult::End::step_limit;
  if (options.trace) {
    result.trace = {"a trace"};
    for (Finding& f : result.findings)
      f.trace = {options.confirm ? "a confirmed trace" : "a trace"};
  }
  return result;
}
constexpr FakeKernel kCompute = compute;

int refuse(const w4_device* d, const char* clause, const std::string& message) {
  d->refuse(d->self, clause, message.c_str());
  return 1;
}

template <How H>
int check(const w4_kernel*, const w4_call* c, const w4_device* d) {
  if (H == How::unchecked) return 0;
  if (H == How::refuses_legal) return refuse(d, "m.range", "no");
  const int64_t g = c->group_size, m = c->act->dim[0];
  const int64_t wpad = c->wei->stride[0] - c->wei->dim[1];
  if (wpad < 0 || wpad % 4 != 0) return refuse(d, "weight.stride", fmt::format("pad {}", wpad));
  if (c->scale->stride[0] < c->scale->dim[1]) return refuse(d, "scale.stride", "short rows");
  if (g != 32 && g != 64 && g != 128) return refuse(d, "group.size", fmt::format("G = {}", g));
  if (c->act->dim[1] % g != 0) return refuse(d, "k.group", fmt::format("K = {}", c->act->dim[1]));
  if (m < 1 || m > 5) return refuse(d, "m.range", fmt::format("M = {}", m));
  return 0;
}

w4_tensor padded(const w4_tensor& from, w4_dtype t, w4_layout layout, int64_t bytes_each,
                 int64_t pad, const w4_device* d) {
  w4_tensor out = from;
  out.dtype = t, out.layout = layout;
  out.stride[0] = from.dim[1] + pad;
  out.bytes = static_cast<uint64_t>(from.dim[0] * out.stride[0] * bytes_each);
  out.host = d->host_alloc(d->self, out.bytes);
  for (int64_t r = 0; r < from.dim[0]; ++r) {
    std::memcpy(static_cast<std::byte*>(out.host) + r * out.stride[0] * bytes_each,
                static_cast<const std::byte*>(from.host) + r * from.dim[1] * bytes_each,
                static_cast<size_t>(from.dim[1] * bytes_each));
  }
  return out;
}

int prepare(const w4_kernel*, const w4_source* s, const w4_device* d, w4_prepared* out) {
  if (s->weight_row_pad_bytes < 0) return refuse(d, "weight.stride", "negative pad");
  if (s->scale_row_pad < 0) return refuse(d, "scale.stride", "negative pad");
  out->wei = padded(*s->wei, W4_I8, W4_WEI_SHUFFLED, 1, s->weight_row_pad_bytes, d);
  out->scale = padded(*s->scale, s->scale->dtype, W4_DENSE, 2, s->scale_row_pad, d);
  if (!s->symmetric) {
    const bool packed = s->zp->layout == W4_ZP_PACKED;
    out->zp = padded(*s->zp, s->zp->dtype, s->zp->layout, packed ? 4 : 2, s->scale_row_pad, d);
  }
  return 0;
}

template <How H>
int run(const w4_kernel* self, const w4_call* c, const w4_device* d) {
  const Args args{H, c};
  const w4_launch launch{.object = &kCompute,
                         .object_bytes = sizeof kCompute,
                         .symbol = "fake",
                         .grid = {1, 1, 1},
                         .block = {32, 1, 1},
                         .dynamic_lds = 0,
                         .args = &args,
                         .arg_bytes = sizeof args};
  if (H == How::idle) return 0;
  if (const int refused = check<H>(self, c, d)) {
    if (H == How::touches) d->launch(d->self, &launch);
    return refused;
  }
  if (const int stopped = d->launch(d->self, &launch)) return stopped;
  const std::string ran =
      fmt::format("m{} g{} {}", c->act->dim[0], H == How::other_group ? 128 : c->group_size,
                  c->act->dtype == W4_F16 ? "f16" : "bf16");
  d->ran(d->self, ran.c_str());
  return 0;
}

constexpr const char* kClauses[] = {"weight.stride", "scale.stride", "group.size",
                                    "k.group",       "m.range",      nullptr};
constexpr const char* kArchs[] = {"gfx1151", nullptr};
constexpr w4_layout kLayouts[] = {W4_ZP_PACKED, W4_ZP_UNPACKED};
constexpr w4_numerics kNumerics{
    .weight = [](w4_dtype, double q, double z, double s) { return (q - z) * s; },
    .store = [](w4_dtype t, double acc, double bias,
                int) { return from_f64(t == W4_F16 ? DType::f16 : DType::bf16, acc + bias); },
    .chain = [](w4_dtype, int64_t, int64_t, int64_t, int64_t,
                int64_t) { return w4_chain{W4_UNIT_FMA32, 4, 16, 1, 0}; },
    .text = "double sums",
    .gate = nullptr};

template <How H>
constexpr w4_kernel kernel(const char* name, int32_t inline_assembly = 0) {
  return {.name = name,
          .says = name,
          .clauses = kClauses,
          .zp_layouts = kLayouts,
          .zp_layout_count = 2,
          .numerics = &kNumerics,
          .archs = kArchs,
          .inline_assembly = inline_assembly,
          .deterministic = 1,
          .data = nullptr,
          .accept = check<H>,
          .prepare = prepare,
          .run = run<H>,
          .dense_weights = 0,
          .reads_carrier = 0,
          .moe = 0,
          .shape = nullptr,
          .numerics_of = nullptr};
}

constexpr std::array kKernels{kernel<How::right>("right"),
                              kernel<How::right>("by_hand", 1),
                              kernel<How::strided>("strided"),
                              kernel<How::wrong_value>("wrong_value"),
                              kernel<How::unwritten>("unwritten"),
                              kernel<How::unchecked>("unchecked"),
                              kernel<How::refuses_legal>("refuses_legal"),
                              kernel<How::touches>("touches"),
                              kernel<How::false_alarm>("false_alarm"),
                              kernel<How::true_alarm>("true_alarm"),
                              kernel<How::lost_race>("lost_race"),
                              kernel<How::unsupported>("unsupported"),
                              kernel<How::step_limit>("step_limit"),
                              kernel<How::other_group>("other_group"),
                              kernel<How::idle>("idle")};
constexpr w4_module kModule{W4_MODULE_VERSION, "fake", kKernels.data(),
                            static_cast<int32_t>(kKernels.size())};

}  // namespace

const w4_module& fake_module() { return kModule; }

}  // namespace w4::test
