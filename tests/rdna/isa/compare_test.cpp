// VOPC: every condition of every type, to an SGPR and to EXEC.
#include <cmath>

#include "tests/rdna/isa/float_references.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

// What a condition says of each order of its sources: less, equal, greater, unordered.
struct Condition {
  const char* name;
  bool less, equal, greater, unordered;
};
const Condition kConditions[] = {
    {"f", false, false, false, false}, {"lt", true, false, false, false},
    {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ne", true, false, true, false},
    {"lg", true, false, true, false},  {"ge", false, true, true, false},
    {"o", true, true, true, false},    {"u", false, false, false, true},
    {"nge", true, false, false, true}, {"nlg", false, true, false, true},
    {"ngt", true, true, false, true},  {"nle", false, false, true, true},
    {"neq", true, false, true, true},  {"nlt", false, true, true, true},
    {"t", true, true, true, true},
};

struct Type {
  const char* name;
  Kind kind;
  bool is_signed;
};
const Type kTypes[] = {
    {"i16", Kind::b16, true},  {"u16", Kind::b16, false}, {"i32", Kind::b32, true},
    {"u32", Kind::b32, false}, {"i64", Kind::b64, true},  {"u64", Kind::b64, false},
    {"f16", Kind::f16, true},  {"f32", Kind::f32, true},  {"f64", Kind::f64, true}};

bool holds(const Condition& c, const Type& t, u64 a, u64 b) {
  const auto say = [&](auto x, auto y) {
    return x < y ? c.less : x > y ? c.greater : x == y ? c.equal : c.unordered;
  };
  if (is_float(t.kind)) return say(value_of(t.kind, a), value_of(t.kind, b));
  if (!t.is_signed) return say(a, b);
  const int n = 64 - bits_of_kind(t.kind);
  return say(static_cast<int64_t>(a << n) >> n, static_cast<int64_t>(b << n) >> n);
}

class Sources {
 public:
  explicit Sources(const Type& t) : type(t), rng(t.name[1] * 7u + t.name[0]) {}
  // Words of two sources, often equal, often special.
  void fill(Bench& b) {
    static const u64 special[] = {0,
                                  0x8000800080008000,
                                  0x7e007fc07ff80000,
                                  0x7c007f807ff00000,
                                  0x0001000100010001,
                                  0xffffffffffffffff,
                                  0x3c003f803ff00000,
                                  0x7f8000007f800000,
                                  0xfff000007f80fc00,
                                  0x7ff4000000000001,
                                  0x7fc000007fc00000,
                                  0x7ff0000000000000};
    for (int l = 0; l < kLanes; ++l) {
      u64 x[2];
      for (u64& y : x) y = rng() % 2 ? special[rng() % std::size(special)] : rng();
      if (rng() % 3 == 0) x[1] = x[0];
      for (int i = 0; i < 2; ++i) {
        b.v[2 * i].v[l] = static_cast<u32>(x[i]);
        b.v[2 * i + 1].v[l] = static_cast<u32>(x[i] >> 32);
      }
    }
  }
  // Bits of source i as the instruction sees them.
  u64 seen(const Bench& b, int i, int l, uint8_t mods) const {
    const int n = bits_of_kind(type.kind);
    u64 x = b.v[2 * i].v[l] | u64{b.v[2 * i + 1].v[l]} << 32;
    if (n == 16 && (mods & kOpSel0)) x >>= 16;
    if (n < 64) x &= (u64{1} << n) - 1;
    if (!is_float(type.kind)) return x;
    const u64 sign = u64{1} << (n - 1);
    if (mods & kAbs) x &= ~sign;
    if (mods & kNeg) x ^= sign;
    const bool keep = (type.kind == Kind::f32 ? b.w.denorm32 : b.w.denorm16_64) & 1;
    return !keep && is_denormal(type.kind, x) ? x & sign : x;
  }
  const Type& type;
  std::mt19937_64 rng;
};

void check(const Type& t, const Condition& c) {
  const std::string tail = std::string(c.name) + "_" + t.name;
  const std::string name = "v_cmp_" + tail, to_exec = "v_cmpx_" + tail;
  if (!has_row(name)) return;
  Sources s(t);
  for (int round = 0; round < 40; ++round) {
    Bench b;
    s.fill(b);
    uint8_t m[2] = {};
    for (uint8_t& x : m) {
      if (round % 2 && is_float(t.kind)) x |= s.rng() & (kNeg | kAbs);
      if (round % 2 && bits_of_kind(t.kind) == 16) x |= s.rng() & kOpSel0;
    }
    if (round % 4 == 3) b.w.denorm32 = b.w.denorm16_64 = s.rng() & 3;
    const u32 e = b.w.s[kExec] = round % 3 ? ~0u : static_cast<u32>(s.rng());
    const int words = bits_of_kind(t.kind) == 64 ? 2 : 1;
    u32 want = 0;
    for (int l = 0; l < kLanes; ++l)
      want |= u32{holds(c, t, s.seen(b, 0, l, m[0]), s.seen(b, 1, l, m[1]))} << l;
    const Operand a = Bench::vgpr(0, m[0], words), d = Bench::vgpr(2, m[1], words);
    b.run(name, {Bench::sgpr(20)}, {a, d});
    ASSERT_TRUE(result_is(name, b.w.s[20], want & e));
    ASSERT_EQ(b.w.sdef[20], ~0u);
    b.run(to_exec, {Bench::sgpr(kExec)}, {a, d});
    ASSERT_TRUE(result_is(to_exec, b.w.exec(), want & e));
  }
}

TEST(VOPC, ConditionsEqualTheirReference) {
  for (const Type& t : kTypes) {
    for (const Condition& c : kConditions) check(t, c);
  }
}

// Class bits: 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, then positive.
u32 class_bit(Kind k, u64 bits) {
  if (is_nan(k, bits)) return is_signalling(k, bits) ? 1 : 2;
  const double x = value_of(k, bits);
  const bool minus = std::signbit(x);
  const int rank = std::isinf(x) ? 0 : x == 0 ? 3 : is_denormal(k, bits) ? 2 : 1;
  return 1u << (minus ? 2 + rank : 9 - rank);
}

TEST(VOPC, ClassEqualsItsReference) {
  for (const Type& t : kTypes) {
    if (!is_float(t.kind)) continue;
    const std::string name = std::string("v_cmp_class_") + t.name;
    const std::string to_exec = std::string("v_cmpx_class_") + t.name;
    Sources s(t);
    u32 met = 0;
    for (int round = 0; round < 300; ++round) {
      Bench b;
      s.fill(b);
      for (u32& x : b.v[4].v) x = static_cast<u32>(s.rng());
      const auto m = static_cast<uint8_t>(round % 2 ? s.rng() & (kNeg | kAbs) : 0);
      u32 want = 0;
      for (int l = 0; l < kLanes; ++l) {
        const u32 bit = class_bit(t.kind, s.seen(b, 0, l, m));
        met |= bit;
        want |= u32{(b.v[4].v[l] & bit) != 0} << l;
      }
      const int words = t.kind == Kind::f64 ? 2 : 1;
      b.run(name, {Bench::sgpr(20)}, {Bench::vgpr(0, m, words), Bench::vgpr(4)});
      ASSERT_TRUE(result_is(name, b.w.s[20], want));
      b.run(to_exec, {Bench::sgpr(kExec)}, {Bench::vgpr(0, m, words), Bench::vgpr(4)});
      ASSERT_TRUE(result_is(to_exec, b.w.exec(), want));
    }
    EXPECT_EQ(met, 0x3ffu) << t.name << ": a class was never met";
  }
}

TEST(VOPC, Definedness) {
  Bench b;
  b.w.s[kExec] = 0xff;
  b.lo[0] = ~3u & ~0x100u;
  b.run("v_cmp_lt_u32", {Bench::sgpr(kVcc)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(b.w.sdef[kVcc], ~3u);  // lane 8 is inactive: a known zero
  EXPECT_TRUE(reports().undefined.empty());
  b.run("v_cmpx_lt_u32", {}, {Bench::vgpr(0), Bench::vgpr(1)});
  ASSERT_EQ(reports().undefined.size(), 1u);
  EXPECT_EQ(reports().undefined[0], FindingKind::undefined_exec);
  b.w.s[kExec] = 0xf0;  // the clean twin: no active lane is undefined
  b.run("v_cmpx_lt_u32", {}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_TRUE(reports().undefined.empty());
}

}  // namespace
}  // namespace w4::rdna::test
