// kernels/device_cuda.h without a GPU: its lanes run one after the other, and what PTX defines of a
// warp (mma.m16n8k16's fragments, shfl.sync: PTX ISA, "Warp Level Matrix Instructions" and
// "Data Movement and Conversion Instructions") is written out below.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdint.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace w4::ptx {

// The warp's lane that runs.
uint32_t lane = 0;

// mma.m16n8k16, fragments of one lane: A 16 x 16 in four registers, B 16 x 8 in two, two elements a
// register, the first in the low half; C and D 16 x 8.
struct Operands {
  uint32_t a[4], b[2];
};

// Values that lanes bring to shuffles: first all bring, then all take.
struct Shuffles {
  std::array<std::vector<int>, 32> brought{};
  bool taking = false;
  size_t at = 0;
} shuffles;

int shuffle(int v, uint32_t from, bool valid) {
  if (!shuffles.taking) {
    shuffles.brought[lane].push_back(v);
    return 0;
  }
  return shuffles.brought[valid ? from : lane].at(shuffles.at++);
}

}  // namespace w4::ptx

inline uint32_t __nvvm_read_ptx_sreg_tid_x() { return w4::ptx::lane; }
inline uint32_t __nvvm_read_ptx_sreg_tid_y() { return 0; }
inline uint32_t __nvvm_read_ptx_sreg_ctaid_x() { return 0; }
inline void __syncthreads() {}
inline int __nvvm_shfl_sync_up_i32(uint32_t, int v, int by, int c) {
  const uint32_t segment = static_cast<uint32_t>(c) >> 8 & 31u,
                 clamp = static_cast<uint32_t>(c) & 31u;
  const uint32_t most = (w4::ptx::lane & segment) | (clamp & ~segment);
  const int from = static_cast<int>(w4::ptx::lane) - by;
  return w4::ptx::shuffle(v, static_cast<uint32_t>(from) & 31u, from >= static_cast<int>(most));
}
inline int __nvvm_shfl_sync_bfly_i32(uint32_t, int v, int by, int c) {
  const uint32_t segment = static_cast<uint32_t>(c) >> 8 & 31u,
                 clamp = static_cast<uint32_t>(c) & 31u;
  const uint32_t most = (w4::ptx::lane & segment) | (clamp & ~segment);
  const uint32_t from = w4::ptx::lane ^ static_cast<uint32_t>(by);
  return w4::ptx::shuffle(v, from, from <= most);
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-attributes"
#pragma clang diagnostic ignored "-Wkeyword-macro"
#define __NVPTX__ 1
// In multiply_add(): a, b, c and i are what the instruction is given.
#define asm(...) w4::ptx::mma(#__VA_ARGS__, a, b, c, i)
namespace w4::ptx {
template <class A, class B, class C>
void mma(std::string_view text, const A& a, const B& b, C& c, int product);
}
#include "kernels/device.h"
#undef asm
#pragma clang diagnostic pop

namespace w4::ptx {

template <class T>
float number(uint32_t word, uint32_t half) {
  const auto bits = static_cast<uint16_t>(word >> (16 * half));
  return device::to_float(__builtin_bit_cast(T, bits));
}

std::vector<std::string> between(std::string_view text, std::string_view open) {
  std::vector<std::string> out;
  for (size_t at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
    const std::string_view rest = text.substr(at + open.size());
    out.emplace_back(rest.substr(0, rest.find(')')));
  }
  return out;
}

// Lanes bring their registers, then the one under way gets its part of D.
bool bringing = false;

template <class A, class B, class C>
void mma(std::string_view text, const A& a, const B& b, C& c, int product) {
  const auto in = between(text, "\"r\"("), sums = between(text, "\"+f\"(");
  if (in.size() != 6 || sums.size() != 4) throw std::runtime_error(std::string(text));
  // The text's own order: {0..3} are C and D, {4..7} A, {8,9} B.
  if (!text.contains("{%0,%1,%2,%3}") || !text.contains("{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};")) {
    throw std::runtime_error(std::string(text));
  }
  const auto value = [&](const std::string& name) {
    const auto digit = [](char ch) { return static_cast<size_t>(ch - '0'); };
    if (name.starts_with("b.words[")) return b.words[digit(name[8])];
    if (name.starts_with("a.words[i][")) return a.words[product][digit(name[11])];
    throw std::runtime_error(name);
  };
  Operands mine{};
  for (size_t r = 0; r < 4; ++r) mine.a[r] = value(in[r]);
  for (size_t r = 0; r < 2; ++r) mine.b[r] = value(in[4 + r]);
  static std::array<std::array<Operands, 32>, 2> warp;
  if (bringing) {
    warp[static_cast<size_t>(product)][lane] = mine;
    return;
  }
  const bool half = text.contains(".f32.f16.f16.f32") || text.contains("\"f16\"");
  const auto& all = warp[static_cast<size_t>(product)];
  const auto element = [&](uint32_t word, uint32_t k) {
    return half ? number<device::Half>(word, k % 2) : number<device::Bf16>(word, k % 2);
  };
  for (uint32_t r = 0; r < 4; ++r) {
    // d0,d1: row lane / 4, columns 2 * (lane % 4) + 0, 1; d2,d3: row lane / 4 + 8.
    const uint32_t row = lane / 4 + 8 * (r / 2), column = 2 * (lane % 4) + r % 2;
    float sum = c.of[4 * product + static_cast<int>(r)];
    for (uint32_t k = 0; k < 16; ++k) {
      // a0,a1: row lane / 4, k 2 * (lane % 4) + 0, 1; a2,a3: row + 8; a4,a5: k + 8; a6,a7: both.
      const uint32_t of_a = row % 8 * 4 + k % 8 / 2, of_b = column * 4 + k % 8 / 2;
      sum += element(all[of_a].a[row / 8 + 2 * (k / 8)], k) * element(all[of_b].b[k / 8], k);
    }
    c.of[4 * product + static_cast<int>(r)] = sum;
  }
}

}  // namespace w4::ptx

namespace w4 {
namespace {

// A value for each lane, of what `f` makes of it with the others.
template <class F>
auto by_lane(const F& f) {
  std::array<decltype(f(0u)), 32> out{};
  ptx::shuffles = {};
  for (const bool taking : {false, true}) {
    ptx::shuffles.taking = taking;
    for (ptx::lane = 0; ptx::lane < 32; ++ptx::lane) {
      ptx::shuffles.at = 0;
      out[ptx::lane] = f(ptx::lane);
    }
  }
  return out;
}

TEST(CudaTile, RowsOfSixteenShiftAndSwap) {
  const auto shifted =
      by_lane([](uint32_t l) { return device::row_shift_right<4>(static_cast<float>(l + 1)); });
  const auto swapped = by_lane([](uint32_t l) { return device::swap_rows(static_cast<float>(l)); });
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(shifted[l], l % 16 < 4 ? 0.0f : static_cast<float>(l - 3)) << l;
    EXPECT_EQ(swapped[l], static_cast<float>(l ^ 16)) << l;
  }
}

template <class T>
T of_number(int v) {
  return device::round_to<T>(static_cast<float>(v));
}

// Lines of 16 elements in an array with a pitch, numbers that tell every product from the others.
template <class T>
void elements_lie_where_the_store_takes_them_from() {
  constexpr uint32_t kPitch = 24;
  alignas(16) std::array<T, 16 * kPitch> a{}, b{};
  const auto in_a = [](uint32_t row, uint32_t k) {
    return static_cast<int>((row * 7 + k * 3) % 31) - 15;
  };
  const auto in_b = [](uint32_t column, uint32_t k) {
    return static_cast<int>((column * 5 + k * 11) % 29) - 14;
  };
  for (uint32_t line = 0; line < 16; ++line) {
    for (uint32_t k = 0; k < 16; ++k) {
      a[line * kPitch + k] = of_number<T>(in_a(line, k));
      b[line * kPitch + k] = of_number<T>(in_b(line, k));
    }
  }
  std::array<device::MatrixSum, 32> sums{};
  for (ptx::bringing = true;; ptx::bringing = false) {
    for (ptx::lane = 0; ptx::lane < 32; ++ptx::lane) {
      sums[ptx::lane] = device::multiply_add(device::load_a(a.data(), kPitch),
                                             device::load_b(b.data(), kPitch), {});
    }
    if (!ptx::bringing) break;
  }
  const auto rows = by_lane([&](uint32_t l) { return device::in_rows(sums[l]); });
  std::array<std::array<int, 16>, 16> times{};
  for (ptx::lane = 0; ptx::lane < 32; ++ptx::lane) {
    device::for_each(rows[ptx::lane], [&](uint32_t i, float sum) {
      const uint32_t row = device::matrix_first_row() + device::kMatrixRowStep * i;
      const uint32_t column = device::matrix_column();
      ASSERT_LT(row, 16U);
      ASSERT_LT(column, 16U);
      ++times[row][column];
      int expected = 0;
      for (uint32_t k = 0; k < 16; ++k) expected += in_a(row, k) * in_b(column, k);
      EXPECT_EQ(sum, static_cast<float>(expected)) << "row " << row << " column " << column;
    });
  }
  for (const auto& row : times) EXPECT_THAT(row, ::testing::Each(1));
}

TEST(CudaTile, ElementsLieWhereTheStoreTakesThemFromF16) {
  elements_lie_where_the_store_takes_them_from<device::Half>();
}
TEST(CudaTile, ElementsLieWhereTheStoreTakesThemFromBf16) {
  elements_lie_where_the_store_takes_them_from<device::Bf16>();
}

}  // namespace
}  // namespace w4
