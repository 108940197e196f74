// Manifests: what the example means, and every way in which one is wrong.
#include "intake/manifest.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/intake/triton_manifest.h"

namespace w4::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string wrong(const std::string& text) {
  const auto m = parse_manifest(text, "a.json");
  return m ? "it parses" : m.error().text;
}

TEST(Manifest, TheExampleMeansWhatItSays) {
  const auto m = parse_manifest(triton_manifest(), "a.json");
  ASSERT_TRUE(m) << m.error().text;
  ASSERT_EQ(m->objects.size(), 2u);
  EXPECT_EQ(m->objects[1].arch, "gfx1201");
  ASSERT_EQ(m->kernels.size(), 1u);
  const ManifestKernel& k = m->kernels[0];
  ASSERT_EQ(k.args.size(), 11u);
  EXPECT_THAT(k.args[3].layouts, testing::ElementsAre(W4_ZP_PACKED));
  EXPECT_EQ(k.args[8].bytes, 4u);
  EXPECT_EQ(*k.args[8].value.value({1, 2, 3, 4}), 4);
  EXPECT_EQ(k.args[9].kind, ManifestArg::Kind::null);
  EXPECT_EQ(*k.grid[1].value({.m = 1, .n = 33}), 2);
  EXPECT_EQ(*k.lds.value({}), 4096);
  EXPECT_THAT(k.clauses, Contains("zp.packed"));
  EXPECT_THAT(k.clauses, Contains("bias.none"));
  EXPECT_THAT(k.clauses, Contains("k.step32"));
  EXPECT_THAT(k.laws, Contains("permute_n"));
  EXPECT_EQ(k.numerics.weight(W4_F16, 7, 3, 0.1), 0x1.998p-2);  // fl16(0.4)
  EXPECT_EQ(k.numerics.chain(W4_F16, 1, 1, 384, 32, 1).steps, 384);
}

struct Change {
  const char *from, *to, *error;
};
const Change kChanges[] = {
    {"\"w4_manifest\": 1", "\"w4_manifest\": 2", "a.json:2:18: w4_manifest: 2; legal: 1"},
    {"\"w4_manifest\": 1,", "", "the manifest: the key 'w4_manifest' is missing"},
    {"\"gfx1201\":", "\"gfx900\":",
     "a.json:5:15: objects.gfx900: there is no such arch; legal: gfx1100"},
    {"\"w4a16_gfx1201.hsaco\"", "17", "objects.gfx1201: 17; legal: a text"},
    {"\"w4a16_gfx1201.hsaco\"", "\"\"", "objects.gfx1201: empty; legal: a text"},
    {"\"gfx1201\":", "\"gfx1151\":", "a.json:5:5: the key 'gfx1151' is there twice"},
    {"\"kernels\": [", "\"kernel\": [",
     "the key 'kernel' is not known; legal: w4_manifest, objects"},
    {"\"name\": \"w4a16\"", "\"name\": \"W4\"",
     "kernels[0].name: 'W4'; legal: a lower case letter"},
    {"\"symbol\": \"w4a16\",", "", "kernels[0]: the key 'symbol' is missing"},
    {"\"tensor\": \"act\"", "\"tensor\": \"a\"",
     "kernels[0].args[0].tensor: 'a'; legal: act, wei, scale, zp, bias, carrier, out"},
    {"\"layout\": \"packed\"", "\"layout\": \"paked\"",
     "kernels[0].args[3].layout: 'paked' of zp; legal: packed, unpacked"},
    {", \"layout\": \"packed\"", "", "kernels[0].args[3]: these keys do not go together"},
    {"{\"tensor\": \"out\", \"layout\": \"dense\"}", "{\"null\": \"out\"}",
     "kernels[0].args: no argument is the tensor out"},
    {"{\"i32\": \"M\"}", "{\"i32\": \"M +\"}",
     "kernels[0].args[5].i32: 'M +': column 4: the end; legal: M, N, K, G"},
    {"{\"i32\": \"M\"}", "{\"i32\": \"M\", \"i64\": 1}", "these keys do not go together"},
    {"{\"i32\": \"M\"}", "{}", "these keys do not go together"},
    {"{\"i32\": \"M\"}", "{\"i16\": \"M\"}", "the key 'i16' is not known; legal: tensor, layout"},
    {"{\"i32\": \"M\"}", "{\"i32\": null}", "null; legal: an integer or an expression"},
    {"\"block\": [128, 1, 1]", "\"block\": [128, 1]", "kernels[0].block: 2 members; legal: 3"},
    {"\"block\": [128, 1, 1]", "\"block\": 128", "kernels[0].block: 128; legal: an array"},
    {"ceil_div(N, 32)", "cdiv(N, 32)", "kernels[0].grid[1]: 'cdiv(N, 32)': column 1: 'cdiv'"},
    {"\"lds\": 4096", "\"lds\": true", "kernels[0].lds: true; legal: an integer or an expression"},
    {"\"act.f16\"", "\"act.f17\"",
     "kernels[0].clauses[0]: 'act.f17' is no clause; legal: weight.stride"},
    {"\"permute_n\"", "\"routes\"",
     "kernels[0].laws[0]: 'routes' is no law that holds bit for bit; legal: power_act, "
     "power_scale"},
    {"\"laws\": [", "\"laws\": [1, ", "kernels[0].laws[0]: 1; legal: a text"},
    {"\"product_rounded\"", "\"rounded\"",
     "kernels[0].numerics.weight: 'rounded'; legal: product_rounded, product_exact"},
    {"\"wmma_f32_in_order\"", "\"wmma\"",
     "kernels[0].numerics.chain: 'wmma'; legal: wmma_f32, wmma_f32_in_order, fma_f32"},
    {"\"lds\": 4096", "\"lds\": 40.96", "not a value: '40.96'"},
    {"\"lds\": 4096", "\"lds\": 99999999999999999999", "an integer of 64 bits"},
    {"\"lds\": 4096", "\"lds\" 4096", "':' is wanted after a key"},
    {"\"lds\": 4096,", "\"lds\": 4096", "'}' is wanted or ',' after a value of an object"},
    {"\"lds\": 4096", "\"lds\": ", "not a value: this character"},
};

TEST(Manifest, EachWrongOneIsRefusedWithPlaceValueAndWhatIsLegal) {
  for (const Change& c : kChanges) {
    const std::string error = wrong(changed(triton_manifest(), c.from, c.to));
    EXPECT_THAT(error, HasSubstr(c.error));
    EXPECT_THAT(error, testing::MatchesRegex("a.json:[0-9]+:[0-9]+: .*")) << error;
  }
}

TEST(Manifest, TwoKernelsOfOneNameAreRefused) {
  std::string text = triton_manifest();
  const size_t from = text.find("    {\n      \"name\"");
  const size_t to = text.rfind("    }\n") + 5;
  text.insert(to, ",\n" + text.substr(from, to - from));
  EXPECT_THAT(wrong(text), HasSubstr("kernels[1].name: 'w4a16' is kernels[0] already"));
}

TEST(Manifest, EveryCutIsRefused) {
  const std::string text = triton_manifest();
  for (size_t n = 0; n + 2 < text.size(); ++n) {
    const std::string error = wrong(text.substr(0, n));
    EXPECT_THAT(error, testing::StartsWith("a.json:")) << n;
    EXPECT_THAT(error, Not(HasSubstr("it parses"))) << n;
  }
}

// No crash, no hang: flipped bits, moved pieces, deep nesting.
TEST(Manifest, AnyBytesAreRefusedOrParse) {
  const std::string text = triton_manifest();
  std::mt19937 rng(7);
  for (int i = 0; i < 20000; ++i) {
    std::string t = text;
    for (size_t n = 1 + rng() % 4; n > 0; --n) {
      const size_t at = rng() % t.size(), length = rng() % 40;
      switch (rng() % 4) {
        case 0:
          t[at] = static_cast<char>(t[at] ^ (1 << rng() % 8));
          break;
        case 1:
          t.erase(at, length);
          break;
        case 2:
          t.insert(at, t.substr(rng() % t.size(), length));
          break;
        default:
          t[at] = "{}[]\",:0-e"[rng() % 10];
      }
      if (t.empty()) t = "{";
    }
    const auto m = parse_manifest(t, "a.json");
    if (!m) ASSERT_THAT(m.error().text, testing::StartsWith("a.json:"));
  }
  EXPECT_THAT(wrong(std::string(100000, '[')), HasSubstr("nested deeper than 32"));
  EXPECT_THAT(wrong(std::string((1 << 20) + 1, ' ')), HasSubstr("at most 1 MiB"));
}

}  // namespace
}  // namespace w4::test
