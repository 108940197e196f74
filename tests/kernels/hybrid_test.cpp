// The hybrid's host side: which kernel a call goes to, and what it is refused for, on descriptors.
#include "kernels/hybrid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/case.h"
#include "core/contract.h"
#include "kernels/chunked.h"
#include "kernels/chunked_args.h"
#include "kernels/prefill.h"
#include "tests/kernels/call_of.h"

namespace w4 {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Problem problem(const std::string& line) {
  const auto c = parse_case("hybrid " + line);
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return c ? c->problem : Problem{};
}

// What was launched, or the clause.
std::string goes_to(const Problem& p) {
  const w4_kernel kernel = hybrid_kernel();
  const CallOf call(p);
  Recorder recorder;
  if (kernel.run(&kernel, &call.call(), &recorder.device) != 0) return recorder.clause;
  return recorder.launches == 1 ? recorder.symbol : "nothing";
}

TEST(Hybrid, RoutesOnMAndTheDecodeKernelsOwnArray) {
  EXPECT_THAT(goes_to(problem("m=5 k=6528 g=32")), StartsWith("w4_chunked"));
  EXPECT_THAT(goes_to(problem("m=6 k=128")), StartsWith("w4_prefill"));
  constexpr int64_t kArray = kChunkedLdsElements;
  for (const int64_t g : {32, 64, 128}) {
    for (int64_t m = 1; m <= 5; ++m) {
      const int64_t fits = kArray / m / g * g;
      Problem p{.m = m, .k = fits, .g = g};
      EXPECT_THAT(goes_to(p), StartsWith("w4_chunked")) << m << " " << fits;
      p.k += g;
      EXPECT_THAT(goes_to(p), StartsWith("w4_prefill")) << m << " " << p.k;
    }
  }
}

// contract.md K1: what the device reports decides nothing but whether the array can be had.
TEST(Hybrid, TheRouteDoesNotAskTheDevice) {
  for (const char* line : {"m=1 k=32768 lds=163840", "m=1 k=32768 lds=65536"}) {
    const Problem p = problem(line);
    const w4_kernel kernel = hybrid_kernel();
    const CallOf call(p);
    Recorder recorder("gfx1151", {20, *p.lds});
    EXPECT_EQ(kernel.run(&kernel, &call.call(), &recorder.device), 0);
    EXPECT_THAT(recorder.symbol, StartsWith("w4_chunked"));
  }
  const w4_kernel kernel = hybrid_kernel();
  const auto clause = [&](const std::string& line, int64_t lds) {
    const CallOf call(problem(line));
    Recorder recorder("gfx1151", {20, lds});
    return kernel.accept(&kernel, &call.call(), &recorder.device) == 0 ? "" : recorder.clause;
  };
  // Of the route that is taken.
  EXPECT_EQ(clause("m=1", 65535), "lds.device");
  EXPECT_EQ(clause("m=6", 65535), "");
  EXPECT_EQ(clause("m=6", 1024), "lds.prefill");
}

TEST(Hybrid, AnEmptyCallIsAcceptedAndLaunchesNothing) {
  const w4_kernel kernel = hybrid_kernel();
  for (const char* line : {"m=0", "m=0 k=40960 zp=packed", "m=0 bias=mxn", "m=0 bias=n"}) {
    const CallOf call(problem(line));
    Recorder recorder;
    EXPECT_EQ(kernel.accept(&kernel, &call.call(), &recorder.device), 0) << recorder.message;
    EXPECT_EQ(kernel.run(&kernel, &call.call(), &recorder.device), 0);
    EXPECT_EQ(recorder.launches, 0);
  }
  EXPECT_EQ(goes_to(problem("m=0 g=48 k=96")), "group.size");
  EXPECT_EQ(goes_to(problem("m=-1")), "m.natural");
}

// Descriptors of [L,T,K] from those of [M,K].
struct Leading : CallOf {
  Leading(const Problem& p, int64_t lead, int64_t stride) : CallOf(p) {
    for (w4_tensor* t : {&act, &out}) {
      t->rank = 3;
      t->dim[2] = t->dim[1], t->dim[1] = t->dim[0] / lead, t->dim[0] = lead;
      t->stride[2] = 1, t->stride[1] = t->stride[0], t->stride[0] = t->dim[1] * t->stride[1];
    }
    if (stride != 0) act.stride[0] = stride;
  }
};

TEST(Hybrid, LeadingDimensionsCollapseOrAreRefused) {
  const w4_kernel kernel = hybrid_kernel();
  const auto outcome = [&](int64_t m, int64_t lead, int64_t stride) {
    const Leading call(Problem{.m = m, .k = 256}, lead, stride);
    Recorder recorder;
    const int no = kernel.run(&kernel, &call.call(), &recorder.device);
    return no == 0 ? recorder.ran : recorder.clause;
  };
  EXPECT_THAT(outcome(4, 2, 0), HasSubstr("m4"));
  EXPECT_THAT(outcome(12, 3, 0), HasSubstr("m12"));
  EXPECT_THAT(outcome(4, 1, 9999), HasSubstr("m4"));  // one leading index has no stride
  EXPECT_THAT(outcome(4, 4, 512),
              HasSubstr("m4"));  // one row each: the leading stride is the row's
  EXPECT_EQ(outcome(4, 2, 1024), "act.leading");
  Leading both_negative(Problem{.m = 4, .k = 256}, 2, 0);
  for (w4_tensor* t : {&both_negative.act, &both_negative.out}) t->dim[0] = t->dim[1] = -2;
  Recorder recorder;
  EXPECT_NE(kernel.run(&kernel, &both_negative.call(), &recorder.device), 0);
  EXPECT_EQ(recorder.clause, "m.natural");
  EXPECT_EQ(outcome(4, 4, 100), "act.stride");
}

TEST(Hybrid, ShapeOnlyFormNeedsNoAddresses) {
  const w4_kernel kernel = hybrid_kernel();
  const auto shape = [&](CallOf& call) {
    call.act.device = call.wei.device = 0;
    Recorder recorder;
    w4_tensor out{};
    EXPECT_EQ(kernel.shape(&kernel, &call.call(), &recorder.device, &out), 0);
    EXPECT_EQ(recorder.launches, 0);
    return fmt::format("{} {}", static_cast<int>(out.dtype),
                       out.rank == 3 ? fmt::format("{},{},{}", out.dim[0], out.dim[1], out.dim[2])
                                     : fmt::format("{},{}", out.dim[0], out.dim[1]));
  };
  CallOf flat(problem("m=7 n=72 act=bf16"));
  EXPECT_EQ(shape(flat), "1 7,72");
  CallOf empty(problem("m=0 n=8"));
  EXPECT_EQ(shape(empty), "0 0,8");
  Leading leading(Problem{.m = 6, .n = 24}, 2, 0);
  EXPECT_EQ(shape(leading), "0 2,3,24");
  leading.wei.dim[0] = leading.act.dim[0] = int64_t{1} << 40;
  Recorder too_large;
  w4_tensor none{};
  EXPECT_NE(kernel.shape(&kernel, &leading.call(), &too_large.device, &none), 0);
  EXPECT_EQ(too_large.clause, "out.contiguous");
  leading.act.rank = 1;
  Recorder recorder;
  w4_tensor out{};
  EXPECT_NE(kernel.shape(&kernel, &leading.call(), &recorder.device, &out), 0);
  EXPECT_EQ(recorder.clause, "act.leading");
}

TEST(Hybrid, ClausesAreTheUnionEachOnItsRoute) {
  std::set<std::string> mine;
  const w4_kernel kernel = hybrid_kernel();
  for (const char* const* c = kernel.clauses; *c != nullptr; ++c) {
    EXPECT_NE(find_clause(*c), nullptr) << *c;
    EXPECT_TRUE(mine.insert(*c).second) << *c;
  }
  for (const w4_kernel& part : {chunked_kernel(), prefill_kernel()}) {
    for (const char* const* c = part.clauses; *c != nullptr; ++c) {
      const std::string name = *c;
      if (name == "act.rank" || name == "m.range" || name == "m.positive") continue;
      EXPECT_TRUE(mine.contains(name) || mine.contains(name + "@decode") ||
                  mine.contains(name + "@prefill"))
          << name;
    }
  }
  EXPECT_TRUE(mine.contains("lds.device@decode"));
  EXPECT_TRUE(mine.contains("lds.prefill@prefill"));
  EXPECT_TRUE(mine.contains("group.size"));
}

TEST(Hybrid, NumericsAreThoseOfTheRoute) {
  const w4_kernel kernel = hybrid_kernel();
  EXPECT_EQ(kernel.numerics_of(&kernel, 5, 64, 256, 128), chunked_kernel().numerics);
  EXPECT_EQ(kernel.numerics_of(&kernel, 6, 64, 256, 128), prefill_kernel().numerics);
  EXPECT_EQ(kernel.numerics_of(&kernel, 1, 64, 32896, 128), prefill_kernel().numerics);
}

}  // namespace
}  // namespace w4
