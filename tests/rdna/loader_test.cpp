// What is not a whole RDNA code object is refused with a reason, and damaged bytes never crash.
#include <random>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

std::string refusal(std::span<const std::byte> bytes) {
  auto r = CodeObject::load(bytes);
  return r ? "" : r.error().text;
}

class Loader : public testing::Test {
 protected:
  std::vector<std::byte> good_ = file_bytes(paths(W4_ANSWERS)[0]);
};

TEST_F(Loader, DescribesTheKernels) {
  for (const std::string& path : paths(W4_ANSWERS)) {
    auto object = CodeObject::load(file_bytes(path));
    ASSERT_TRUE(object) << path << ": " << object.error().text;
    EXPECT_NE(path.find((*object)->arch()), path.npos) << path;
    const KernelInfo* k = (*object)->find("lds_reverse");
    ASSERT_NE(k, nullptr);
    EXPECT_EQ(k->static_lds, 1024u);
    EXPECT_EQ(k->max_workgroup, 256u);
    EXPECT_EQ(k->wave_size, 32u);
    ASSERT_GE(k->args.size(), 2u);
    EXPECT_EQ(k->args[1].offset, 8u);
    EXPECT_EQ(k->args[1].size, 8u);
    EXPECT_EQ(k->args[1].value_kind, "global_buffer");
    EXPECT_EQ((*object)->find("nothing"), nullptr);
    EXPECT_NE((*object)->text_hash(), 0u);
  }
}

TEST_F(Loader, SaysWhatIsWrong) {
  EXPECT_EQ(refusal({}), "not an ELF file");
  auto bytes = good_;
  bytes[0] = std::byte{'X'};
  EXPECT_EQ(refusal(bytes), "not an ELF file");
  bytes = good_;
  bytes[4] = std::byte{1};  // ELFCLASS32
  EXPECT_THAT(refusal(bytes), testing::HasSubstr("64-bit"));
  bytes = good_;
  bytes[18] = std::byte{62};  // x86-64
  EXPECT_THAT(refusal(bytes), testing::HasSubstr("not an AMDGPU"));
  bytes = good_;
  bytes[48] = std::byte{0x3f};  // e_flags: gfx90a
  EXPECT_THAT(refusal(bytes), testing::HasSubstr("0x3f"));
}

TEST_F(Loader, RefusesWave64) {
  const auto bytes = file_bytes(W4_WAVE64);
  EXPECT_THAT(refusal(bytes), testing::HasSubstr("wave64"));
}

TEST_F(Loader, RefusesEveryTruncation) {
  // The section headers end the file: whatever is cut off, something named by a header is gone.
  for (size_t n = 0; n < good_.size(); n += 64) {
    EXPECT_NE(refusal(std::span(good_).first(n)), "") << n << " of " << good_.size() << " bytes";
  }
}

// Flips bits anywhere, then loads and, if that works, runs every kernel under a small step limit.
TEST_F(Loader, SurvivesBitFlips) {
  std::mt19937 random(5);
  size_t loaded = 0;
  for (int i = 0; i < 200; ++i) {
    auto bytes = good_;
    for (int flips = 1 + i % 3; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= std::byte{1} << (random() % 8);
    auto object = CodeObject::load(bytes);
    if (!object) {
      EXPECT_NE(object.error().text, "");
      continue;
    }
    ++loaded;
    Emulator emulator((*object)->arch());
    for (const KernelInfo& k : (*object)->kernels()) {
      LaunchConfig c = config(1, 32);
      c.step_limit = 300;
      c.confirm = i % 2;
      const std::vector<std::byte> args(std::min<size_t>(k.kernarg_bytes, 48));
      emulator.launch(**object, k.symbol, c, args);
    }
  }
  EXPECT_GT(loaded, 50u);
}

// The same in .text only, where every flip leaves a loadable object with strange instructions.
TEST_F(Loader, StrangeInstructionsNeverCrash) {
  std::mt19937 random(9);
  auto object = CodeObject::load(good_);
  ASSERT_TRUE(object);
  for (int i = 0; i < 100; ++i) {
    auto bytes = good_;
    // .text lies in the middle of these small objects.
    for (int flips = 0; flips < 40; ++flips) {
      bytes[bytes.size() / 4 + random() % (bytes.size() / 2)] ^= std::byte{1} << (random() % 8);
    }
    auto damaged = CodeObject::load(bytes);
    if (!damaged) continue;
    Emulator emulator((*damaged)->arch());
    const Address a = *emulator.memory().allocate({.name = "a", .bytes = 4096, .writable = true});
    std::vector<std::byte> args(48);
    for (size_t o = 0; o < args.size(); o += 8) std::memcpy(&args[o], &a, 8);
    for (const KernelInfo& k : (*damaged)->kernels()) {
      LaunchConfig c = config(1, 64);
      c.step_limit = 500;
      c.checks = i % 3 == 0 ? 0 : kAllChecks;
      emulator.launch(**damaged, k.symbol, c,
                      std::span(args).first(std::min<size_t>(args.size(), k.kernarg_bytes)));
    }
  }
}

}  // namespace
}  // namespace w4::rdna
