// Scalar loads, and loads and stores of bytes and halves, on hand-written kernels: values,
// definedness, and races.
#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

class Accesses : public Hand {};

TEST_P(Accesses, ScalarLoads) {
  std::vector<uint32_t> table(64);
  for (uint32_t i = 0; i < 64; ++i) table[i] = 100 + i;
  const Address out = rig_.buffer("out", 128), in = rig_.buffer("in", 256);
  ASSERT_TRUE(rig_.emulator().memory().write(in, std::as_bytes(std::span(table))));
  const std::string load = "s_load_b64 s[8:9], s[0:1], 0x8\n%wait%\n";
  const auto result = [&](const std::string& text) {
    const LaunchReport r = run(kBegin + load + text + "%wait%\nv_mov_b32 v2, s10\n" + kStore,
                               config(1, 32), {out, in});
    EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    return rig_.words(out, 1)[0];
  };
  EXPECT_EQ(result("s_movk_i32 s12, 0x14\ns_load_b32 s10, s[8:9], s12 offset:0x8\n"), 107u);
  EXPECT_EQ(result("s_movk_i32 s12, 0x14\ns_load_b32 s10, s[8:9], s12\n"), 105u);
  EXPECT_EQ(result("s_add_u32 s8, s8, 64\ns_load_b32 s10, s[8:9], -0x4\n"), 115u);
  EXPECT_EQ(result("s_add_u32 s8, s8, 3\ns_load_b32 s10, s[8:9], 0x4\n"), 101u);
  EXPECT_EQ(result("s_load_b128 s[12:15], s[8:9], 0x10\n%wait%\ns_mov_b32 s10, s14\n"), 106u);
  const LaunchReport r =
      run(kBegin + load + "s_load_b32 s10, s[8:9], s12\n" + kStore, config(1, 32), {out, in});
  EXPECT_EQ(only(r), FindingKind::undefined_address);
}

// A byte and a half with their sign: the copies of an undefined sign bit are undefined.
TEST_P(Accesses, NarrowScalarLoads) {
  if (!rig_.gfx12()) GTEST_SKIP() << "gfx11 has none";
  const Address out = rig_.buffer("out", 128), in = rig_.buffer("in", 64, false);
  const std::vector<uint8_t> bytes = {0x85, 0x12, 0x34, 0xf6};
  ASSERT_TRUE(rig_.emulator().memory().write(in, std::as_bytes(std::span(bytes))));
  const auto launch = [&](const std::string& text) {
    return run(kBegin + "s_load_b64 s[8:9], s[0:1], 0x8\n%wait%\n" + text +
                   "\n%wait%\nv_mov_b32 v2, s10\n" + kStore,
               config(1, 32), {out, in});
  };
  const std::pair<const char*, uint32_t> loads[] = {{"s_load_i8 s10, s[8:9], 0x0", 0xffffff85},
                                                    {"s_load_u8 s10, s[8:9], 0x0", 0x85},
                                                    {"s_load_i8 s10, s[8:9], 0x1", 0x12},
                                                    {"s_load_i16 s10, s[8:9], 0x2", 0xfffff634},
                                                    {"s_load_u16 s10, s[8:9], 0x2", 0xf634}};
  for (const auto& [text, want] : loads) {
    const LaunchReport r = launch(text);
    ASSERT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
    EXPECT_EQ(rig_.words(out, 1)[0], want) << text;
  }
  for (const char* text : {"s_load_i8 s10, s[8:9], 0x4\n%wait%\ns_lshr_b32 s10, s10, 8",
                           "s_load_i16 s10, s[8:9], 0x4\n%wait%\ns_lshr_b32 s10, s10, 16"})
    EXPECT_EQ(only(launch(text)), FindingKind::undefined_store) << text;
  for (const char* text : {"s_load_u8 s10, s[8:9], 0x4\n%wait%\ns_lshr_b32 s10, s10, 8",
                           "s_load_u16 s10, s[8:9], 0x4\n%wait%\ns_lshr_b32 s10, s10, 16"})
    EXPECT_EQ(launch(text).end, LaunchReport::End::completed) << text;
}

// Bytes and halves of every kind, into whole registers and into halves of them.
TEST_P(Accesses, NarrowVectorLoads) {
  HandKernel k;
  k.info.static_lds = 16;
  k.info.scratch_bytes = 16;
  const std::vector<uint8_t> bytes = {0x85, 0xf6, 0x34, 0x12};
  const Address out = rig_.buffer("out", 128), in = rig_.buffer("in", 4);
  ASSERT_TRUE(rig_.emulator().memory().write(in, std::as_bytes(std::span(bytes))));
  const std::tuple<const char*, const char*, uint32_t> loads[] = {
      {"u8", "u8", 0x85},
      {"i8", "i8", 0xffffff85},
      {"u16", "u16", 0xf685},
      {"i16", "i16", 0xfffff685},
      {"d16_u8", "u8_d16", 0xabcd0085},
      {"d16_i8", "i8_d16", 0xabcdff85},
      {"d16_b16", "u16_d16", 0xabcdf685},
      {"d16_hi_u8", "u8_d16_hi", 0x0085abcd},
      {"d16_hi_i8", "i8_d16_hi", 0xff85abcd},
      {"d16_hi_b16", "u16_d16_hi", 0xf685abcd},
      {"b32", "b32", 0x1234f685},
  };
  const std::string begin = kBegin +
                            "s_load_b64 s[8:9], s[0:1], 0x8\nv_mov_b32 v2, 0xabcdabcd\n%wait%\n"
                            "v_mov_b32 v8, 0\nv_mov_b32 v10, s8\nv_mov_b32 v11, s9\n"
                            "global_load_b32 v4, v8, s[8:9]\n%wait%\n";
  for (const auto& [global, lds, want] : loads) {
    for (const std::string& text :
         {"global_load_" + std::string(global) + " v2, v8, s[8:9]\n",
          "flat_load_" + std::string(global) + " v2, v[10:11]\n",
          "scratch_store_b32 off, v4, off offset:4\n%wait%\nscratch_load_" + std::string(global) +
              " v2, off, off offset:4\n",
          "ds_store_b32 v8, v4 offset:8\n%wait%\nds_load_" + std::string(lds) +
              " v2, v8 offset:8\n"}) {
      k.text = begin + text + "%wait%\n" + kStore;
      const LaunchReport r = rig_.launch(k, config(1, 32), {out, in});
      ASSERT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
      EXPECT_EQ(rig_.words(out, 1)[0], want) << text;
    }
  }
}

// Stores of a byte or half, from either half of a register.
TEST_P(Accesses, NarrowVectorStores) {
  HandKernel k;
  k.info.static_lds = 16;
  k.info.scratch_bytes = 16;
  const Address out = rig_.buffer("out", 128);
  const std::tuple<const char*, const char*, uint32_t> stores[] = {
      {"b8", "b8", 0x11111178},
      {"b16", "b16", 0x11115678},
      {"d16_hi_b8", "b8_d16_hi", 0x11111134},
      {"d16_hi_b16", "b16_d16_hi", 0x11111234},
      {"b32", "b32", 0x12345678}};
  const std::string begin =
      kBegin + "v_mov_b32 v2, 0x11111111\nv_mov_b32 v4, 0x12345678\nv_mov_b32 v8, 0\n";
  for (const auto& [global, lds, want] : stores) {
    for (const std::string& text :
         {"global_store_b32 v1, v2, s[4:5]\nglobal_store_" + std::string(global) +
              " v1, v4, s[4:5]\ns_endpgm\n",
          "scratch_store_b32 off, v2, off offset:4\nscratch_store_" + std::string(global) +
              " off, v4, off offset:4\n%wait%\nscratch_load_b32 v2, off, off offset:4\n%wait%\n" +
              kStore,
          "ds_store_b32 v8, v2 offset:8\nds_store_" + std::string(lds) +
              " v8, v4 offset:8\n%wait%\nds_load_b32 v2, v8 offset:8\n%wait%\n" + kStore}) {
      k.text = begin + text;
      const LaunchReport r = rig_.launch(k, config(1, 32), {out});
      ASSERT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
      EXPECT_EQ(rig_.words(out, 1)[0], want) << text;
    }
  }
}

// Two waves without a barrier between: one writes one word, the other reads several by a scalar
// load.
TEST_P(Accesses, ScalarLoadsTakePartInRaces) {
  const Address out = rig_.buffer("out", 128);
  for (const char* offset : {"0x0", "0x8"}) {
    const std::string text = kBegin + kWave +
                             "s_cmp_eq_u32 s6, 0\ns_cbranch_scc0 reader\n"
                             "v_mov_b32 v2, 3\nv_mov_b32 v1, 4\ns_mov_b32 exec_lo, 1\n" +
                             kStore + "reader:\ns_load_b64 s[10:11], s[4:5], " + offset +
                             "\ns_endpgm\n";
    const LaunchReport r = run(text, config(1, 64), {out});
    if (std::string_view(offset) == "0x0") {
      EXPECT_EQ(only(r), FindingKind::global_race);
    } else {
      EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    }
  }
}

W4_HAND_TESTS(Accesses);

}  // namespace
}  // namespace w4::rdna
