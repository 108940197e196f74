// Device code out of every container, and no crash on damaged ones.
#include "intake/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "rdna/emulator.h"
#include "tests/intake/bundles.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using ::testing::Combine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::Values;
using w4::testing::bundle;
using w4::testing::ByteVector;
using w4::testing::compressed;
using w4::testing::put;
using w4::testing::read_bytes;

const ByteVector& code(const char* arch) {
  static const ByteVector gfx1151 = read_bytes(W4_TRITON "/w4a16_gfx1151.hsaco");
  static const ByteVector gfx1201 = read_bytes(W4_TRITON "/w4a16_gfx1201.hsaco");
  return std::string_view(arch) == "gfx1151" ? gfx1151 : gfx1201;
}

constexpr const char* kHost = "host-x86_64-unknown-linux-gnu-";
const std::string kPrefix = "hipv4-amdgcn-amd-amdhsa--";

ByteVector two_archs() {
  return bundle({{kHost, {}},
                 {kPrefix + "gfx1151", code("gfx1151")},
                 {kPrefix + "gfx1201:xnack-", code("gfx1201")}});
}

void expect_two_archs(std::span<const FatObject> objects) {
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].arch, "gfx1151");
  EXPECT_EQ(objects[0].target, kPrefix + "gfx1151");
  EXPECT_EQ(objects[0].version, 5);
  EXPECT_TRUE(std::ranges::equal(objects[0].bytes, code("gfx1151")));
  EXPECT_EQ(objects[1].arch, "gfx1201");
  EXPECT_EQ(objects[1].target, kPrefix + "gfx1201:xnack-");
  EXPECT_TRUE(std::ranges::equal(objects[1].bytes, code("gfx1201")));
}

TEST(Fatbin, ABareCodeObject) {
  const Fatbin f = read_fatbin(code("gfx1151"));
  ASSERT_EQ(f.objects.size(), 1u);
  EXPECT_EQ(f.objects[0].arch, "gfx1151");
  EXPECT_EQ(f.objects[0].target, "");
  EXPECT_EQ(f.objects[0].bytes.size(), code("gfx1151").size());
  EXPECT_THAT(f.problems, IsEmpty());
}

TEST(Fatbin, ABundleWithTargetsAndFeatures) {
  const ByteVector file = two_archs();
  uint64_t taken = 0;
  const auto objects = read_bundle(file, &taken);
  ASSERT_TRUE(objects);
  expect_two_archs(*objects);
  EXPECT_EQ(taken, file.size());
  const auto found = object_for(*objects, "gfx1201");
  ASSERT_TRUE(found);
  EXPECT_TRUE(rdna::CodeObject::load(found->bytes));
  EXPECT_THAT(object_for(*objects, "gfx1100").error().text,
              HasSubstr("no code for gfx1100; there is gfx1151, gfx1201"));
}

class CompressedBundle : public ::testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  ByteVector file() const {
    return compressed(two_archs(), std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
};
INSTANTIATE_TEST_SUITE_P(EveryVersionAndMethod, CompressedBundle,
                         Combine(Values(1, 2, 3), Values(false, true)));

TEST_P(CompressedBundle, GivesWhatWentIn) {
  const ByteVector packed = file();
  const auto objects = read_bundle(packed);
  ASSERT_TRUE(objects) << objects.error().text;
  expect_two_archs(*objects);
  // As registered: nobody says how long it is.
  const auto loaded = std::get<0>(GetParam()) == 1 && !std::get<1>(GetParam())
                          ? read_bundle(packed)
                          : read_image(packed.data());
  ASSERT_TRUE(loaded) << loaded.error().text;
  expect_two_archs(*loaded);
}

TEST_P(CompressedBundle, CutShortAnywhereIsAnError) {
  const ByteVector packed = file();
  for (size_t n = 0; n < packed.size(); n += n < 64 ? 1 : 97) {
    EXPECT_FALSE(read_bundle(std::span(packed).first(n))) << n;
  }
}

TEST_P(CompressedBundle, SeveralInARowEachInItsPlace) {
  const ByteVector one = file();
  ByteVector row;
  std::vector<uint64_t> starts;
  for (int i = 0; i < 3; ++i) {
    row.resize((row.size() + 4095) / 4096 * 4096);
    starts.push_back(row.size());
    row.insert(row.end(), one.begin(), one.end());
  }
  const Fatbin f = read_fatbin(row);
  EXPECT_THAT(f.problems, IsEmpty());
  ASSERT_THAT(f.objects, SizeIs(6));
  for (size_t i = 0; i < f.objects.size(); ++i) EXPECT_EQ(f.objects[i].at, starts[i / 2]);
}

TEST(Fatbin, CodeInsideAnyFile) {
  ByteVector file(100);
  for (int i = 0; i < 2; ++i) {
    file.insert(file.end(), code("gfx1151").begin(), code("gfx1151").end());
    file.resize(file.size() + 33);
  }
  const Fatbin f = read_fatbin(file);
  ASSERT_THAT(f.objects, SizeIs(2));
  EXPECT_EQ(f.objects[0].at, 100u);
  EXPECT_EQ(f.objects[1].at, 133u + code("gfx1151").size());
  file.resize(file.size() - 34);
  const Fatbin cut = read_fatbin(file);
  EXPECT_THAT(cut.objects, SizeIs(1));
  EXPECT_THAT(cut.problems, SizeIs(1));
  EXPECT_THAT(read_fatbin({}).objects, IsEmpty());
}

TEST(Fatbin, NothingIsTakenFromWhatIsNoContainer) {
  const std::string_view text = "neither";
  EXPECT_THAT(read_bundle(std::as_bytes(std::span(text))).error().text,
              HasSubstr("neither an offload bundle nor an ELF file"));
  EXPECT_THAT(read_image(nullptr).error().text, HasSubstr("null"));
}

// Each damage at its place in the header: 24 bytes of magic, the count, then the first entry's
// offset, size and the length of its name.
TEST(Fatbin, DamagedBundlesSayWhatIsWrong) {
  const auto damaged = [](size_t at, uint64_t value) {
    ByteVector file = two_archs();
    put<uint64_t>(file, at, value);
    const auto read = read_bundle(file);
    return read ? std::string("read") : read.error().text;
  };
  constexpr size_t kSecond = 32 + 24 + std::string_view(kHost).size();
  EXPECT_THAT(damaged(24, 5000), HasSubstr("5000 entries; legal: at most 4096"));
  EXPECT_THAT(damaged(24, 100), HasSubstr("bundle entry 4 of 100 names no target"));
  EXPECT_THAT(damaged(32 + 16, ~uint64_t{0}), HasSubstr("cut short: the header of entry 1"));
  EXPECT_THAT(damaged(32 + 16, 2000), HasSubstr("a target name of 2000 bytes"));
  EXPECT_THAT(damaged(kSecond, ~uint64_t{0}), AllOf(HasSubstr("cut short"), HasSubstr("gfx1151")));
  EXPECT_THAT(damaged(kSecond + 8, ~uint64_t{0}), HasSubstr("cut short"));
  EXPECT_THAT(damaged(kSecond, 0), HasSubstr("lies in the header"));
  EXPECT_THAT(damaged(kSecond, 8192), HasSubstr("overlap"));
}

TEST(Fatbin, ABundleThatLacksItsLastByteIsCutShort) {
  const ByteVector file = two_archs();
  EXPECT_THAT(read_bundle(std::span(file).first(file.size() - 1)).error().text,
              AllOf(HasSubstr("cut short"), HasSubstr("gfx1201")));
}

// Blocks of one repeated byte hold it once, whatever length they claim. Nothing says where the
// frame of version 1 ends but its blocks.
TEST(Fatbin, RepeatedBytesInZstdAreSteppedOver) {
  const ByteVector zeros(size_t{1} << 20);
  const ByteVector packed = compressed(
      bundle({{kPrefix + "gfx1151", code("gfx1151")}, {kPrefix + "gfx906", zeros}}), 1, true);
  uint64_t taken = 0;
  const auto objects = read_bundle(packed, &taken);
  ASSERT_TRUE(objects) << objects.error().text;
  ASSERT_THAT(*objects, SizeIs(2));
  EXPECT_TRUE(std::ranges::equal((*objects)[1].bytes, zeros));
  EXPECT_EQ(taken, packed.size());
}

// What headers and segments leave out: 64 bytes each from e_shoff (at 40) on, offset at 24, size
// at 32.
TEST(Fatbin, ASectionThatEndsOutsideTheFileIsNoCode) {
  ByteVector file = code("gfx1151");
  uint64_t sections = 0;
  std::memcpy(&sections, file.data() + 40, sizeof sections);
  put<uint64_t>(file, sections + 64 + 32, file.size());
  EXPECT_THAT(read_bundle(file).error().text, HasSubstr("lies whole in it"));
}

TEST(Fatbin, DamagedCompressionSaysWhatIsWrong) {
  const auto damaged = [](int version, size_t at, auto value) {
    ByteVector file = compressed(two_archs(), version, true);
    put(file, at, value);
    const auto read = read_bundle(file);
    return read ? std::string("read") : read.error().text;
  };
  EXPECT_THAT(damaged(2, 4, uint16_t{4}), HasSubstr("version 4 is not known; legal: 1, 2, 3"));
  EXPECT_THAT(damaged(2, 6, uint16_t{2}), HasSubstr("method 2 is not known"));
  EXPECT_THAT(damaged(2, 8, ~uint32_t{0}), HasSubstr("bytes in all, but the file has"));
  EXPECT_THAT(damaged(2, 8, uint32_t{3}), HasSubstr("3 bytes in all"));
  EXPECT_THAT(damaged(3, 16, ~uint64_t{0}), HasSubstr("legal: at most 1073741824"));
  EXPECT_THAT(damaged(2, 12, uint32_t{100}), HasSubstr("compressed bundle"));
  EXPECT_THAT(damaged(1, 24, uint32_t{0}), HasSubstr("compressed bundle"));
  ByteVector no_bundle = compressed(code("gfx1151"), 2, true);
  EXPECT_THAT(read_bundle(no_bundle).error().text, HasSubstr("no bundle inside"));
}

// Objects of code object version 6 are read and run like those of 5.
TEST(Fatbin, CodeObjectVersionSix) {
  const ByteVector six = read_bytes(W4_VERSION_6);
  const Fatbin f = read_fatbin(six);
  ASSERT_THAT(f.objects, SizeIs(1));
  EXPECT_EQ(f.objects[0].version, 6);
  EXPECT_EQ(f.objects[0].arch, "gfx1151");
  const auto loaded = rdna::CodeObject::load(f.objects[0].bytes);
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_FALSE((*loaded)->kernels().empty());
}

}  // namespace
}  // namespace w4
