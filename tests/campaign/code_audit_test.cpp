// The audit of machine code: clean objects pass, and each thing that can differ from what the host
// takes for granted is found and named.
#include "campaign/code_audit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace w4 {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const KernelObject& object() { return *find_object("decode", "gfx1151", "f16", 128); }
std::span<const std::byte> bytes_of(const KernelObject& o) {
  return std::as_bytes(std::span(o.begin, o.end));
}
const std::string kSymbol = "w4_decode_small_m1_y1_u4_g128_f16_packed";

// Every occurrence of `from` becomes `to`, of the same length.
std::vector<std::byte> replaced(std::span<const std::byte> in, std::string_view from,
                                std::string_view to) {
  EXPECT_EQ(from.size(), to.size());
  std::vector<std::byte> out(in.begin(), in.end());
  const auto key = std::as_bytes(std::span(from));
  size_t count = 0;
  for (auto at = out.begin();
       (at = std::search(at, out.end(), key.begin(), key.end())) != out.end(); ++count) {
    at = std::ranges::copy(std::as_bytes(std::span(to)), at).out;
  }
  EXPECT_GT(count, 0u) << from;
  return out;
}

std::vector<std::string> wrong(std::span<const std::byte> bytes, const KernelObject* built_in,
                               std::span<const Expectation> believed = expectations()) {
  CodeAuditor auditor(believed);
  auditor.add("it", bytes, built_in);
  return auditor.result().wrong;
}

// decode's own expectation with one thing changed in every kernel.
template <void (*change)(ExpectedKernel&)>
Expectation changed() {
  Expectation e = decode_expectation();
  e.kernels = [](std::string_view act, int g) {
    std::vector<ExpectedKernel> all = decode_expectation().kernels(act, g);
    for (ExpectedKernel& k : all) change(k);
    return all;
  };
  return e;
}

TEST(CodeAudit, TheBuiltInObjectIsAsExpected) {
  CodeAuditor auditor(expectations());
  auditor.add("it", bytes_of(object()), &object());
  const CodeAudit& audit = auditor.result();
  EXPECT_THAT(audit.wrong, IsEmpty());
  ASSERT_THAT(audit.rows, SizeIs(1));
  const CodeRow& row = audit.rows[0];
  EXPECT_EQ(row.kernel, "decode");
  EXPECT_EQ(row.kernels, 93u);
  EXPECT_EQ(row.lds_bytes.least, 65536u);
  EXPECT_EQ(row.lds_bytes.most, 65536u);
  EXPECT_GE(row.kinds.at("dot2").least, 8u);
  EXPECT_EQ(row.kinds.at("wmma").most, 0u);
  EXPECT_GE(row.waves_per_simd, 4);
}

TEST(CodeAudit, AnArrayThatTheLaunchAsksForIsTold) {
  const KernelObject& moe = *find_object("moe", "gfx1151", "f16", 128);
  CodeAuditor auditor(expectations());
  auditor.add("it", bytes_of(moe), &moe);
  EXPECT_THAT(auditor.result().wrong, IsEmpty());
  ASSERT_THAT(auditor.result().rows, SizeIs(1));
  const CodeRow& row = auditor.result().rows[0];
  EXPECT_EQ(row.lds_bytes.most, 0u);
  EXPECT_EQ(row.dynamic_lds.least, 16384u);
  EXPECT_EQ(row.dynamic_lds.most, 65536u);
}

TEST(CodeAudit, ALaunchThatAsksForMoreThanAWorkgroupHasIsFound) {
  const Expectation e[] = {changed<[](ExpectedKernel& k) { k.dynamic_lds = {16}; }>()};
  EXPECT_THAT(wrong(bytes_of(object()), &object(), e),
              Contains("it: " + kSymbol +
                       ": launched with 16 bytes of dynamic LDS on top of 65536 static; gfx1151 "
                       "has 65536 for a workgroup"));
}

TEST(CodeAudit, AHostThatCountsOnAnotherArrayIsFound) {
  const Expectation e[] = {changed<[](ExpectedKernel& k) { k.lds_bytes = 32768; }>()};
  EXPECT_THAT(wrong(bytes_of(object()), &object(), e),
              Contains("it: " + kSymbol + ": 65536 bytes of static LDS; the host counts on 32768"));
}

TEST(CodeAudit, AnObjectWithAnotherArrayIsFound) {
  // 65536 as MessagePack has it after the key, halved.
  const std::string key = ".group_segment_fixed_size";
  const auto edited = replaced(bytes_of(object()), key + std::string("\xce\x00\x01\x00\x00", 5),
                               key + std::string("\xce\x00\x00\x80\x00", 5));
  for (const KernelObject* built_in : {&object(), static_cast<const KernelObject*>(nullptr)}) {
    EXPECT_THAT(wrong(edited, built_in), Contains("it: " + kSymbol +
                                                  ": 32768 bytes of static LDS; the host counts "
                                                  "on 65536"));
  }
}

TEST(CodeAudit, AMissingInstantiationAndOneThatNobodyNames) {
  std::string other = kSymbol;
  other.replace(other.find("_m1_"), 4, "_m9_");
  const auto edited = replaced(bytes_of(object()), kSymbol, other);
  for (const KernelObject* built_in : {&object(), static_cast<const KernelObject*>(nullptr)}) {
    const auto what = wrong(edited, built_in);
    EXPECT_THAT(what, SizeIs(2));
    EXPECT_THAT(what, Contains(HasSubstr(kSymbol + ": is not in it")));
    EXPECT_THAT(what, Contains(HasSubstr(other + ": no instantiation list names it")));
  }
}

TEST(CodeAudit, EachOtherDifferenceIsNamed) {
  Expectation e = changed<[](ExpectedKernel& k) {
    k.threads = 256;
    k.needs = {"v_wmma_f32_16x16x16_f16|x"};
    k.never = {"x|ds_load_b128"};
  }>();
  e.arg_bytes += 4;
  std::vector<ExpectedArg> args(e.args.begin(), e.args.end() - 1);
  std::swap(args[6].offset, args[7].offset);
  args[0].address = false;
  e.args = args;
  const Expectation all[] = {e};
  const auto what = wrong(bytes_of(object()), &object(), all);
  EXPECT_EQ(what.size(), 8u * 93);
  for (const char* part :
       {"compiled for blocks of 512 threads; launched with 256",
        "takes 108 bytes of arguments; the launcher passes 112",
        "takes 16 arguments; the launcher passes 15",
        "argument 0 is global_buffer; the launcher passes by_value",
        "argument 6 has 8 bytes at 48; the launcher puts 8 bytes at 56",
        "argument 7 has 8 bytes at 56; the launcher puts 8 bytes at 48",
        "has no v_wmma_f32_16x16x16_f16|x", "has x|ds_load_b128, which has no place in it"}) {
    EXPECT_THAT(what, Contains("it: " + kSymbol + ": " + part));
  }
}

TEST(CodeAudit, ObjectsThatNobodyExpectsAndObjectsThatAreNotThere) {
  CodeAuditor nothing({});
  nothing.add("it", bytes_of(object()), &object());
  EXPECT_THAT(nothing.result().wrong,
              Contains(HasSubstr("says nothing of kernel decode, f16, group size 128")));
  CodeAuditor one(expectations());
  one.add("it", bytes_of(object()), &object());
  const std::string_view archs[] = {"gfx1151"};
  one.demand_complete(archs);
  EXPECT_THAT(one.result().wrong, Contains("gfx1151 decode bf16 g32: there are 0 objects, not 1"));
  EXPECT_THAT(one.result().wrong, testing::Not(Contains(HasSubstr("decode f16 g128:"))));
  // A kernel of somebody else is judged by what holds for every kernel.
  CodeAuditor others({});
  others.add("it", bytes_of(object()), nullptr);
  EXPECT_THAT(others.result().wrong, IsEmpty());
  EXPECT_EQ(others.result().rows.at(0).kernel, "other");
}

TEST(CodeAudit, DamagedObjectsAreNamed) {
  EXPECT_THAT(wrong(bytes_of(object()).first(5000), nullptr), Contains(HasSubstr("cut short")));
}

}  // namespace
}  // namespace w4
