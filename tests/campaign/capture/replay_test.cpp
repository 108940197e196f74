// Captures as files, and what a replay says of one that was altered.
#include "campaign/capture/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/capture/record.h"

namespace w4::capture {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Rig {
  std::unique_ptr<Device> device = std::move(*make_device("gfx1151"));
  Bench bench{*device};
};

// The emulator's own, made once.
const Capture& own() {
  static const Capture all = [] {
    Rig rig;
    Capture c;
    c.version = "0", c.build = "0 test", c.arch = "gfx1151", c.device = "an emulator";
    c.driver = "none", c.date = "2026-01-01";
    record_probes(rig.bench, rig.bench, c, [](size_t, size_t) { return true; });
    c.cases.push_back({"decode m=1 n=16", "pass", "0123456789abcdef"});
    return c;
  }();
  return all;
}
ProbeRecord& find(Capture& c, std::string_view name) {
  return *std::ranges::find(c.probes, name, &ProbeRecord::name);
}

TEST(Document, ComesBackAsItWas) {
  const std::string text = to_json(own());
  EXPECT_LT(text.size(), 700u << 10);
  const auto back = parse_capture(text, "x.json");
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_TRUE(back->checksum_fits);
  EXPECT_EQ(back->arch, "gfx1151");
  EXPECT_FALSE(back->silicon);
  ASSERT_EQ(back->probes.size(), own().probes.size());
  for (size_t i = 0; i < back->probes.size(); ++i) {
    EXPECT_EQ(back->probes[i].exact, own().probes[i].exact);
    EXPECT_EQ(back->probes[i].bytes, own().probes[i].bytes);
    EXPECT_EQ(back->probes[i].blocks, own().probes[i].blocks);
  }
  ASSERT_EQ(back->cases.size(), 1u);
  EXPECT_EQ(back->cases[0].line, "decode m=1 n=16");
  EXPECT_EQ(back->cases[0].outputs, "0123456789abcdef");
}

TEST(Document, DamageIsNamed) {
  const std::string text = to_json(own());
  EXPECT_THAT(parse_capture(text.substr(0, text.size() / 2), "x.json").error().text,
              HasSubstr("x.json: not a capture: not JSON to its end; it may have been cut off"));
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return parse_capture(changed, "x.json");
  };
  EXPECT_THAT(with("\"schema\": 1", "\"schema\": 7").error().text,
              HasSubstr("schema 7; this w4check reads 1"));
  EXPECT_THAT(with("\"arch\"", "\"ark\"").error().text, HasSubstr("arch"));
  EXPECT_THAT(with("\"values\": 2048", "\"values\": 2047").error().text,
              HasSubstr("probe dot2_f32_f16: 2047 values"));
  const auto edited = with("2026-01-01", "2026-01-02");
  ASSERT_TRUE(edited);
  EXPECT_FALSE(edited->checksum_fits);
}

TEST(Replay, OfTheEmulatorItselfAgrees) {
  Rig rig;
  uint64_t values = 0;
  const auto all = replay_probes(own(), rig.bench);
  for (const Replayed& r : all) {
    values += r.values;
    EXPECT_EQ(r.differing, 0u) << r.probe << ": "
                               << (r.differences.empty() ? "" : to_string(r.differences[0]));
    EXPECT_TRUE(r.left_out.empty() || r.unsupported) << r.probe << ": " << r.left_out;
  }
  EXPECT_GT(values, 100000u);
  const auto instructions = agreeing_instructions(own(), all);
  EXPECT_THAT(instructions, Contains("v_dot2_f32_f16"));
  EXPECT_THAT(instructions, Contains("v_wmma_bf16_16x16x16_bf16"));
  EXPECT_THAT(instructions, Not(Contains("v_min_num_f32"))) << "of gfx12";
}

TEST(Replay, AnAlteredValueIsNamed) {
  Rig rig;
  Capture c = own();
  ProbeRecord& dot = find(c, "dot2_f32_f16");
  ASSERT_EQ(dot.exact[0], 0x425c0001u);  // -1 + 3*8 + 8*4 on gfx11
  dot.exact[0] = 0x425c0000;
  const Replayed r = replay_probe(dot, c.operands, rig.bench);
  EXPECT_EQ(r.differing, 1u);
  ASSERT_EQ(r.differences.size(), 1u);
  EXPECT_EQ(to_string(r.differences[0]),
            "v_dot2_f32_f16\n"
            "  operands: a 0x48004200 (3, 8), b 0x44004800 (8, 4), c 0xbf800000 (-1)\n"
            "  expected: 0x425c0000 (55)\n"
            "  got:      0x425c0001 (55.0000038)");
  // Nothing rests on an instruction of which one value differs.
  const auto all = replay_probes(c, rig.bench);
  EXPECT_THAT(agreeing_instructions(c, all), Not(Contains("v_dot2_f32_f16")));
  EXPECT_THAT(agreeing_instructions(c, all), Contains("v_dot2_f32_bf16"));
}

TEST(Replay, AnAlteredDigestIsFoundWithItsOperands) {
  Rig rig;
  Capture c = own();
  ProbeRecord& wmma = find(c, "wmma_f32_f16");
  wmma.bytes[1000] = static_cast<uint8_t>(wmma.bytes[1000] ^ 1);
  Replayed r = replay_probe(wmma, c.operands, rig.bench);
  ASSERT_EQ(r.differences.size(), 1u);
  EXPECT_THAT(r.differences[0].operands, HasSubstr("tile 5, D of row "));
  EXPECT_THAT(r.differences[0].expected, HasSubstr("another value (its digest is"));
  wmma = *std::ranges::find(own().probes, "wmma_f32_f16", &ProbeRecord::name);
  wmma.blocks[3] ^= 1;  // a value that the digest of one byte misses
  r = replay_probe(wmma, c.operands, rig.bench);
  ASSERT_EQ(r.differing, 1u);
  EXPECT_THAT(r.differences[0].operands, HasSubstr("one of the 32 values from number 608 on"));
}

TEST(Replay, WhatDocumentsAllowIsNoDifferenceAndNoEvidence) {
  Rig rig;
  Capture c = own();
  find(c, "rcp_f32").exact[2] ^= 1;
  const auto all = replay_probes(c, rig.bench);
  const auto rcp = std::ranges::find(all, "rcp_f32", &Replayed::probe);
  EXPECT_EQ(rcp->differing, 0u);
  EXPECT_EQ(rcp->within_ulp, 1u);
  EXPECT_THAT(agreeing_instructions(c, all), Not(Contains("v_rcp_f32")));
}

TEST(Replay, OfOtherOperandsComparesNothing) {
  Rig rig;
  Capture c = own();
  ProbeRecord& dot = find(c, "dot2_f32_f16");
  dot.operands ^= 1;
  EXPECT_THAT(replay_probe(dot, c.operands, rig.bench).left_out,
              HasSubstr("captured with operands"));
  EXPECT_THAT(replay_probe(find(c, "fma_f32"), 2, rig.bench).left_out,
              HasSubstr("operands of version 2; this w4check makes those of 1"));
  dot.name = "dot9";
  EXPECT_THAT(replay_probe(dot, c.operands, rig.bench).left_out, HasSubstr("no such probe"));
  EXPECT_THAT(agreeing_instructions(c, replay_probes(c, rig.bench)),
              Not(Contains("v_dot2_f32_f16")));
}

// A missing probe of an instruction: the others of it are not enough.
TEST(Replay, AMissingProbeIsNoEvidence) {
  Rig rig;
  Capture c = own();
  std::erase_if(c.probes, [](const ProbeRecord& r) { return r.name == "dot2_f32_bf16_neg"; });
  EXPECT_THAT(agreeing_instructions(c, replay_probes(c, rig.bench)),
              Not(Contains("v_dot2_f32_bf16")));
}

}  // namespace
}  // namespace w4::capture
