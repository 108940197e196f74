// Scalar floats of gfx11.5 and gfx12: the VALU's references on SGPRs. 16-bit results clear the high
// half.
#include <cmath>

#include "rdna/catalogue.h"
#include "tests/rdna/isa/float_references.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

u32 random_word(Kind k, std::mt19937_64& rng) {
  static const u32 f16[] = {0,      0x8000, 1,      0x3ff,  0x400,  0x3c00, 0xbc00,
                            0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0x4200};
  static const u32 f32[] = {0,          0x80000000, 1,          0x7fffff,   0x800000,
                            0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                            0x7fc00000, 0x7fa00000, 0x4f000000, 0x477fe000};
  if (k == Kind::f16) {
    const u32 h = rng() % 2 ? f16[rng() % std::size(f16)] : static_cast<u32>(rng()) & 0xffff;
    return h | static_cast<u32>(rng()) << 16;  // the high half does not count
  }
  if (rng() % 3 == 0) return f32[rng() % std::size(f32)];
  const auto r = static_cast<u32>(rng());
  return rng() % 2 ? r : (r & 0x807fffff) | (120 + (r >> 23 & 15)) << 23;
}

In seen(Kind k, u32 word, uint8_t mods, const Wave& w, bool flushes) {
  if (!is_float(k)) return {word, 0};
  u64 x = k == Kind::f16 ? word & 0xffff : word;
  const u64 sign = u64{1} << (bits_of_kind(k) - 1);
  if (mods & kAbs) x &= ~sign;
  if (mods & kNeg) x ^= sign;
  const bool keep = (k == Kind::f32 ? w.denorm32 : w.denorm16_64) & 1;
  if ((flushes || !keep) && is_denormal(k, x)) x &= sign;
  return {x, value_of(k, x)};
}

void check(const Reference& r, bool modifiers) {
  std::mt19937_64 rng(41);
  for (int round = 0; round < 4000; ++round) {
    Bench b;
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::sgpr(10);
    const bool vary = round % 2;
    if (vary) b.w.denorm32 = rng() & 3;
    if (vary) b.w.denorm16_64 = rng() & 3;
    if (vary) b.w.ieee = rng() & 1;
    In in[3];
    const bool flushes = r.traits & kFlushes;
    for (int i = 0; i < r.sources(); ++i) {
      const bool keeps = (r.traits & kKeepsDst) && i == r.sources() - 1;
      const Kind k = r.src[static_cast<size_t>(i)];
      const int reg = keeps ? 10 : 4 + i;
      b.w.s[reg] = is_float(k) ? random_word(k, rng) : static_cast<u32>(rng());
      const auto m = static_cast<uint8_t>(modifiers && vary ? rng() & (kNeg | kAbs) : 0);
      in[i] = seen(k, b.w.s[reg], m, b.w, flushes);
      if (keeps) continue;
      op.src[op.nsrc] = Bench::sgpr(reg);
      op.src[op.nsrc++].mods = m;
    }
    const Out out = (r.f_ieee && b.w.ieee ? r.f_ieee : r.f)(in[0], in[1], in[2]);
    u32 want = static_cast<u32>(is_float(r.dst) ? bits_of_value(r.dst, out.x) : out.bits);
    const bool keep = (r.dst == Kind::f32 ? b.w.denorm32 : b.w.denorm16_64) & 2;
    if (is_float(r.dst) && (flushes || !keep) && is_denormal(r.dst, want))
      want &= 1u << (bits_of_kind(r.dst) - 1);
    const Wave before = b.w;
    b.run(r.mnemonic, op);
    const u32 got = b.w.s[10];
    compared(r.mnemonic);
    const bool nan = is_float(r.dst) && is_nan(r.dst, want);
    ASSERT_TRUE(nan ? is_nan(r.dst, got) && !(r.dst == Kind::f16 && got >> 16) : got == want)
        << r.mnemonic << std::hex << " " << in[0].bits << " " << in[1].bits << " " << in[2].bits
        << " gives " << got << ", reference " << want << " ieee " << before.ieee << " denorm "
        << int{before.denorm32} << int{before.denorm16_64};
    b.w.sdef[4] = ~1u;
    b.run(r.mnemonic, op);
    ASSERT_EQ(b.w.sdef[10] & 0xffffu, 0u) << r.mnemonic << ": an undefined bit got lost";
  }
}

void check_class_of(std::string_view prefix, std::string_view class_name) {
  size_t n = 0;
  for (const Reference& r : arithmetic(prefix)) {
    if (isa_class(r.mnemonic) != class_name) continue;
    check(r, prefix == "v_s_");
    ++n;
  }
  EXPECT_GT(n, 0u);
}

TEST(SOP1, FloatsEqualTheirReference) { check_class_of("s_", "SOP1"); }
TEST(SOP2, FloatsEqualTheirReference) { check_class_of("s_", "SOP2"); }
TEST(VOP3, FunctionsOfSgprsEqualTheirReference) { check_class_of("v_s_", "VOP3"); }

TEST(SOP1, ConversionsEqualTheirReference) {
  size_t n = 0;
  for (Reference r : convert_references()) {
    if (!r.mnemonic.starts_with("v_cvt_")) continue;
    r.mnemonic[0] = 's';
    if (!has_row(r.mnemonic) || isa_class(r.mnemonic) != "SOP1") continue;
    check(r, false);
    ++n;
  }
  EXPECT_GE(n, 6u);
  // The high half of the source.
  Bench b;
  for (u32 h = 0; h < 65536; ++h) {
    b.w.s[4] = h << 16 | 0x1234;
    b.run("s_cvt_hi_f32_f16", {Bench::sgpr(6)}, {Bench::sgpr(4)});
    const double x = value_of(Kind::f16, h);
    if (x != x && is_nan(Kind::f32, b.w.s[6])) continue;
    ASSERT_TRUE(result_is("s_cvt_hi_f32_f16", u64{b.w.s[6]}, bits_of_value(Kind::f32, x)));
  }
}
TEST(SOP2, PackedConversionEqualsItsReference) {
  for (Reference r : convert_references()) {
    if (r.mnemonic != "v_cvt_pk_rtz_f16_f32") continue;
    r.mnemonic[0] = 's';
    std::mt19937_64 rng(42);
    for (int round = 0; round < 4000; ++round) {
      Bench b;
      In in[2];
      for (int i = 0; i < 2; ++i) {
        b.w.s[4 + i] = random_word(Kind::f32, rng);
        in[i] = seen(Kind::f32, b.w.s[4 + i], 0, b.w, false);
      }
      b.run(r.mnemonic, {Bench::sgpr(10)}, {Bench::sgpr(4), Bench::sgpr(5)});
      ASSERT_TRUE(result_is(r.mnemonic, u64{b.w.s[10]}, r.f(in[0], in[1], in[1]).bits));
    }
  }
}

// Truth of a condition for a below, equal to, above b, and unordered.
struct Condition {
  const char* name;
  bool less, equal, greater, unordered;
};
TEST(SOPC, FloatsEqualTheirReference) {
  const Condition conditions[] = {
      {"lt", true, false, false, false}, {"eq", false, true, false, false},
      {"le", true, true, false, false},  {"gt", false, false, true, false},
      {"lg", true, false, true, false},  {"ge", false, true, true, false},
      {"o", true, true, true, false},    {"u", false, false, false, true},
      {"nge", true, false, false, true}, {"nlg", false, true, false, true},
      {"ngt", true, true, false, true},  {"nle", false, false, true, true},
      {"neq", true, false, true, true},  {"nlt", false, true, true, true},
  };
  std::mt19937_64 rng(43);
  for (const Condition& c : conditions) {
    for (const Kind k : {Kind::f16, Kind::f32}) {
      const std::string name = std::string("s_cmp_") + c.name + "_" + suffix(k);
      for (int round = 0; round < 1000; ++round) {
        Bench b;
        b.w.s[4] = random_word(k, rng);
        b.w.s[5] = round % 3 ? random_word(k, rng) : b.w.s[4];
        if (round % 2) b.w.denorm32 = b.w.denorm16_64 = rng() & 3;
        const double x = seen(k, b.w.s[4], 0, b.w, false).x, y = seen(k, b.w.s[5], 0, b.w, false).x;
        const bool want = x < y ? c.less : x > y ? c.greater : x == y ? c.equal : c.unordered;
        b.run(name, {}, {Bench::sgpr(4), Bench::sgpr(5)});
        ASSERT_TRUE(result_is(name, b.w.scc, want)) << x << " " << y;
        b.w.sdef[4] = ~1u;
        b.run(name, {}, {Bench::sgpr(4), Bench::sgpr(5)});
        ASSERT_FALSE(b.w.scc_def) << name;
      }
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
