#include "tests/verify/fake_kernel.h"

#include <fmt/format.h>

#include <cstring>

#include "core/dtypes.h"
#include "core/layout.h"

namespace w4::test {
namespace {

DType type_of(const w4_call& c) { return c.act->dtype == W4_F16 ? DType::f16 : DType::bf16; }

uint32_t load32(FakeDevice& d, uint64_t from) {
  return d.load16(from) | static_cast<uint32_t>(d.load16(from + 2)) << 16;
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

}  // namespace

double fake_zero_point(FakeDevice& d, const w4_call& c, int64_t n, int64_t g) {
  if (!c.zp) return 8;
  const auto at = [&](int64_t row, int64_t bytes) {
    return c.zp->device + static_cast<uint64_t>((row * c.zp->stride[0] + g) * bytes);
  };
  if (c.zp->layout == W4_ZP_UNPACKED) return to_f64(type_of(c), d.load16(at(n, 2)));
  return load32(d, at(n / 8, 4)) >> (4 * (n % 8)) & 15;
}

double fake_act(FakeDevice& d, const w4_call& c, int64_t m, int64_t k) {
  return to_f64(type_of(c),
                d.load16(c.act->device + static_cast<uint64_t>(2 * (m * c.act->stride[0] + k))));
}

double fake_sum(FakeDevice& d, const w4_call& c, int64_t m, int64_t n, int64_t end) {
  const DType t = type_of(c);
  double sum = 0;
  for (int64_t k = 0; k < end; ++k) {
    const int64_t g = k / c.group_size;
    const Nibble at = wei_shuffled({n, k});
    const uint32_t word =
        load32(d, c.wei->device + static_cast<uint64_t>(at.row * c.wei->stride[0] + 4 * at.col));
    const double q = word >> (4 * at.nibble) & 15;
    const double s = to_f64(
        t, d.load16(c.scale->device + static_cast<uint64_t>(2 * (n * c.scale->stride[0] + g))));
    sum += fake_act(d, c, m, k) * (q - fake_zero_point(d, c, n, g)) * s;
  }
  if (c.bias) {
    const bool flat = c.bias->rank == 1;
    const int64_t row = flat ? 0 : m % c.bias->dim[0];
    const int64_t col = flat ? n : n % c.bias->dim[1];
    const int64_t at = flat ? col * c.bias->stride[0] : row * c.bias->stride[0] + col;
    sum += to_f64(t, d.load16(c.bias->device + static_cast<uint64_t>(2 * at)));
  }
  return sum;
}

uint16_t fake_element(FakeDevice& d, const w4_call& c, int64_t m, int64_t n) {
  return from_f64(type_of(c), fake_sum(d, c, m, n, c.act->dim[1]));
}

int fake_refuse(const w4_device* d, const char* clause, const std::string& message) {
  d->refuse(d->self, clause, message.c_str());
  return 1;
}

int fake_check(const w4_call* c, const w4_device* d) {
  const int64_t g = c->group_size, m = c->act->dim[0];
  const int64_t wpad = c->wei->stride[0] - c->wei->dim[1];
  if (wpad < 0 || wpad % 4 != 0)
    return fake_refuse(d, "weight.stride", fmt::format("pad {}", wpad));
  if (c->scale->stride[0] < c->scale->dim[1]) return fake_refuse(d, "scale.stride", "short rows");
  if (g != 32 && g != 64 && g != 128) return fake_refuse(d, "group.size", fmt::format("G = {}", g));
  if (c->act->dim[1] % g != 0)
    return fake_refuse(d, "k.group", fmt::format("K = {}", c->act->dim[1]));
  if (m < 1 || m > 5) return fake_refuse(d, "m.range", fmt::format("M = {}", m));
  return 0;
}

int fake_prepare(const w4_kernel*, const w4_source* s, const w4_device* d, w4_prepared* out) {
  if (s->weight_row_pad_bytes < 0) return fake_refuse(d, "weight.stride", "negative pad");
  if (s->scale_row_pad < 0) return fake_refuse(d, "scale.stride", "negative pad");
  out->wei = padded(*s->wei, W4_I8, W4_WEI_SHUFFLED, 1, s->weight_row_pad_bytes, d);
  out->scale = padded(*s->scale, s->scale->dtype, W4_DENSE, 2, s->scale_row_pad, d);
  if (!s->symmetric) {
    const bool packed = s->zp->layout == W4_ZP_PACKED;
    out->zp = padded(*s->zp, s->zp->dtype, s->zp->layout, packed ? 4 : 2, s->scale_row_pad, d);
  }
  return 0;
}

w4_kernel fake_kernel(const char* name) {
  w4_kernel k{};
  k.name = k.says = name;
  k.clauses = kClauses;
  k.zp_layouts = kLayouts;
  k.zp_layout_count = 2;
  k.numerics = &kNumerics;
  k.archs = kArchs;
  k.prepare = fake_prepare;
  return k;
}

}  // namespace w4::test
