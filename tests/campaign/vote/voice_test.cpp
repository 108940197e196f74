#include "campaign/vote/voice.h"

#include <gmock/gmock.h>

#include <limits>

#include "results/verdict_json.h"

namespace w4::vote {
namespace {

using ::testing::HasSubstr;

Voice voice(Outcome o, std::vector<uint16_t> out = {}) {
  Voice v{make_verdict("decode m=1", {std::move(o)}, {}), std::move(out)};
  v.verdict.ran.instantiation = "medium m1 g64";
  v.verdict.ran.symbols = {"decode_medium"};
  v.verdict.ran.fp = "gfx1151";
  return v;
}
Voice passes(std::vector<uint16_t> out) { return voice(Pass{}, std::move(out)); }

TEST(VoteVoice, SameBitsAreEqualWhateverRan) {
  const Voice a = passes({0x3c00, 0x8000});
  Voice b = a;
  b.verdict.ran.fp = "cuda";
  b.verdict.ran.instantiation = "small m1 g64";
  EXPECT_EQ(agreement_of(a, b, DType::f16), Agreement::equal);
}

TEST(VoteVoice, OtherBitsOnTheSameArithmeticAreUnexplained) {
  EXPECT_EQ(agreement_of(passes({0x3c00}), passes({0x3c01}), DType::f16), Agreement::unexplained);
  // Zeros that differ in sign are other bits.
  EXPECT_EQ(agreement_of(passes({0x0000}), passes({0x8000}), DType::f16), Agreement::unexplained);
}

TEST(VoteVoice, OtherArithmeticExplainsThem) {
  Voice b = passes({0x3c01});
  b.verdict.ran.fp = "cuda";
  EXPECT_EQ(agreement_of(passes({0x3c00}), b, DType::f16), Agreement::model);
}

TEST(VoteVoice, OtherKernelsExplainThemFirst) {
  Voice b = passes({0x3c01});
  b.verdict.ran.fp = "cuda";
  b.verdict.ran.instantiation = "small m1 g64";
  EXPECT_EQ(agreement_of(passes({0x3c00}), b, DType::f16), Agreement::instantiation);
}

TEST(VoteVoice, AnOutputOfAnotherLengthIsNotEqual) {
  EXPECT_EQ(agreement_of(passes({0x3c00}), passes({0x3c00, 0x3c00}), DType::f16),
            Agreement::unexplained);
  EXPECT_EQ(agreement_of(passes({0x3c00}), passes({}), DType::f16), Agreement::unexplained);
}

TEST(VoteVoice, RedAndSkippedComeBeforeBits) {
  const Voice a = passes({0x3c00});
  EXPECT_EQ(agreement_of(a, voice(Mismatch{}, {0x3c00}), DType::f16), Agreement::red);
  EXPECT_EQ(agreement_of(a, voice(Crash{}), DType::f16), Agreement::red);
  EXPECT_EQ(agreement_of(voice(Skipped{}), voice(Mismatch{}), DType::f16), Agreement::skipped);
  EXPECT_EQ(agreement_of(a, voice(Mistrusted{"little"}, {0x3c00}), DType::f16), Agreement::equal);
  // The calls are legal.
  EXPECT_EQ(agreement_of(a, voice(Refused{}), DType::f16), Agreement::red);
}

TEST(VoteVoice, PayloadsOfNanAreNotCompared) {
  EXPECT_EQ(agreement_of(passes({0x7e00}), passes({0xfe01}), DType::f16), Agreement::equal);
  // In bf16 the first of them is a number.
  EXPECT_EQ(agreement_of(passes({0x7e00}), passes({0xffc1}), DType::bf16), Agreement::unexplained);
}

TEST(VoteVoice, DifferencesAreCountedInRepresentableValues) {
  const Difference d =
      difference_of({0x3c00, 0x0001, 0x4000}, {0x3c02, 0x8001, 0x4000}, DType::f16);
  EXPECT_EQ(d.differ, 2);
  EXPECT_EQ(d.ulps, 2);
  EXPECT_EQ(d.at, 0);
  EXPECT_EQ(difference_of({0x0002}, {0x8003}, DType::f16).ulps, 5);
  EXPECT_EQ(difference_of({0x7e00}, {0x3c00}, DType::f16).ulps,
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(difference_of({0x7e00}, {0x7e01}, DType::f16).at, -1);
}

TEST(VoteVoice, AnAnswerKeepsItsBits) {
  const Voice v = passes({0x3c00, 0x00ff, 0xabcd});
  const std::string answer = answer_of(v.verdict, v.out);
  EXPECT_EQ(bits_in(answer).value(), v.out);
  EXPECT_TRUE(verdict_from_text(answer).has_value());
  EXPECT_TRUE(bits_in(R"({"line": "decode m=1"})")->empty());
}

TEST(VoteVoice, ABrokenAnswerIsAnError) {
  EXPECT_THAT(bits_in("no").error().text, HasSubstr("no JSON object"));
  EXPECT_THAT(bits_in(R"({"bits": "3c0"})").error().text, HasSubstr("3 digits"));
  EXPECT_THAT(bits_in(R"({"bits": "3c0g"})").error().text, HasSubstr("'3c0g'"));
  EXPECT_THAT(bits_in(R"({"bits": 7})").error().text, HasSubstr("no text"));
}

}  // namespace
}  // namespace w4::vote
