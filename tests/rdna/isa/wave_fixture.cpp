#include "tests/rdna/isa/wave_fixture.h"

#include <map>

#include "rdna/report.h"

namespace w4::rdna {
namespace test {
Reports& reports() {
  static Reports r;
  return r;
}
}  // namespace test

void found(Wave&, const Op&, FindingKind, uint32_t, std::string) {}
void unsupported(Wave&, const Op&, std::string why) {
  test::reports().unsupported.push_back(std::move(why));
}
void misuse(Wave&, const Op&, FindingKind kind, uint32_t lanes, std::string_view) {
  test::reports().misused.emplace_back(kind, lanes);
}
void undefined(Wave&, const Op&, FindingKind kind, uint32_t) {
  test::reports().undefined.push_back(kind);
}

namespace test {

std::vector<const Row*> isa_rows() {
  std::vector<const Row*> all;
  for (const auto rows :
       {valu_int_rows(), valu_wide_rows(), valu_float_rows(), valu_f64_rows(), valu_convert_rows(),
        valu_minmax_rows(), valu_trig_rows(), valu_byte_rows(), valu_packed_rows(), dot_rows(),
        valu_lane_rows(), compare_rows(), salu_rows(), salu_flow_rows(), salu_float_rows(),
        wmma_rows(), wmma_int_rows()}) {
    for (const Row& r : rows) all.push_back(&r);
  }
  return all;
}

namespace {
const Row* find(std::string_view mnemonic) {
  static const std::map<std::string_view, const Row*> rows = [] {
    std::map<std::string_view, const Row*> m;
    for (const Row* r : isa_rows()) m.emplace(r->mnemonic, r);
    return m;
  }();
  const auto it = rows.find(mnemonic);
  return it == rows.end() ? nullptr : it->second;
}
}  // namespace

bool has_row(std::string_view mnemonic) { return find(mnemonic) != nullptr; }

const Row& row(std::string_view mnemonic) {
  if (const Row* r = find(mnemonic)) return *r;
  ADD_FAILURE() << "no row " << mnemonic;
  const auto nothing = [](Wave&, const Op&) {};
  static const Row none{"none", {nothing, nothing}, Flow::mix, "none", Evidence::ieee};
  return none;
}

void Bench::run(std::string_view mnemonic, const Op& op) {
  const Row& r = row(mnemonic);
  reports() = {};
  Bench off;
  std::memcpy(off.v, v, sizeof v);
  off.w = w;
  off.w.v = off.v;
  off.w.dlo = off.lo;
  off.w.dhi = off.hi;
  r.run[0](off.w, op);
  reports() = {};
  r.run[1](w, op);
  EXPECT_EQ(std::memcmp(off.v, v, sizeof v), 0) << mnemonic << ": the variants differ in values";
  EXPECT_EQ(std::memcmp(off.w.s, w.s, sizeof w.s), 0)
      << mnemonic << ": the variants differ in SGPRs";
  EXPECT_EQ(off.w.scc, w.scc) << mnemonic;
}

std::vector<uint32_t> interesting(size_t n, uint64_t seed) {
  std::vector<uint32_t> x = {0,          1,          2,          0xffffffff, 0x80000000, 0x7fffffff,
                             0x3f800000, 0xbf800000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                             0x7f800000, 0xff800000, 0x7fc00000, 0x3c003c00, 0x7c00fc00, 0x7bff0001,
                             0x80008000, 0x03ff0400, 0x0000ffff, 0xffff0000, 31,         32,
                             0x4b000000, 0x4f000000, 0xcf000001, 0x55555555, 15,         16};
  std::mt19937_64 rng(seed);
  while (x.size() < n) x.push_back(static_cast<uint32_t>(rng()));
  x.resize(n);
  return x;
}

}  // namespace test
}  // namespace w4::rdna
