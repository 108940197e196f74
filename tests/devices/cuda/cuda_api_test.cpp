// open_cuda() on the library that stands in for NVIDIA's driver.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "devices/gpu_api.h"
#include "tests/devices/cuda/fake_cuda.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<GpuApi> open_fake(const char* words = "") {
  setenv("W4_FAKE_CUDA", words, 1);
  auto api = open_cuda(W4_FAKE_CUDA_LIBRARY);
  EXPECT_TRUE(api) << api.error().text;
  return api ? std::move(*api) : nullptr;
}

FakeCudaCounts counts() {
  void* const handle = dlopen(W4_FAKE_CUDA_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  const auto f = reinterpret_cast<FakeCudaCountsOf>(dlsym(handle, "fake_cuda_counts"));
  FakeCudaCounts c;
  f(&c);
  return c;
}

std::string kernel(std::string_view name, std::string_view parameters, std::string_view body = "") {
  return fmt::format(".visible .entry {}(\n{}\n)\n{{\n{}\n\tret;\n}}\n", name, parameters, body);
}
const std::string kHead = ".version 7.0\n.target sm_80\n.address_size 64\n";
const std::string kCode =
    kHead +
    kernel("fake_say", "\t.param .u64 out,\n\t.param .u32 a,\n\t.param .u64 b,\n\t.param .u16 c",
           "\t// w4.shared 50000") +
    kernel("fake_read", "\t.param .u64 at") + kernel("fake_trap", "\t.param .u64 at");

std::unique_ptr<GpuCode> load(GpuApi& api, const std::string& text) {
  auto code = api.load(std::as_bytes(std::span(text)));
  EXPECT_TRUE(code) << code.error().text;
  return code ? std::move(*code) : nullptr;
}

template <size_t n>
w4_launch launch_of(const char* symbol, const std::array<uint64_t, n>& args, size_t bytes) {
  w4_launch l{};
  l.symbol = symbol;
  l.grid[0] = 3, l.grid[1] = l.grid[2] = 1;
  l.block[0] = 32, l.block[1] = 4, l.block[2] = 1;
  l.args = args.data();
  l.arg_bytes = bytes;
  return l;
}

GpuLaunch read_byte(GpuApi& api, GpuCode& code, uint64_t at) {
  const std::array<uint64_t, 1> args{at};
  return api.launch(code, launch_of("fake_read", args, 8));
}

TEST(CudaApi, SaysWhatTheGpuIs) {
  const auto api = open_fake();
  ASSERT_NE(api, nullptr);
  const GpuFacts& f = api->facts();
  EXPECT_EQ(f.name, "Fake GPU");
  EXPECT_EQ(f.arch, "cuda");
  EXPECT_THAT(f.driver, AllOf(HasSubstr("CUDA 13.0"), HasSubstr("compute capability 9.0")));
  EXPECT_EQ(f.wave, 32);
  EXPECT_EQ(f.multiprocessors, 8);
  EXPECT_EQ(f.lds_per_block, 227 * 1024);
  EXPECT_EQ(f.max_threads_per_block, 1024);
}

TEST(CudaApi, WithoutADriverOrAGpuThatWillDoItSaysSo) {
  EXPECT_THAT(open_cuda("/nowhere/libcuda.so.1").error().text,
              AllOf(HasSubstr("NVIDIA driver"), HasSubstr("/nowhere/libcuda.so.1")));
  // A library that is no driver.
  EXPECT_THAT(open_cuda("libdl.so.2").error().text, HasSubstr("cuInit"));
  setenv("W4_FAKE_CUDA", "no_gpu", 1);
  EXPECT_THAT(open_cuda(W4_FAKE_CUDA_LIBRARY).error().text, HasSubstr("CUDA_ERROR_NO_DEVICE"));
  setenv("W4_FAKE_CUDA", "old", 1);
  EXPECT_THAT(open_cuda(W4_FAKE_CUDA_LIBRARY).error().text,
              AllOf(HasSubstr("compute capability 7.5"), HasSubstr("needed: 8.0")));
}

TEST(CudaApi, MemoryIsReadAsItWasWritten) {
  const auto api = open_fake();
  for (const bool guarded : {false, true}) {
    const auto room = api->reserve(5000, guarded);
    ASSERT_TRUE(room) << room.error().text;
    EXPECT_GE(room->bytes, 5000U);
    EXPECT_EQ(room->begin % 256, 0U);
    EXPECT_EQ(room->traps_before, guarded);
    EXPECT_EQ(room->traps_after, guarded);
    std::vector<std::byte> in(room->bytes), out(room->bytes);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i * 7);
    ASSERT_TRUE(api->write(room->begin, in));
    ASSERT_TRUE(api->copy(room->begin + 1024, room->begin, 512));
    ASSERT_TRUE(api->fill(room->begin + 16, std::array{std::byte{1}, std::byte{2}}, 6));
    ASSERT_TRUE(api->fill(room->begin + 32,
                          std::array{std::byte{3}, std::byte{4}, std::byte{5}, std::byte{6}}, 8));
    ASSERT_TRUE(api->fill(room->begin + 64, std::array{std::byte{9}}, 3));
    ASSERT_TRUE(api->read(room->begin, out));
    std::copy_n(in.begin(), 512, in.begin() + 1024);
    const uint8_t two[] = {1, 2, 1, 2, 1, 2}, four[] = {3, 4, 5, 6, 3, 4, 5, 6}, one[] = {9, 9, 9};
    std::memcpy(&in[16], two, sizeof(two));
    std::memcpy(&in[32], four, sizeof(four));
    std::memcpy(&in[64], one, sizeof(one));
    EXPECT_EQ(in, out);
    // Not the GPU's memory: refused, and no fault.
    EXPECT_FALSE(api->read(room->begin + room->bytes - 4, std::span(out).first(8)));
    EXPECT_FALSE(api->lost());
    api->give_back(*room);
  }
  EXPECT_EQ(counts().allocations, 0U);
  EXPECT_EQ(counts().reservations, 0U);
  EXPECT_EQ(counts().handles, 0U);
  EXPECT_EQ(counts().mappings, 0U);
}

TEST(CudaApi, ReadsOfSeveralPiecesWaitOnce) {
  for (const char* words : {"", "no_stage"}) {
    const auto api = open_fake(words);
    constexpr size_t kBig = size_t{3} << 20;  // does not go through the stage
    const auto room = api->reserve(kBig, true);
    ASSERT_TRUE(room) << room.error().text;
    std::vector<std::byte> in(kBig), out(kBig), parts(kBig);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i * 7 + i / 251);
    ASSERT_TRUE(api->write(room->begin, std::span(in).first(1000)));
    ASSERT_TRUE(api->write(room->begin + 1000, std::span(in).subspan(1000, 1999)));
    ASSERT_TRUE(api->write(room->begin, in));
    ASSERT_TRUE(api->read(room->begin, out));
    EXPECT_EQ(in, out);
    const uint64_t before = counts().waits;
    const GpuRead few[] = {{room->begin + 5, std::span(parts).subspan(5, 100)},
                           {room->begin, {}},
                           {room->begin + 777, std::span(parts).subspan(777, 1001)}};
    ASSERT_TRUE(api->read_each(few));
    EXPECT_TRUE(std::equal(&in[5], &in[105], &parts[5]));
    EXPECT_TRUE(std::equal(&in[777], &in[1778], &parts[777]));
    EXPECT_EQ(counts().waits - before, *words == 0 ? 1U : 0U);
    // More than the stage holds at once, and one that is too large for it.
    std::vector<GpuRead> many{{room->begin, std::span(out)}};
    std::vector<std::vector<std::byte>> to(9, std::vector<std::byte>(1 << 20));
    for (size_t i = 0; i < to.size(); ++i) many.push_back({room->begin + i, std::span(to[i])});
    std::ranges::fill(out, std::byte{});
    ASSERT_TRUE(api->read_each(many));
    EXPECT_EQ(in, out);
    for (size_t i = 0; i < to.size(); ++i) {
      EXPECT_TRUE(std::equal(to[i].begin(), to[i].end(), &in[i])) << i;
    }
  }
}

TEST(CudaApi, WithoutVirtualMemoryManagementRoomsDoNotTrapAndFactsSaySo) {
  const auto api = open_fake("no_vmm");
  EXPECT_THAT(api->facts().driver, HasSubstr("buffers are not guarded"));
  const auto room = api->reserve(100, true);
  ASSERT_TRUE(room) << room.error().text;
  EXPECT_FALSE(room->traps_before);
  EXPECT_FALSE(room->traps_after);
}

TEST(CudaApi, ArgumentsArriveAtTheirAlignmentWithSharedMemoryOfTheKernelAndTheLaunch) {
  const auto api = open_fake();
  const auto code = load(*api, kCode);
  const auto room = api->reserve(64, false);
  ASSERT_TRUE(room);
  const std::array<uint64_t, 4> args{room->begin, 0xabcdef01, 0x1122334455667788, 0x55aa};
  w4_launch l = launch_of("fake_say", args, 32);  // with a pad of 6 at the end
  l.dynamic_lds = 8;
  const GpuLaunch done = api->launch(*code, l, 5);
  ASSERT_EQ(done.end, GpuLaunch::End::completed) << done.why;
  EXPECT_GE(done.seconds, 0);
  EXPECT_EQ(counts().launches, 5U);
  std::array<uint32_t, 4> said{};
  std::array<std::byte, 26> arrived{};
  ASSERT_TRUE(api->read(room->begin, std::as_writable_bytes(std::span(said))));
  ASSERT_TRUE(api->read(room->begin + sizeof(said), arrived));
  EXPECT_THAT(said, ::testing::ElementsAre(128, 3, 50008, 26));
  EXPECT_EQ(std::memcmp(arrived.data(), args.data(), 26), 0);
}

TEST(CudaApi, EachKernelIsTranslatedAloneAndOnce) {
  const auto api = open_fake();
  const auto code = load(*api, kCode);
  const auto room = api->reserve(64, false);
  const uint64_t before = counts().images;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(read_byte(*api, *code, room->begin).end, GpuLaunch::End::completed);
  }
  EXPECT_EQ(counts().images, before + 1);
  EXPECT_EQ(counts().kernels_in_last, 1U);
  // One that needs its neighbours: all of it, once.
  const auto whole = load(*api, kCode + ".func helper()\n{\n}\n");
  const std::array<uint64_t, 4> args{room->begin, 0, 0, 0};
  ASSERT_EQ(read_byte(*api, *whole, room->begin).end, GpuLaunch::End::completed);
  ASSERT_EQ(api->launch(*whole, launch_of("fake_say", args, 26)).end, GpuLaunch::End::completed);
  EXPECT_EQ(counts().images, before + 2);
  EXPECT_EQ(counts().kernels_in_last, 3U);
}

TEST(CudaApi, MachineCodeIsLoadedAsItIs) {
  const auto api = open_fake();
  const auto code = load(*api,
                         "\x7f"
                         "ELF .entry fake_read .entry fake_say\n");
  const auto room = api->reserve(64, false);
  EXPECT_EQ(read_byte(*api, *code, room->begin).end, GpuLaunch::End::completed);
  EXPECT_EQ(counts().kernels_in_last, 2U);
}

TEST(CudaApi, WhatCannotRunIsRefusedWithItsReason) {
  const auto api = open_fake();
  const auto code = load(*api, kCode);
  const auto room = api->reserve(64, false);
  const std::array<uint64_t, 4> args{room->begin, 0, 0, 0};
  const auto why = [&](const w4_launch& l) {
    const GpuLaunch r = api->launch(*code, l);
    EXPECT_EQ(r.end, GpuLaunch::End::refused);
    return r.why;
  };
  w4_launch l = launch_of("fake_say", args, 24);
  EXPECT_THAT(why(l), HasSubstr("fake_say takes 26 bytes of arguments, the launch has 24"));
  l = launch_of("fake_say", args, 26);
  l.block[2] = 9;
  EXPECT_THAT(why(l), HasSubstr("a block of 32 x 4 x 9 threads; legal on Fake GPU: 1 to 1024"));
  l = launch_of("fake_say", args, 26);
  l.grid[0] = 0;
  EXPECT_THAT(why(l), HasSubstr("a grid of 0 x 1 x 1 blocks"));
  l = launch_of("fake_say", args, 26);
  l.dynamic_lds = 200'000;
  EXPECT_THAT(why(l), HasSubstr("fake_say wants 250000 bytes of shared memory"));
  EXPECT_THAT(why(launch_of("nobody", args, 8)), HasSubstr("no kernel nobody in the code"));
  EXPECT_FALSE(api->lost());
  const std::string no_text = "no PTX";
  EXPECT_THAT(api->load(std::as_bytes(std::span(no_text))).error().text, HasSubstr("no kernel"));
}

TEST(CudaApi, WhatTheTranslatorSaysIsInTheReason) {
  const auto api = open_fake();
  const auto code =
      load(*api, kHead + kernel("fake_read", "\t.param .u64 at", "\tnot_an_instruction;"));
  const auto room = api->reserve(64, false);
  const GpuLaunch r = read_byte(*api, *code, room->begin);
  EXPECT_EQ(r.end, GpuLaunch::End::refused);
  EXPECT_THAT(r.why, AllOf(HasSubstr("fake_read"), HasSubstr("CUDA_ERROR_INVALID_PTX (218)"),
                           HasSubstr("Parsing error near 'not_an_instruction'")));
  EXPECT_FALSE(api->lost());
}

// What follows ends as the process does that had the fault.
[[noreturn]] void end_with(bool as_expected) { std::_Exit(as_expected ? 0 : 1); }

[[noreturn]] void reads_beside_a_guarded_room(bool after) {
  const auto api = open_fake();
  const auto code = load(*api, kCode);
  const auto room = *api->reserve(100, true);
  const uint64_t last = room.begin + room.bytes - 1;
  bool ok = read_byte(*api, *code, room.begin).end == GpuLaunch::End::completed;
  ok = ok && read_byte(*api, *code, last).end == GpuLaunch::End::completed;
  const GpuLaunch r = read_byte(*api, *code, after ? last + 1 : room.begin - 1);
  ok = ok && r.end == GpuLaunch::End::fault && api->lost() &&
       r.why.contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
  std::byte b{};
  ok = ok && !api->read(room.begin, {&b, 1}) && !api->reserve(1, false);
  end_with(ok && read_byte(*api, *code, room.begin).end == GpuLaunch::End::fault);
}

[[noreturn]] void traps() {
  const auto api = open_fake();
  const auto code = load(*api, kCode);
  const auto room = *api->reserve(100, false);
  // Ordinary memory has neighbours.
  const bool ok = read_byte(*api, *code, room.begin + room.bytes).end == GpuLaunch::End::completed;
  const std::array<uint64_t, 1> args{0};
  const GpuLaunch r = api->launch(*code, launch_of("fake_trap", args, 8));
  end_with(ok && r.end == GpuLaunch::End::fault && api->lost());
}

TEST(CudaApiDeathTest, BytesBesideGuardedRoomsFaultAndTheDriverIsLost) {
  EXPECT_EXIT(reads_beside_a_guarded_room(true), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(reads_beside_a_guarded_room(false), ::testing::ExitedWithCode(0), "");
}

TEST(CudaApiDeathTest, ATrapIsAFaultToo) { EXPECT_EXIT(traps(), ::testing::ExitedWithCode(0), ""); }

}  // namespace
}  // namespace w4
