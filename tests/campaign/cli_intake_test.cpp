// `w4check intake` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/process.h"

namespace w4::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kTriton = W4_TRITON;
const std::string kSeeds = W4_SOURCE_DIR "/fuzz/corpus/fatbin/";

void usage(const std::vector<std::string>& arguments, const std::string& word) {
  const Finished f = w4check(arguments);
  EXPECT_EQ(f.code, 2) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr(word));
}

TEST(CliIntake, ListsWhatACodeObjectIs) {
  const Finished f = w4check({"intake", "--fatbin", kTriton + "/w4a16_gfx1201.hsaco"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, AllOf(HasSubstr("gfx1201  v5"), HasSubstr("\n       w4a16\n"),
                           HasSubstr("1 of 1 code objects\n")));
}

TEST(CliIntake, TakesObjectsOutOfACompressedBundle) {
  const TemporaryFolder folder;
  for (const char* seed : {"zstd_v1", "zlib_v2", "zstd_v3"}) {
    const Finished f =
        w4check({"intake", "--fatbin", kSeeds + seed, "--arch", "gfx1201", "-o", folder / "made"});
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_THAT(f.out, AllOf(HasSubstr("compressed, hipv4-amdgcn-amd-amdhsa--gfx1201:xnack-"),
                             HasSubstr("1 of 2 code objects written"), Not(HasSubstr("gfx1151"))));
    EXPECT_EQ(read_file(folder / ("made/" + std::string(seed) + ".2.gfx1201.co")),
              read_file(kSeeds + "bundle").substr(333 - 64));
  }
}

TEST(CliIntake, AFileOfManyObjects) {
  const Finished f = w4check({"intake", "--fatbin", W4_COMMAND, "--arch", "gfx1151"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("\n       w4_decode_small_m1_y1_u4_g128_f16_packed\n"));
}

TEST(CliIntake, DamageIsNamedAndRed) {
  const Finished f = w4check({"intake", "--fatbin", kSeeds + "bundle_overlap"});
  EXPECT_EQ(f.code, 1) << f.out;
  EXPECT_THAT(f.out, HasSubstr("wrong: at 0: bundle: entries at 144 and 200 overlap"));
  EXPECT_EQ(w4check({"intake", "--fatbin", kSeeds + "zlib_claims_more"}).code, 1);
}

TEST(CliIntake, WrongUse) {
  const TemporaryFolder folder;
  usage({"intake"}, "legal: FILE… -o FILE.w4m, or --fatbin FILE");
  usage({"intake", "--fatbin", ""}, "--fatbin FILE");
  usage({"intake", "--fatbin", "/nowhere"}, "'/nowhere': no such file");
  usage({"intake", "--fatbin", "/"}, "'/' is a directory; legal: a file");
  usage({"intake", "--fatbin", folder.write("text", "no object")}, "holds no device code");
  usage({"intake", "--fatbin", kSeeds + "bundle", "--arch", "gfx906"},
        "no code for 'gfx906'; legal: gfx1151, gfx1201");
  const Finished f = w4check({"intake", "--fatbin", kSeeds + "bundle", "-o",
                              folder.write("file", "in the way") + "/below"});
  EXPECT_EQ(f.code, 3) << f.out;
  EXPECT_THAT(f.err, HasSubstr("-o: cannot make"));
}

}  // namespace
}  // namespace w4::testing
