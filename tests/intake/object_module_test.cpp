// Manifests with their objects: what can be wrong between the two.
#include "intake/object_module.h"

#include <gmock/gmock.h>

#include "intake/call_problem.h"
#include "tests/intake/triton_manifest.h"

namespace w4::test {
namespace {

using testing::HasSubstr;

std::string wrong(const std::string& from, const std::string& to) {
  const auto m = ObjectModule::open(write_manifest("wrong", changed(triton_manifest(), from, to)));
  return m ? "it opens" : m.error().text;
}

TEST(ObjectModule, TheExampleOpensBesideItsObjects) {
  const auto m = ObjectModule::open(kTritonFolder + "/w4a16.json");
  ASSERT_TRUE(m) << m.error().text;
  const w4_module& table = (*m)->table();
  ASSERT_EQ(table.kernel_count, 1);
  EXPECT_STREQ(table.kernels[0].name, "w4a16");
  EXPECT_STREQ(table.kernels[0].archs[0], "gfx1151");
  EXPECT_STREQ(table.kernels[0].archs[1], "gfx1201");
  EXPECT_EQ(table.kernels[0].archs[2], nullptr);
}

TEST(ObjectModule, WhatDoesNotFitTheObjectIsRefusedWithPlaceAndReason) {
  EXPECT_THAT(wrong("w4a16_gfx1151.hsaco", "none.hsaco"),
              testing::AllOf(HasSubstr("wrong.json:4:16: objects.gfx1151"),
                             HasSubstr("none.hsaco': no such file")));
  EXPECT_THAT(wrong("\"gfx1201\":", "\"gfx1200\":"),
              HasSubstr("is for gfx1201; legal: an object for gfx1200"));
  EXPECT_THAT(wrong("w4a16_gfx1151.hsaco", kTritonFolder + "/README.md"),
              HasSubstr("not an ELF file"));
  EXPECT_THAT(
      wrong("\"symbol\": \"w4a16\"", "\"symbol\": \"w4a17\""),
      testing::AllOf(HasSubstr("kernels[0].symbol: 'w4a17' is not in"), HasSubstr("legal: w4a16")));
  EXPECT_THAT(wrong("{\"i32\": \"G\"}", "{\"i64\": \"G\"}"),
              testing::AllOf(HasSubstr("kernels[0].args[8]: i64 of 8 bytes"),
                             HasSubstr("has 4 bytes (by_value) at offset 52")));
  EXPECT_THAT(wrong("{\"null\": \"global scratch\"}", "{\"i64\": 0}"),
              HasSubstr("has 8 bytes (global_buffer) at offset 56"));
  EXPECT_THAT(wrong(",\n        {\"null\": \"profile scratch\"}", ""),
              HasSubstr("10 arguments are declared; the metadata of w4a16 in"));
  EXPECT_THAT(ObjectModule::open("/no/such.json").error().text, HasSubstr("no such file"));
  EXPECT_THAT(ObjectModule::open(kTritonFolder).error().text, HasSubstr("no such file"));
}

// Objects that are cut, of another machine or arch, or whose metadata lie: the error names the
// manifest's place, and nothing crashes.
TEST(ObjectModule, DamagedObjectsAreRefusedWithThePlaceInTheManifest) {
  std::ifstream in(kTritonFolder + "/w4a16_gfx1151.hsaco", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  const std::string text =
      changed(triton_manifest(), ",\n    \"gfx1201\": \"w4a16_gfx1201.hsaco\"", "");
  const auto opened = [&](std::string_view bytes) -> std::string {
    const auto m = ObjectModule::read(text, "a.json", [&](const ManifestObject& o) {
      EXPECT_EQ(o.path, "w4a16_gfx1151.hsaco");
      const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
      return Result<std::vector<std::byte>>({from, from + bytes.size()});
    });
    return m ? "it opens" : m.error().text;
  };
  EXPECT_EQ(opened(good), "it opens");
  constexpr std::string_view kPlace = "a.json:4:16: objects.gfx1151: 'w4a16_gfx1151.hsaco': ";
  for (size_t n = 0; n < good.size(); n += n < 128 ? 1 : 97) {
    const std::string error = opened(std::string_view(good).substr(0, n));
    if (error != "it opens") EXPECT_THAT(error, testing::StartsWith(kPlace)) << n;
    if (n < 4096) EXPECT_NE(error, "it opens") << n;
  }
  std::string other = good;
  other[18] = 62;  // e_machine: x86-64
  EXPECT_THAT(opened(other), testing::StartsWith(kPlace));
  other = good;
  other[48] = 0x3f;  // e_flags: gfx90a, which has waves of 64 lanes
  EXPECT_THAT(opened(other), testing::StartsWith(kPlace));
  // Metadata that name another kernel than the symbol table has.
  other = good;
  const size_t name = other.find("w4a16.kd");
  ASSERT_NE(name, std::string::npos);
  other[name] = 'x';
  EXPECT_THAT(opened(other), testing::StartsWith("a.json:"));
  // An argument that moved: its size no longer fits what the manifest passes.
  other = good;
  const size_t size = other.find(".size\x08");
  ASSERT_NE(size, std::string::npos);
  other[size + 5] = 0x04;
  EXPECT_THAT(opened(other), HasSubstr("args[0]: a pointer of 8 bytes; the metadata of w4a16"));
}

// clang's offload bundle around one object: magic, count, then offset, size, length and name.
std::string bundle_of(const std::string& object, const std::string& target) {
  std::string out = "__CLANG_OFFLOAD_BUNDLE__";
  const auto number = [&](uint64_t v) { out.append(reinterpret_cast<const char*>(&v), 8); };
  number(1);
  number(4096);
  number(object.size());
  number(target.size());
  out += target;
  out.resize(4096);
  return out + object;
}

TEST(ObjectModule, ABundleGivesItsObjectForTheArch) {
  std::ifstream in(kTritonFolder + "/w4a16_gfx1151.hsaco", std::ios::binary);
  const std::string object{std::istreambuf_iterator<char>(in), {}};
  const auto opened = [&](const std::string& target) -> std::string {
    const std::string bytes = bundle_of(object, target);
    const auto m = ObjectModule::read(
        changed(triton_manifest(), ",\n    \"gfx1201\": \"w4a16_gfx1201.hsaco\"", ""), "a.json",
        [&](const ManifestObject&) {
          const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
          return Result<std::vector<std::byte>>({from, from + bytes.size()});
        });
    return m ? "it opens" : m.error().text;
  };
  EXPECT_EQ(opened("hipv4-amdgcn-amd-amdhsa--gfx1151"), "it opens");
  EXPECT_THAT(opened("hipv4-amdgcn-amd-amdhsa--gfx1100"),
              testing::AllOf(testing::StartsWith("a.json:4:16: objects.gfx1151: "),
                             HasSubstr("no code for gfx1151; there is gfx1100")));
}

TEST(CallProblem, ReadsTheCallBack) {
  const auto tensor = [](w4_dtype t, w4_layout l, int64_t rows, int64_t cols, int64_t stride,
                         uint64_t at) {
    w4_tensor x{};
    x.dtype = t, x.layout = l, x.rank = 2;
    x.dim[0] = rows, x.dim[1] = cols, x.stride[0] = stride, x.stride[1] = 1;
    x.device = at;
    return x;
  };
  const w4_tensor act = tensor(W4_BF16, W4_DENSE, 3, 256, 260, 0x1010);
  const w4_tensor wei = tensor(W4_I8, W4_WEI_SHUFFLED, 64, 128, 132, 0x2004);
  const w4_tensor scale = tensor(W4_F16, W4_DENSE, 64, 4, 5, 0x3002);
  const w4_tensor zp = tensor(W4_I32, W4_ZP_PACKED, 8, 4, 5, 0x4008);
  const w4_tensor bias = tensor(W4_BF16, W4_DENSE, 3, 64, 64, 0x5006);
  const w4_tensor out = tensor(W4_BF16, W4_DENSE, 3, 64, 70, 0x600a);
  const Problem p = problem_of({&act, &wei, &scale, &zp, &bias, &out, 64, 20, "y2u4a16w16", nullptr,
                                nullptr, nullptr, 1, 1, 0});
  EXPECT_EQ(p.m, 3);
  EXPECT_EQ(p.n, 64);
  EXPECT_EQ(p.k, 256);
  EXPECT_EQ(p.g, 64);
  EXPECT_EQ(p.act, DType::bf16);
  EXPECT_EQ(p.zp, ZpMode::packed);
  EXPECT_EQ(p.lda, 260);
  EXPECT_EQ(p.wpad, 4);
  EXPECT_EQ(p.spad, 1);
  EXPECT_EQ(p.ldy, 70);
  EXPECT_EQ(p.sdt, DType::f16);
  EXPECT_EQ(p.bias.rank, 2);
  EXPECT_EQ(bias_dims(p), (std::array<int64_t, 2>{3, 64}));
  EXPECT_EQ(p.aoff, 16);
  EXPECT_EQ(p.woff, 4);
  EXPECT_EQ(p.soff, 2);
  EXPECT_EQ(p.zoff, 8);
  EXPECT_EQ(p.boff, 6);
  EXPECT_EQ(p.yoff, 10);
  ASSERT_TRUE(p.tile);
  EXPECT_EQ(*p.tile, (Tile{2, 4, 16, 16}));
}

}  // namespace
}  // namespace w4::test
