#include "tests/rdna/isa/reference.h"

#include <cmath>
#include <random>

#include "rdna/catalogue.h"

namespace w4::rdna::test {
namespace {

constexpr int kDst = 8;  // first of the result's registers; source i begins at 2 * i

const std::vector<uint64_t>& edges(Kind k) {
  static const std::vector<uint64_t> f16 = {0,      0x8000, 1,      0x8001, 0x3ff,  0x83ff, 0x400,
                                            0x3bff, 0x3c00, 0xbc00, 0x4000, 0x4200, 0x7bff, 0xfbff,
                                            0x7c00, 0xfc00, 0x7e00, 0x7d01, 0xfe01, 0x1400};
  static const std::vector<uint64_t> f32 = {
      0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x00800000, 0x80800000,
      0x3f800000, 0xbf800000, 0x3f7fffff, 0x40000000, 0x42ff0000, 0x7f7fffff, 0xff7fffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00000, 0xffc00001, 0x33800000, 0x4f000000};
  static const std::vector<uint64_t> f64 = {0,
                                            0x8000000000000000,
                                            1,
                                            0x8000000000000001,
                                            0x000fffffffffffff,
                                            0x0010000000000000,
                                            0x3ff0000000000000,
                                            0xbff0000000000000,
                                            0x3fefffffffffffff,
                                            0x4000000000000000,
                                            0x7fefffffffffffff,
                                            0xffefffffffffffff,
                                            0x7ff0000000000000,
                                            0xfff0000000000000,
                                            0x7ff8000000000000,
                                            0x7ff4000000000000,
                                            0x41dfffffffc00000,
                                            0x3ca0000000000000};
  static const std::vector<uint64_t> b16 = {0,      1,      2,      15,     16,     31,     0x7ff,
                                            0x7fff, 0x8000, 0x8001, 0xff00, 0xfffe, 0xffff, 0x5555};
  static const std::vector<uint64_t> b32 = {
      0,        1,          2,          7,          8,          16,         31,
      32,       0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,   0x800000,
      0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55aa0c07};
  static const std::vector<uint64_t> b64 = {0,
                                            1,
                                            0xffffffff,
                                            0x100000000,
                                            0x7fffffffffffffff,
                                            0x8000000000000000,
                                            0xffffffffffffffff,
                                            0xfffffffffffffffe,
                                            0x5555555555555555};
  switch (k) {
    case Kind::f16:
      return f16;
    case Kind::f32:
      return f32;
    case Kind::f64:
      return f64;
    case Kind::b16:
      return b16;
    case Kind::b64:
      return b64;
    default:
      return b32;
  }
}

using Rng = std::mt19937_64;

// Bits of which some have close exponents (ties, cancellation), some few digits, some are anything.
uint64_t random_bits(Kind k, Rng& rng) {
  const uint64_t r = rng();
  const int n = bits_of_kind(k);
  const uint64_t all = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
  if (!is_float(k)) {
    switch (r >> 60 & 3) {
      case 0:
        return rng() % 70;
      case 1:
        return ~(rng() % 70) & all;
      default:
        return rng() & all;
    }
  }
  const int digits = k == Kind::f16 ? 10 : k == Kind::f32 ? 23 : 52;
  const uint64_t fraction = (uint64_t{1} << digits) - 1, sign = uint64_t{1} << (n - 1);
  const auto middle = static_cast<uint64_t>(k == Kind::f16 ? 15 : k == Kind::f32 ? 127 : 1023);
  switch (r >> 60 & 3) {
    case 0:
      return (rng() & (sign | fraction)) | (middle - 4 + (r & 7)) << digits;
    case 1:
      return (rng() & (sign | 7)) | (rng() % (2 * middle + 2)) << digits;
    case 2:  // near the smallest
      return rng() & (sign | fraction | uint64_t{3} << digits);
    default:
      return rng() & all;
  }
}

// What one run of 32 lanes sets beside the sources.
struct Setting {
  Op op;
  uint32_t exec = ~0u;
};

bool flush_in(const Reference& r, Kind k, const Wave& w) {
  if (!is_float(k)) return false;
  if (k == Kind::f32) return (r.traits & kFlushes) || !(w.denorm32 & 1);
  return !(w.denorm16_64 & 1);
}
bool flush_out(const Reference& r, const Wave& w) {
  if (r.dst == Kind::f32) return (r.traits & kFlushes) || !(w.denorm32 & 2);
  return !(w.denorm16_64 & 2);
}

uint64_t read_register(const Lanes* v, int reg, int lane, Kind k, bool high) {
  const uint64_t lo = v[reg].v[lane];
  if (bits_of_kind(k) == 16) return (high ? lo >> 16 : lo) & 0xffff;
  return bits_of_kind(k) == 64 ? lo | uint64_t{v[reg + 1].v[lane]} << 32 : lo;
}

In as_seen(const Reference& r, Kind k, uint64_t raw, uint8_t mods, const Wave& w) {
  if (!is_float(k)) return {raw, 0};
  const uint64_t sign = uint64_t{1} << (bits_of_kind(k) - 1);
  if (mods & kAbs) raw &= ~sign;
  if (mods & kNeg) raw ^= sign;
  if (flush_in(r, k, w) && is_denormal(k, raw)) raw &= sign;
  return {raw, value_of(k, raw)};
}

// omod, clamp, flush. The documents: the output modifier counts only where output denormals are
// flushed and MODE.IEEE is off, and takes -0 to +0.
double way_out(const Reference& r, const Op& op, const Wave& w, double x) {
  if (op.omod && flush_out(r, w) && !w.ieee) {
    x = scaled(r.dst, x, op.omod == 1 ? 1 : op.omod == 2 ? 2 : -1);
    if (x == 0 || is_denormal(r.dst, bits_of_value(r.dst, x))) x = 0;
  }
  if (op.clamp) {
    if (x != x) return w.dx10_clamp ? 0.0 : x;
    x = x > 0 ? std::fmin(x, 1.0) : 0.0;
  }
  if (flush_out(r, w) && is_denormal(r.dst, bits_of_value(r.dst, x))) x = std::copysign(0.0, x);
  return x;
}

uint64_t expected(const Reference& r, const Op& op, const Wave& w, const In (&in)[3]) {
  const auto& f = r.f_ieee && w.ieee ? r.f_ieee : r.f;
  const Out out = f(in[0], in[1], in[2]);
  if (is_float(r.dst)) return bits_of_value(r.dst, way_out(r, op, w, out.x));
  const int n = bits_of_kind(r.dst);
  return n == 64 ? out.bits : out.bits & ((uint64_t{1} << n) - 1);
}

class Checker {
 public:
  explicit Checker(const Reference& r) : r_(r), n_(r.sources()), rng_(r.mnemonic.size() * 77 + 5) {
    setting_.op.ndst = 1;
    setting_.op.dst[0] = Bench::vgpr(kDst, 0, bits_of_kind(r.dst) == 64 ? 2 : 1);
    for (int i = 0; i < n_; ++i) {
      const Kind k = r.src[static_cast<size_t>(i)];
      place_[i] = keeps(i) ? kDst : 2 * i;
      if (keeps(i)) continue;
      setting_.op.src[setting_.op.nsrc++] = Bench::vgpr(2 * i, 0, bits_of_kind(k) == 64 ? 2 : 1);
    }
    setting_.op.clamp = r.traits & kClamped;
  }

  void run() {
    if (n_ == 1 && bits_of_kind(r_.src[0]) == 16) {
      for (uint64_t x = 0; x < 0x20000 && good(); x += kLanes) {
        sources([&](int, int l) { return (x + static_cast<uint64_t>(l)) & 0xffff; });
        round(x >> 16);
      }
    } else {
      run_edges();
    }
    for (int i = 0; i < 160 && good(); ++i) {
      sources([&](int s, int) { return random_bits(r_.src[static_cast<size_t>(s)], rng_); });
      round(i % 2);
    }
    for (int i = 0; i < 60 && good(); ++i) soundness();
  }

 private:
  bool keeps(int i) const { return (r_.traits & kKeepsDst) && i == n_ - 1; }
  bool good() const { return !failed_; }
  void fail(const std::string& why) {
    failed_ = true;
    ADD_FAILURE() << why;
  }
  bool half(int i) const { return bits_of_kind(r_.src[static_cast<size_t>(i)]) == 16; }

  void run_edges() {
    size_t total = 1;
    for (int i = 0; i < n_; ++i) total *= edges(r_.src[static_cast<size_t>(i)]).size();
    const size_t step = total / 4000 | 1;  // of three sources every nth combination
    for (size_t at = 0; at < total && good(); at += kLanes * step) {
      sources([&](int s, int l) {
        size_t index = at + static_cast<size_t>(l) * step;
        for (int i = 0; i < s; ++i) index /= edges(r_.src[static_cast<size_t>(i)]).size();
        const auto& e = edges(r_.src[static_cast<size_t>(s)]);
        return e[index % e.size()];
      });
      round(false);
      sources_as_they_are();
      round(true);
    }
  }

  // Raw bits of every source; both halves of a register hold a 16-bit one's, in turn.
  template <class F>
  void sources(F f) {
    for (int i = 0; i < n_; ++i) {
      for (int l = 0; l < kLanes; ++l) raw_[i][l] = f(i, l);
    }
    sources_as_they_are();
  }
  void sources_as_they_are() {
    for (int i = 0; i < n_; ++i) {
      high_[i] = half(i) && !(r_.traits & kNoOpSel) && (rng_() & 1);
    }
    high_dst_ = bits_of_kind(r_.dst) == 16 && !(r_.traits & kNoOpSel) && (rng_() & 1);
    for (int i = 0; i < n_; ++i) {
      if (keeps(i)) high_[i] = high_dst_;
    }
    for (Lanes& row : bench_.v) {
      for (uint32_t& x : row.v) x = static_cast<uint32_t>(rng_());
    }
    for (int i = 0; i < n_; ++i) {
      for (int l = 0; l < kLanes; ++l) {
        uint32_t& to = bench_.v[place_[i]].v[l];
        const uint64_t x = raw_[i][l];
        if (half(i)) {
          const int s = high_[i] ? 16 : 0;
          to = (to & ~(0xffffu << s)) | static_cast<uint32_t>(x) << s;
        } else {
          to = static_cast<uint32_t>(x);
          if (bits_of_kind(r_.src[static_cast<size_t>(i)]) == 64)
            bench_.v[place_[i] + 1].v[l] = static_cast<uint32_t>(x >> 32);
        }
      }
    }
  }

  // Modifiers and MODE at random where `vary`, else the plain form in the mode that HSA sets.
  void choose(bool vary) {
    Op& op = setting_.op;
    Wave& w = bench_.w;
    const bool out = is_float(r_.dst) && !(r_.traits & kNoMods);
    const auto maybe = [&](uint64_t n) { return vary && rng_() % n == 0; };
    w.denorm32 = static_cast<uint8_t>(maybe(2) ? rng_() & 3 : 3);
    w.denorm16_64 = static_cast<uint8_t>(maybe(2) ? rng_() & 3 : 3);
    w.ieee = !maybe(2);
    w.dx10_clamp = !maybe(2);
    if (is_float(r_.dst) || !(r_.traits & kClamped)) op.clamp = out && maybe(4);
    op.omod = static_cast<uint8_t>(out && !(r_.traits & kNoOmod) && maybe(3) ? rng_() & 3 : 0);
    w.s[kExec] = maybe(3) ? static_cast<uint32_t>(rng_()) : ~0u;
    for (int i = 0, at = 0; i < n_; ++i) {
      mods_[i] = 0;
      if (keeps(i)) continue;
      const Kind k = r_.src[static_cast<size_t>(i)];
      if (is_float(k) && !(r_.traits & kNoMods) && maybe(2)) mods_[i] = rng_() & (kNeg | kAbs);
      uint8_t m = mods_[i];
      if (high_[i]) m |= kOpSel0;
      if (at == 0 && high_dst_) m |= kDstOpSel;
      op.src[at++].mods = m;
    }
  }

  void round(bool vary) {
    choose(vary);
    const Bench before = copy();
    bench_.run(r_.mnemonic, setting_.op);
    for (int l = 0; l < kLanes; ++l) {
      In in[3];
      for (int i = 0; i < n_; ++i) {
        const Kind k = r_.src[static_cast<size_t>(i)];
        in[i] = as_seen(r_, k, raw_[i][l], mods_[i], before.w);
      }
      const bool active = before.w.s[kExec] >> l & 1;
      const uint64_t got = read_register(bench_.v, kDst, l, r_.dst, high_dst_);
      const uint64_t want = active ? expected(r_, setting_.op, before.w, in)
                                   : read_register(before.v, kDst, l, r_.dst, high_dst_);
      compared(r_.mnemonic);
      const bool nans = active && is_float(r_.dst) && is_nan(r_.dst, want);
      const bool near = (r_.traits & kOneUlp) && got - want + 1 <= 2;
      if (nans ? !is_nan(r_.dst, got) : got != want && !near)
        return fail(describe(before, l, got, want));
      const uint64_t kept = read_register(bench_.v, kDst, l, r_.dst, !high_dst_);
      if (bits_of_kind(r_.dst) == 16 &&
          kept != read_register(before.v, kDst, l, r_.dst, !high_dst_)) {
        return fail(r_.mnemonic + " changes the other half of the destination");
      }
    }
  }

  // What is called defined must not depend on what is not.
  void soundness() {
    sources([&](int s, int) { return random_bits(r_.src[static_cast<size_t>(s)], rng_); });
    choose(false);
    for (int i = 0; i < 2 * n_; ++i) {
      if (rng_() % 2) bench_.lo[i] = static_cast<uint32_t>(rng_() | rng_());
      if (rng_() % 2) bench_.hi[i] = static_cast<uint32_t>(rng_() | rng_());
    }
    Bench other = copy();
    for (int i = 0; i < 2 * n_; ++i) {
      for (int l = 0; l < kLanes; ++l) {
        const uint32_t undefined =
            ((bench_.lo[i] >> l & 1) ? 0 : 0xffffu) | ((bench_.hi[i] >> l & 1) ? 0 : 0xffff0000u);
        other.v[i].v[l] ^= static_cast<uint32_t>(rng_()) & undefined;
      }
    }
    bench_.run(r_.mnemonic, setting_.op);
    other.run(r_.mnemonic, setting_.op);
    for (int reg = kDst; reg < kDst + bits_of_kind(r_.dst) / 33 + 1; ++reg) {
      for (int l = 0; l < kLanes; ++l) {
        const uint32_t diff = bench_.v[reg].v[l] ^ other.v[reg].v[l];
        if ((bench_.lo[reg] >> l & 1 && (diff & 0xffffu)) ||
            (bench_.hi[reg] >> l & 1 && diff >> 16)) {
          return fail(r_.mnemonic + " calls a half defined that depends on undefined bits");
        }
      }
    }
    std::memset(bench_.lo, 0xff, sizeof bench_.lo);
    std::memset(bench_.hi, 0xff, sizeof bench_.hi);
  }

  Bench copy() const {
    Bench b = bench_;
    b.w.v = b.v;
    b.w.dlo = b.lo;
    b.w.dhi = b.hi;
    return b;
  }
  std::string describe(const Bench& before, int l, uint64_t got, uint64_t want) const {
    std::string s = r_.mnemonic;
    char text[160];
    for (int i = 0; i < n_; ++i) {
      std::snprintf(text, sizeof text, " %#llx(mods %d)",
                    static_cast<unsigned long long>(raw_[i][l]), mods_[i]);
      s += text;
    }
    const Wave& w = before.w;
    std::snprintf(text, sizeof text,
                  " gives %#llx, reference %#llx (denorm32 %d denorm16_64 %d ieee %d dx10 %d clamp "
                  "%d omod %d)",
                  static_cast<unsigned long long>(got), static_cast<unsigned long long>(want),
                  w.denorm32, w.denorm16_64, w.ieee, w.dx10_clamp, setting_.op.clamp,
                  setting_.op.omod);
    return s + text;
  }

  const Reference& r_;
  int n_;
  Rng rng_;
  Setting setting_;
  Bench bench_;
  int place_[3] = {};
  uint64_t raw_[3][kLanes] = {};
  bool high_[3] = {}, high_dst_ = false;
  uint8_t mods_[3] = {};
  bool failed_ = false;
};

}  // namespace

void check_vector(const Reference& r) { Checker(r).run(); }

void check_class(std::string_view isa_class_name) {
  size_t n = 0;
  for (const auto& make : {integer_references, float_references, convert_references}) {
    for (const Reference& r : make()) {
      if (isa_class(r.mnemonic) != isa_class_name) continue;
      ++n;
      check_vector(r);
    }
  }
  EXPECT_GT(n, 0u);
}

}  // namespace w4::rdna::test
