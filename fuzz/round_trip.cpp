#include "fuzz/round_trip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/layout.h"
#include "kernels/descriptors.h"
#include "verify/materialise.h"

namespace w4::fuzz {
namespace {

using Wrong = std::optional<std::string>;

template <class... A>
std::string wrong(fmt::format_string<A...> f, A&&... a) {
  return fmt::format(f, std::forward<A>(a)...);
}

// The part of a device that preparation uses.
class HostMemory {
 public:
  const w4_device* table() const { return &table_; }
  std::string refused;  // "clause: message"

 private:
  static HostMemory& of(void* self) { return *static_cast<HostMemory*>(self); }
  static int64_t property(void*, w4_property) { return 0; }
  static void* host_alloc(void* self, size_t bytes) {
    of(self).memory_.push_back(std::make_unique<std::byte[]>(std::max<size_t>(bytes, 1)));
    return of(self).memory_.back().get();
  }
  static void refuse(void* self, const char* clause, const char* message) {
    of(self).refused = fmt::format("{}: {}", clause, message);
  }
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  w4_device table_{.version = W4_MODULE_VERSION,
                   .self = this,
                   .arch = "gfx1151",
                   .property = property,
                   .host_alloc = host_alloc,
                   .device_alloc = nullptr,
                   .device_free = nullptr,
                   .read = nullptr,
                   .write = nullptr,
                   .copy = nullptr,
                   .launch = nullptr,
                   .refuse = refuse,
                   .ran = nullptr};
};

// Rows of a tensor of rank 2, or of experts one after the other.
struct Matrix {
  const std::byte* at = nullptr;
  int64_t rows = 0, cols = 0, stride = 0;  // columns of `element` bytes; stride in bytes
  int64_t element = 0;

  template <class T>
  T get(int64_t row, int64_t col) const {
    T v;
    std::memcpy(&v, at + row * stride + col * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return v;
  }
  int64_t words() const { return cols * element / 4; }
  // Whether what lies between the columns and the next row is zeros.
  bool pads_are_zeros() const {
    for (int64_t r = 0; r < rows; ++r) {
      const std::byte* row = at + r * stride;
      if (!std::all_of(row + cols * element, row + stride,
                       [](std::byte b) { return b == std::byte{0}; }))
        return false;
    }
    return true;
  }
};

Matrix matrix_of(const w4_tensor& t) {
  const int64_t element = bytes_of(t.dtype);
  const auto* at = static_cast<const std::byte*>(t.host);
  if (t.rank == 3) return {at, t.dim[0] * t.dim[1], t.dim[2], t.stride[1] * element, element};
  return {at, t.dim[0], t.dim[1], t.stride[0] * element, element};
}

// How a format places codes, read backwards, and what it stores for z.
struct Format {
  LogicalNK (*wei)(Nibble);
  LogicalNG (*zp)(Nibble);
  bool transposed = false;  // scales [K/G,N]
  uint32_t less = 0;        // than z, modulo 16
};
Format format_of(Source s) {
  switch (s) {
    case Source::shuffled:
      return {wei_shuffled_inverse, zp_packed_inverse};
    case Source::ct:
      return {wei_sequential_inverse, zp_packed_inverse};
    case Source::awq:
      return {wei_awq_inverse, zp_awq_inverse, true};
    case Source::gptq1:
      return {wei_gptq_inverse, zp_gptq_inverse, true, 1};
    case Source::gptq2:
      break;
  }
  return {wei_gptq_inverse, zp_gptq_inverse, true};
}

// Calls f(n, column, code) for every code of a matrix of words; how many those were.
template <class L, class F>
int64_t each_code(const Matrix& m, L (*inverse)(Nibble), F&& f) {
  int64_t count = 0;
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t c = 0; c < m.words(); ++c) {
      const auto word = m.get<uint32_t>(r, c);
      for (int i = 0; i < 8; ++i, ++count) f(inverse({r, c, i}), word >> (4 * i) & 15u);
    }
  }
  return count;
}

// Rows n0 to n0+n, columns k0 to k0+k of `all`; of experts all rows.
struct Shard {
  const Weights& all;
  int64_t n, k, n0, k0;

  int64_t groups() const { return k / all.g; }
  uint32_t code(LogicalNK l) const {
    return all.q[static_cast<size_t>((n0 + l.n) * all.k + k0 + l.k)];
  }
  size_t group_at(int64_t row, int64_t g) const {
    return static_cast<size_t>((n0 + row) * all.groups() + k0 / all.g + g);
  }
  uint32_t zero(int64_t row, int64_t g) const {
    return all.z.empty() ? 8 : all.z[group_at(row, g)];
  }
  uint16_t scale(int64_t row, int64_t g) const { return all.s[group_at(row, g)]; }
  double scale_value(int64_t row, int64_t g) const { return to_f64(all.act, scale(row, g)); }
};

Weights numbers_of(const Case& c, bool finite) {
  const Problem& p = c.problem;
  constexpr uint32_t kStream = 0x726f756e;
  Weights w;
  w.n = p.experts > 0 ? weight_rows(p) : checkpoint_rows(p);
  w.k = checkpoint_columns(p), w.g = p.g, w.act = p.act, w.experts = p.experts;
  w.q.resize(static_cast<size_t>(w.n * w.k));
  for (size_t i = 0; i < w.q.size(); ++i) {
    w.q[i] = static_cast<uint8_t>(
        counter_bits(c.seed, kStream, 0, static_cast<int64_t>(i / 16)) >> (4 * (i % 16)) & 15);
  }
  w.s.resize(static_cast<size_t>(w.n * w.groups()));
  if (p.zp != ZpMode::none) w.z.resize(w.s.size());
  for (size_t i = 0; i < w.s.size(); ++i) {
    const uint64_t bits = counter_bits(c.seed, kStream, 1, static_cast<int64_t>(i));
    w.s[i] = static_cast<uint16_t>(bits);
    // Clears a bit of the exponent, of either format.
    if (finite && (is_nan(w.act, w.s[i]) || is_inf(w.act, w.s[i]))) w.s[i] ^= 0x4000;
    if (!w.z.empty()) w.z[i] = static_cast<uint8_t>(bits >> 16 & 15);
  }
  return w;
}

void widen(HostTensor& t, int64_t words) {
  w4_tensor& d = t.desc;
  const int64_t element = bytes_of(d.dtype);
  const int64_t from = d.stride[0] * element, to = from + 4 * words;
  std::vector<std::byte> wide(static_cast<size_t>(std::max<int64_t>(d.dim[0] * to, 1)),
                              std::byte{0xa5});
  for (int64_t r = 0; r < d.dim[0]; ++r)
    std::memcpy(wide.data() + r * to, t.data.data() + r * from, static_cast<size_t>(from));
  t.data = std::move(wide);
  d.stride[0] = to / element;
  d.bytes = static_cast<uint64_t>(d.dim[0] * to);
  d.host = t.data.data();
}

Wrong codes_differ(const char* what, const Matrix& m, LogicalNK (*inverse)(Nibble),
                   const Shard& s) {
  Wrong bad;
  const int64_t count = each_code(m, inverse, [&](LogicalNK l, uint32_t code) {
    if (bad) return;
    if (l.n >= s.n || l.k >= s.k) {
      bad = wrong("{} hold a code of ({},{}), outside [{},{}]", what, l.n, l.k, s.n, s.k);
    } else if (code != s.code(l)) {
      bad = wrong("{} have code {} at ({},{}), where the weights have {}", what, code, l.n, l.k,
                  s.code(l));
    }
  });
  if (!bad && count != s.n * s.k) bad = wrong("{} hold {} codes of {}", what, count, s.n * s.k);
  return bad;
}

Wrong zeros_differ(const char* what, const w4_tensor& t, const Format& f, const Shard& s) {
  const Matrix m = matrix_of(t);
  Wrong bad;
  const auto look = [&](int64_t n, int64_t g, double z) {
    if (!bad && z != s.zero(n, g)) {
      bad = wrong("{} are {} at ({},{}), where z is {}", what, z, n, g, s.zero(n, g));
    }
  };
  int64_t count = 0;
  if (t.layout == W4_ZP_UNPACKED) {
    for (int64_t n = 0; n < m.rows; ++n) {
      for (int64_t g = 0; g < m.cols; ++g, ++count)
        look(n, g, to_f64(s.all.act, m.get<uint16_t>(n, g)));
    }
  } else {
    count = each_code(m, f.zp, [&](LogicalNG l, uint32_t code) {
      if (l.n < s.n && l.g < s.groups()) return look(l.n, l.g, (code + f.less) & 15u);
      if (!bad) bad = wrong("{} hold one of ({},{})", what, l.n, l.g);
    });
  }
  if (!bad && count != s.n * s.groups())
    bad = wrong("{} are {} of {}", what, count, s.n * s.groups());
  return bad;
}

Wrong scales_differ(const char* what, const Matrix& m, bool transposed, const Shard& s) {
  if (m.rows != (transposed ? s.groups() : s.n) || m.cols != (transposed ? s.n : s.groups()))
    return wrong("{} are [{},{}]", what, m.rows, m.cols);
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t g = 0; g < s.groups(); ++g) {
      const auto bits = transposed ? m.get<uint16_t>(g, n) : m.get<uint16_t>(n, g);
      if (bits != s.scale(n, g))
        return wrong("{} have bits {:#x} at ({},{}), where the scale has {:#x}", what, bits, n, g,
                     s.scale(n, g));
    }
  }
  return {};
}

Wrong source_wrong(const Problem& p, const SourceTensors& t, const Shard& all) {
  const Format f = format_of(p.src);
  if (auto bad = codes_differ("the checkpoint's weights", matrix_of(t.wei.desc), f.wei, all))
    return bad;
  if (auto bad =
          scales_differ("the checkpoint's scales", matrix_of(t.scale.desc), f.transposed, all))
    return bad;
  if (p.zp == ZpMode::none) return {};
  return zeros_differ("the checkpoint's zero points", t.zp->desc, f, all);
}

// fl_T((q - z)*s): exact in double but for the one rounding.
Wrong dense_differs(const Matrix& m, const Shard& s) {
  if (m.rows != s.n || m.cols != s.k) return wrong("dense weights are [{},{}]", m.rows, m.cols);
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t k = 0; k < s.k; ++k) {
      const int64_t g = k / s.all.g;
      const double exact =
          (static_cast<double>(s.code({n, k})) - s.zero(n, g)) * s.scale_value(n, g);
      const uint16_t want = from_f64(s.all.act, exact), got = m.get<uint16_t>(n, k);
      if (got != want)
        return wrong("dense weights have bits {:#x} at ({},{}); right: {:#x}", got, n, k, want);
    }
  }
  return {};
}

// The scale's bits; above them fp16(-z*s), as a number, or z where T is bf16.
Wrong carrier_differs(const Matrix& m, const Shard& s) {
  if (m.rows != s.n || m.cols != s.groups()) return wrong("the carrier is [{},{}]", m.rows, m.cols);
  const auto value = [](uint32_t bits) { return to_f64(DType::f16, static_cast<uint16_t>(bits)); };
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t g = 0; g < s.groups(); ++g) {
      const auto word = m.get<uint32_t>(n, g);
      const bool low = (word & 0xffff) == s.scale(n, g);
      const uint32_t z = s.zero(n, g);
      const bool high =
          s.all.act == DType::bf16
              ? word >> 16 == z
              : value(word >> 16) == value(from_f64(DType::f16, -(z * s.scale_value(n, g))));
      if (!low || !high)
        return wrong("the carrier is {:#x} at ({},{}), z = {}, scale {:#x}", word, n, g, z,
                     s.scale(n, g));
    }
  }
  return {};
}

Wrong tensor_wrong(const char* what, const w4_tensor& t, w4_dtype dtype, w4_layout layout,
                   int64_t stride) {
  if (t.host == nullptr) return wrong("no {} were prepared", what);
  if (t.dtype != dtype || t.layout != layout)
    return wrong("{} are {} of {}; asked for: {} of {}", what, name_of(t.layout), name_of(t.dtype),
                 name_of(layout), name_of(dtype));
  const Matrix m = matrix_of(t);
  if (m.stride != stride * m.element)
    return wrong("{} have rows of {} bytes; asked for: {}", what, m.stride, stride * m.element);
  if (t.bytes != static_cast<uint64_t>(m.rows * m.stride))
    return wrong("{} say they have {} bytes", what, t.bytes);
  if (!m.pads_are_zeros()) return wrong("pads of {} hold something", what);
  return {};
}

Wrong prepared_wrong(const Problem& p, const w4_kernel& kernel, const w4_prepared& made,
                     const Shard& s) {
  const w4_dtype t = to_module(p.act);
  const Format f = format_of(Source::shuffled);
  const bool dense = kernel.dense_weights != 0;
  if (auto bad =
          dense ? tensor_wrong("weights", made.wei, t, W4_DENSE, dense_stride(p))
                : tensor_wrong("weights", made.wei, W4_I8, W4_WEI_SHUFFLED, weight_stride_bytes(p)))
    return bad;
  const Matrix wei = matrix_of(made.wei);
  if (auto bad = dense ? dense_differs(wei, s) : codes_differ("weights", wei, f.wei, s)) return bad;
  if (auto bad = tensor_wrong("scales", made.scale, t, W4_DENSE, scale_stride(p))) return bad;
  if (auto bad = scales_differ("scales", matrix_of(made.scale), false, s)) return bad;
  if (kernel.reads_carrier != 0) {
    if (auto bad =
            tensor_wrong("carriers", made.carrier, W4_F32, W4_SCALE_CARRIER, carrier_stride(p)))
      return bad;
    if (auto bad = carrier_differs(matrix_of(made.carrier), s)) return bad;
  }
  if (p.zp == ZpMode::none) {
    if (made.zp.host != nullptr) return wrong("zero points were prepared for a symmetric source");
    return {};
  }
  const bool packed = p.zp == ZpMode::packed;
  if (auto bad = tensor_wrong("zero points", made.zp, packed ? W4_I32 : t,
                              packed ? W4_ZP_PACKED : W4_ZP_UNPACKED, scale_stride(p)))
    return bad;
  return zeros_differ("zero points", made.zp, f, s);
}

bool same_rows(const w4_tensor& a, const w4_tensor& b) {
  if ((a.host == nullptr) != (b.host == nullptr) || a.bytes != b.bytes) return false;
  return a.host == nullptr || std::memcmp(a.host, b.host, static_cast<size_t>(a.bytes)) == 0;
}

// Experts one after the other along the rows, as a checkpoint has them.
w4_tensor flat(w4_tensor t) {
  if (t.rank != 3) return t;
  t.dim[0] *= t.dim[1], t.dim[1] = t.dim[2], t.stride[0] = t.stride[1], t.stride[1] = 1;
  t.rank = 2;
  return t;
}

// What was prepared is a checkpoint in the kernel's own layout.
Wrong again_wrong(const w4_kernel& kernel, w4_source source, const w4_prepared& once) {
  const w4_tensor wei = flat(once.wei), scale = flat(once.scale), zp = flat(once.zp);
  source.wei = &wei, source.scale = &scale, source.zp = once.zp.host == nullptr ? nullptr : &zp;
  source.n0 = source.k0 = 0, source.g_idx = nullptr;
  HostMemory memory;
  w4_prepared twice{};
  if (kernel.prepare(&kernel, &source, memory.table(), &twice) != 0)
    return wrong("what was prepared is refused as a source, {}", memory.refused);
  for (const auto& [what, a, b] : {std::tuple("weights", &once.wei, &twice.wei),
                                   std::tuple("scales", &once.scale, &twice.scale),
                                   std::tuple("zero points", &once.zp, &twice.zp),
                                   std::tuple("carriers", &once.carrier, &twice.carrier)}) {
    if (!same_rows(*a, *b)) return wrong("{} that are prepared twice differ", what);
  }
  return {};
}

}  // namespace

std::optional<std::string> wrong_preparation(const Case& c, const w4_kernel& kernel, int64_t more) {
  const Problem& p = c.problem;
  const Weights numbers = numbers_of(c, kernel.dense_weights != 0 || kernel.reads_carrier != 0);
  SourceTensors tensors = make_source(p, &numbers);
  widen(tensors.wei, more);
  widen(tensors.scale, more);
  if (tensors.zp) widen(*tensors.zp, more);
  if (auto bad = source_wrong(p, tensors, {numbers, numbers.n, numbers.k, 0, 0})) return bad;
  const w4_source source = source_of(p, tensors);
  HostMemory memory;
  w4_prepared made{};
  if (kernel.prepare(&kernel, &source, memory.table(), &made) != 0)
    return wrong("a legal source is refused, {}", memory.refused);
  const Shard wanted{numbers, p.experts > 0 ? numbers.n : p.n, p.k, p.n0, p.k0};
  if (auto bad = prepared_wrong(p, kernel, made, wanted)) return bad;
  if (kernel.dense_weights != 0) return {};  // not a source
  return again_wrong(kernel, source, made);
}

}  // namespace w4::fuzz
