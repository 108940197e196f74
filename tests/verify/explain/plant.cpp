#include "tests/verify/explain/plant.h"

#include <bit>
#include <cstring>
#include <list>

#include "kernels/table.h"

namespace w4::test {
namespace {

// What a wrapped kernel's `data` points to.
struct Wrapped {
  const w4_kernel* inner;
  const Plant* plant;
};
const Wrapped& of(const w4_kernel* self) { return *static_cast<const Wrapped*>(self->data); }

int prepare(const w4_kernel* self, const w4_source* source, const w4_device* device,
            w4_prepared* out) {
  const Wrapped& w = of(self);
  const int refused = w.inner->prepare(w.inner, source, device, out);
  if (refused == 0 && w.plant->prepare) {
    Tensors t(*out, source->group_size);
    w.plant->prepare(t);
  }
  return refused;
}

int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  const Wrapped& w = of(self);
  const RunInner inner = [&](const w4_call& c) { return w.inner->run(w.inner, &c, device); };
  return w.plant->run ? w.plant->run(*call, inner) : inner(*call);
}

// Shift of column k in its word: even k in the low half, odd k in the high one.
int shift_of(int64_t k) {
  const int j = static_cast<int>(k & 7);
  return 4 * (j >> 1) + 16 * (j & 1);
}

}  // namespace

Tensors::Tensors(w4_prepared& p, int64_t group)
    : rows(p.wei.rank == 3 ? p.wei.dim[0] * p.wei.dim[1] : p.wei.dim[0]),
      k(2 * p.wei.dim[p.wei.rank - 1]),
      g(group),
      groups(k / group),
      stride(p.scale.stride[p.scale.rank - 2]),
      each(p.wei.rank == 3 ? p.wei.dim[1] : p.wei.dim[0]),
      wei_(static_cast<uint8_t*>(p.wei.host)),
      scale_(static_cast<uint16_t*>(p.scale.host)),
      zp_(p.zp.host),
      wei_stride_(p.wei.stride[p.wei.rank - 2]),
      packed_(p.zp.host != nullptr && p.zp.layout == W4_ZP_PACKED),
      half_(p.scale.dtype == W4_F16) {}

uint32_t Tensors::code(int64_t r, int64_t c) const {
  uint32_t word;
  std::memcpy(&word, wei_ + r * wei_stride_ + c / 8 * 4, 4);
  return word >> shift_of(c) & 15;
}

void Tensors::set_code(int64_t r, int64_t c, uint32_t q) {
  uint8_t* at = wei_ + r * wei_stride_ + c / 8 * 4;
  uint32_t word;
  std::memcpy(&word, at, 4);
  word = (word & ~(15u << shift_of(c))) | q << shift_of(c);
  std::memcpy(at, &word, 4);
}

uint16_t Tensors::scale(int64_t flat) const { return scale_[flat]; }
void Tensors::set_scale(int64_t r, int64_t c, uint16_t bits) { scale_[r * stride + c] = bits; }

// Small whole numbers as 16-bit floats.
static uint16_t number(bool half, uint32_t z) {
  if (z == 0) return 0;
  const int e = std::bit_width(z) - 1;
  const auto fraction = (z ^ 1u << e) << (half ? 10 : 7) >> e;
  return static_cast<uint16_t>((e + (half ? 15 : 127)) << (half ? 10 : 7) | fraction);
}

uint32_t Tensors::zero(int64_t r, int64_t flat) const {
  if (packed_) return static_cast<const uint32_t*>(zp_)[flat] >> (4 * (r % 8)) & 15;
  const uint16_t bits = static_cast<const uint16_t*>(zp_)[flat];
  uint32_t z = 0;
  while (z < 16 && number(half_, z) != bits) ++z;
  return z & 15;
}

void Tensors::set_zero(int64_t r, int64_t c, uint32_t z) {
  const int64_t flat = table_row(r) * stride + c;
  if (!packed_) {
    static_cast<uint16_t*>(zp_)[flat] = number(half_, z);
    return;
  }
  uint32_t& word = static_cast<uint32_t*>(zp_)[flat];
  const int shift = static_cast<int>(4 * (r % 8));
  word = (word & ~(15u << shift)) | (z & 15) << shift;
}

void Tensors::set_zero_bits(int64_t r, int64_t c, uint16_t bits) {
  static_cast<uint16_t*>(zp_)[r * stride + c] = bits;
}

const w4_module& planted_module(const Plant& plant) {
  struct Owned {
    std::vector<Wrapped> wrapped;
    std::vector<w4_kernel> kernels;
    w4_module module;
  };
  static std::list<Owned> all;
  const w4_module& builtin = builtin_module();
  Owned& o = all.emplace_back();
  o.wrapped.reserve(static_cast<size_t>(builtin.kernel_count));
  for (int32_t i = 0; i < builtin.kernel_count; ++i) {
    w4_kernel k = builtin.kernels[i];
    k.data = &o.wrapped.emplace_back(Wrapped{&builtin.kernels[i], &plant});
    k.prepare = prepare;
    k.run = run;
    k.accept = [](const w4_kernel* self, const w4_call* c, const w4_device* d) {
      return of(self).inner->accept(of(self).inner, c, d);
    };
    k.shape = nullptr;
    if (k.numerics_of != nullptr) {
      k.numerics_of = [](const w4_kernel* self, int64_t m, int64_t n, int64_t kk, int64_t g) {
        return of(self).inner->numerics_of(of(self).inner, m, n, kk, g);
      };
    }
    o.kernels.push_back(k);
  }
  o.module = {W4_MODULE_VERSION, sizeof(w4_kernel), "planted", o.kernels.data(),
              builtin.kernel_count};
  return o.module;
}

}  // namespace w4::test
