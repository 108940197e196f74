// Descriptors of expert calls that no case line can say: what the checks refuse and what reaches
// the kernel's arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "kernels/expectations.h"
#include "kernels/moe.h"
#include "kernels/moe_args.h"
#include "kernels/moe_prefill.h"
#include "kernels/moe_prefill_args.h"
#include "tests/kernels/call_of.h"

namespace w4 {
namespace {

using testing::HasSubstr;

constexpr int64_t kExperts = 3, kTopk = 2, kTokens = 2, kSlots = kTokens * kTopk;

// Scattered: as many blocks as slots, so that every block may be one row.
struct Experts : CallOf {
  explicit Experts(int64_t block_m, int64_t k = 128)
      : CallOf(Problem{.m = kTokens, .n = 24, .k = k, .g = 32, .zp = ZpMode::packed}) {
    for (w4_tensor* t : {&wei, &scale, &zp}) {
      t->rank = 3;
      t->dim[2] = t->dim[1], t->dim[1] = t->dim[0], t->dim[0] = kExperts;
      t->stride[2] = 1, t->stride[1] = t->stride[0], t->stride[0] = t->dim[1] * t->stride[1];
    }
    out.dim[0] = kSlots;
    for (w4_tensor* t : {&ids, &sorted}) {
      t->dtype = W4_I32;
      t->rank = 1;
      t->stride[0] = 1;
      t->device = 0x70000;
    }
    ids.layout = W4_EXPERT_IDS, sorted.layout = W4_SORTED_IDS;
    change().block_m = block_m;
    change().top_k = kTopk;
    change().expert_ids = &ids;
    change().sorted_ids = &sorted;
    blocks(kSlots);
  }
  void blocks(int64_t count) {
    ids.dim[0] = count;
    sorted.dim[0] = count * call().block_m;
  }
  w4_tensor ids{}, sorted{};
};

struct Outcome {
  std::string clause, message;
};
Outcome outcome(const w4_kernel& kernel, const Experts& e) {
  Recorder recorder;
  const int no = kernel.run(&kernel, &e.call(), &recorder.device);
  EXPECT_EQ(no != 0, recorder.launches == 0);
  return {no == 0 ? "" : recorder.clause, recorder.message};
}

TEST(MoeCalls, IdsHaveAtLeastOneBlock) {
  for (const auto& [kernel, block_m] : {std::pair(moe_kernel(), 2), {moe_prefill_kernel(), 16}}) {
    Experts e(block_m);
    EXPECT_EQ(outcome(kernel, e).clause, "");
    for (const int64_t count : {int64_t{0}, int64_t{-1}, int64_t{-1} << 40}) {
      e.blocks(count);
      const Outcome o = outcome(kernel, e);
      EXPECT_EQ(o.clause, "ids.dtype") << kernel.name << " " << count;
      EXPECT_THAT(o.message, HasSubstr(std::to_string(count)));
    }
  }
}

template <class Args>
Args arguments(const w4_kernel& kernel, const Experts& e) {
  Recorder recorder;
  EXPECT_EQ(kernel.run(&kernel, &e.call(), &recorder.device), 0) << recorder.message;
  Args a{};
  std::memcpy(&a, recorder.args.data(), std::min(sizeof a, recorder.args.size()));
  return a;
}

TEST(MoeCalls, StridesOfExpertsAndSharersOfARowReachTheKernel) {
  Experts e(2);
  e.wei.stride[0] += 128, e.scale.stride[0] += 5, e.zp.stride[0] += 7;
  const auto few = arguments<MoeArgs>(moe_kernel(), e);
  EXPECT_EQ(few.wei_expert, e.wei.stride[0]);
  EXPECT_EQ(few.scale_expert, e.scale.stride[0]);
  EXPECT_EQ(few.zp_expert, e.zp.stride[0]);
  EXPECT_EQ(few.top_k, kTopk);
  e.change().block_m = 16;
  e.blocks(kSlots);
  const auto many = arguments<MoePrefillArgs>(moe_prefill_kernel(), e);
  EXPECT_EQ(many.zp_expert, e.zp.stride[0]);
  EXPECT_EQ(many.top_k, kTopk);
  // In order every slot has a row of its own.
  e.change().sorted_ids = nullptr;
  e.act.dim[0] = kSlots;
  e.ids.dim[0] = 1;
  EXPECT_EQ(arguments<MoePrefillArgs>(moe_prefill_kernel(), e).top_k, 1U);
}

// What `audit code` says a launch asks for is what launches ask for.
TEST(MoeCalls, TheLaunchAsksForTheArraysThatAreExpected) {
  const auto expected = [](const Expectation& e, const std::string& symbol) {
    for (const ExpectedKernel& k : e.kernels("f16", e.groups[0])) {
      if (k.symbol == symbol) return k.dynamic_lds;
    }
    ADD_FAILURE() << symbol;
    return std::vector<uint32_t>{};
  };
  std::map<std::string, std::set<uint32_t>> asked;
  const auto launch = [&](const w4_kernel& kernel, const Experts& e) {
    Recorder recorder;
    EXPECT_EQ(kernel.run(&kernel, &e.call(), &recorder.device), 0) << recorder.message;
    asked[recorder.symbol].insert(recorder.last.dynamic_lds);
  };
  for (int64_t block_m = 1; block_m <= 5; ++block_m) {
    for (const int64_t elements : {8192, 32768, 70000}) {
      // On both sides of an array's end, with every tile that may be forced.
      for (const int64_t k : {elements / block_m / 32 * 32, (elements / block_m / 32 + 1) * 32}) {
        for (const bool silu : {false, true}) {
          for (const Tile& tile : moe_tiles(block_m, k, silu)) {
            Experts e(block_m, k);
            const std::string text = to_string(tile);
            e.change().tile = text.c_str();
            if (silu) {
              e.change().silu = 1;
              e.act.dim[0] = kSlots;
              e.act.dim[1] = e.act.stride[0] = 2 * k;
            }
            launch(moe_kernel(), e);
          }
        }
      }
    }
  }
  for (const auto& [symbol, bytes] : asked) {
    EXPECT_THAT(bytes, testing::ElementsAreArray(expected(moe_expectation(), symbol))) << symbol;
  }
  EXPECT_EQ(asked.size(), 27u);  // the tiles of kernels/moe_args.h
  asked.clear();
  for (const int64_t block_m : {16, 32, 64}) launch(moe_prefill_kernel(), Experts(block_m));
  for (const auto& [symbol, bytes] : asked) {
    EXPECT_THAT(expected(moe_prefill_expectation(), symbol), testing::IsEmpty()) << symbol;
    EXPECT_THAT(bytes, testing::ElementsAre(0u)) << symbol;
  }
}

// A grid counts work-items in 32 bits, 32 a workgroup: 2^27 of them are too many.
TEST(MoeCalls, PrefillsGridFits) {
  Experts e(64);
  e.change().zp = nullptr;
  e.blocks(9);
  const int64_t n = int64_t{1} << 30;  // 2^24 tiles of 64 columns
  for (w4_tensor* t : {&e.wei, &e.scale}) t->dim[1] = n, t->stride[0] = n * t->stride[1];
  e.out.dim[1] = e.out.stride[0] = n;
  const Outcome o = outcome(moe_prefill_kernel(), e);
  EXPECT_EQ(o.clause, "index.width");
  EXPECT_THAT(o.message, HasSubstr("150994944 workgroups"));
}

}  // namespace
}  // namespace w4
