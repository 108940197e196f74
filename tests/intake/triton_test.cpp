// Code of another compiler under every check: right over ragged shapes, no false alarm; and a wrong
// manifest shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/intake/triton_manifest.h"
#include "verify/run_case.h"

namespace w4::test {
namespace {

class Triton : public testing::TestWithParam<const char*> {
 protected:
  Verdict run(const std::string& module, const std::string& rest) {
    const std::string line =
        fmt::format("w4a16 {} zp=packed module={} device={}", rest, module, GetParam());
    const auto c = parse_case(line);
    EXPECT_TRUE(c) << line;
    return c ? run_case(*c, context_) : Verdict{};
  }
  void expect_pass(const std::string& rest) {
    const Verdict v = run(kTritonFolder + "/w4a16.json", rest);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  }
  Context context_;
};

// N is whole octets: the zero points are packed.
TEST_P(Triton, RaggedRowsAndColumns) {
  struct Reduction {
    int k, g;
  };
  int turn = 0;
  for (const auto [k, g] : {Reduction{32, 32}, {128, 64}, {192, 96}}) {
    for (const int n : {8, 16, 24, 32, 40, 64, 72, 104}) {
      for (const int m : {1, 2, 3, 4, 5, 16, 31, 32, 33, 64, 65}) {
        const Fill fill = ++turn % 2 == 0 ? Fill::flat : Fill::normal;
        expect_pass(fmt::format("m={} n={} k={} g={} fill={} fp={} seed={}", m, n, k, g,
                                name_of(fill), turn % 3 == 0 ? "ieee" : "auto", turn));
      }
    }
  }
}

TEST_P(Triton, GroupsAndSteps) {
  for (const int k : {32, 64, 96, 128, 256, 384, 640, 1024}) {
    for (const int g : {32, 64, 128, 96, 256, k}) {
      if (k % g == 0) expect_pass(fmt::format("m=33 n=40 k={} g={} seed={}", k, g, g));
    }
  }
}

TEST_P(Triton, EveryFillScheduleAndSource) {
  for (const Fill fill : all_fills()) {
    expect_pass(fmt::format("m=33 n=72 k=256 g=64 fill={}", name_of(fill)));
    expect_pass(fmt::format("m=5 n=40 k=1024 g=128 fill={} sched=rev", name_of(fill)));
  }
  for (const char* src : {"ct", "awq", "gptq1", "gptq2"}) {
    expect_pass(fmt::format("m=17 n=40 k=192 g=32 src={} sched=random:3", src));
  }
  expect_pass("m=33 n=40 k=128 g=32 aoff=16 woff=4 soff=6 zoff=12 yoff=10");
}

TEST_P(Triton, KeepsTheLawsItPromises) {
  for (const Law law : all_laws()) {
    // It has no bias, takes packed zero points alone, and promises nothing of other kernels.
    const bool promised = can_be_exact(law) && law != Law::implicit_8 && law != Law::zero_form &&
                          law != Law::unused_zeros && law != Law::no_bias && law != Law::bias_adds;
    for (const char* rest : {"m=17 n=40 k=256 g=64", "m=3 n=72 k=128 g=128 fill=normal seed=2"}) {
      if (!promised) continue;
      const Verdict v =
          run(kTritonFolder + "/w4a16.json", fmt::format("{} law={}", rest, name_of(law)));
      EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
      ASSERT_TRUE(v.ran.relation) << to_string(v);
      EXPECT_GT(v.ran.relation->exact, 0) << to_string(v);
    }
  }
}

TEST_P(Triton, RefusesWhatItsClausesForbid) {
  for (const char* rest :
       {"m=33 n=40 k=96 g=48", "m=33 n=40 k=128 g=32 act=bf16", "m=33 n=40 k=128 g=32 bias=n",
        "m=0 n=40 k=128 g=32", "m=33 n=42 k=128 g=32", "m=33 n=40 k=128 g=0",
        "m=33 n=40 k=128 g=32 lda=136", "m=33 n=40 k=128 g=32 wpad=16",
        "m=33 n=40 k=128 g=32 spad=1", "m=33 n=40 k=128 g=32 ldy=48", "m=33 n=40 k=-32 g=32",
        "m=33 n=-8 k=128 g=32", "m=33 n=40 k=128 g=32 woff=2",
        "m=1 n=40 k=128 g=32 tile=y1u4a16w16", "m=33 n=40 k=128 g=32 sdt=f32"}) {
    const Verdict v = run(kTritonFolder + "/w4a16.json", rest);
    EXPECT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
}

struct Wrong {
  const char *name, *from, *to;
  VerdictKind kind;
};
const Wrong kWrong[] = {
    {"act_and_scale_swapped",
     "{\"tensor\": \"act\", \"layout\": \"dense\"},\n        {\"tensor\": \"wei\", \"layout\": "
     "\"shuffled\"},\n        {\"tensor\": \"scale\", \"layout\": \"dense\"}",
     "{\"tensor\": \"scale\", \"layout\": \"dense\"}, {\"tensor\": \"wei\", \"layout\": "
     "\"shuffled\"}, {\"tensor\": \"act\", \"layout\": \"dense\"}",
     VerdictKind::finding},
    {"m_and_n_swapped", "{\"i32\": \"M\"},\n        {\"i32\": \"N\"}",
     "{\"i32\": \"N\"}, {\"i32\": \"M\"}", VerdictKind::finding},
    {"g_doubled", "{\"i32\": \"G\"}", "{\"i32\": \"2*G\"}", VerdictKind::mismatch},
    {"g_halved", "{\"i32\": \"G\"}", "{\"i32\": \"G/2\"}", VerdictKind::finding},
    {"k_short", "{\"i32\": \"K\"}", "{\"i32\": \"K - 32\"}", VerdictKind::mismatch},
    {"grid_one_row_short", "ceil_div(M, 32)", "max(1, ceil_div(M, 32) - 1)", VerdictKind::finding},
    {"grid_one_column_short", "ceil_div(N, 32)", "N / 32", VerdictKind::finding},
    {"no_lds", "\"lds\": 4096", "\"lds\": 0", VerdictKind::finding},
    {"lds_short", "\"lds\": 4096", "\"lds\": 4094", VerdictKind::finding},
    {"half_the_waves", "[128, 1, 1]", "[64, 1, 1]", VerdictKind::finding},
    {"too_many_waves", "[128, 1, 1]", "[160, 1, 1]", VerdictKind::finding},
    {"exact_weights", "product_rounded", "product_exact", VerdictKind::mismatch},
    {"g_zero", "{\"i32\": \"G\"},\n        {\"null\": \"global scratch\"}",
     "{\"i32\": \"G - 32\"}, {\"null\": \"global scratch\"}", VerdictKind::finding},
};

TEST_P(Triton, AWrongManifestShows) {
  for (const Wrong& w : kWrong) {
    const std::string path = write_manifest(fmt::format("{}_{}", w.name, GetParam()),
                                            changed(triton_manifest(), w.from, w.to));
    const Verdict v = run(path, "m=33 n=40 k=128 g=32 fill=normal");
    EXPECT_EQ(v.kind(), w.kind) << w.name << "\n" << to_string(v);
  }
}

TEST_P(Triton, AnExpressionWithoutAValueIsARefusalNobodyAskedFor) {
  const std::string path =
      write_manifest(fmt::format("no_value_{}", GetParam()),
                     changed(triton_manifest(), "ceil_div(M, 32)", "M / (G - 32)"));
  const Verdict v = run(path, "m=33 n=40 k=128 g=32");
  EXPECT_FALSE(v.green());
  EXPECT_NE(to_string(v).find("grid[0]: 'M / (G - 32)' at M = 33"), std::string::npos)
      << to_string(v);
}

INSTANTIATE_TEST_SUITE_P(Archs, Triton, testing::Values("gfx1151", "gfx1201"),
                         [](const auto& p) { return std::string(p.param); });

}  // namespace
}  // namespace w4::test
