#include "core/layout.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace w4 {
namespace {

// A layout under test, over logical (i, j) in [0,I) x [0,J): its maps and its matrix of words.
struct Layout {
  std::string name;
  Nibble (*at)(int64_t, int64_t);
  std::pair<int64_t, int64_t> (*back)(Nibble);
  std::pair<int64_t, int64_t> (*words)(int64_t, int64_t);  // rows and words per row
};

template <auto F>
Nibble at_nk(int64_t n, int64_t k) {
  return F({n, k});
}
template <auto F>
std::pair<int64_t, int64_t> back_nk(Nibble p) {
  const LogicalNK l = F(p);
  return {l.n, l.k};
}
template <auto F>
std::pair<int64_t, int64_t> back_ng(Nibble p) {
  const LogicalNG l = F(p);
  return {l.n, l.g};
}
using Shape = std::pair<int64_t, int64_t>;
Shape row_of_j(int64_t i, int64_t j) { return {i, j / 8}; }
Shape row_of_i(int64_t i, int64_t j) { return {j, i / 8}; }
Shape packed_rows_j(int64_t i, int64_t j) { return {j / 8, i}; }
Shape packed_rows_i(int64_t i, int64_t j) { return {i / 8, j}; }

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"wei_shuffled", at_nk<wei_shuffled>, back_nk<wei_shuffled_inverse>, row_of_j},
      {"wei_sequential", at_nk<wei_sequential>, back_nk<wei_sequential_inverse>, row_of_j},
      {"wei_awq", at_nk<wei_awq>, back_nk<wei_awq_inverse>, row_of_i},
      {"wei_gptq", at_nk<wei_gptq>, back_nk<wei_gptq_inverse>, packed_rows_j},
      {"zp_packed", at_nk<zp_packed>, back_ng<zp_packed_inverse>, packed_rows_i},
      {"zp_awq", at_nk<zp_awq>, back_ng<zp_awq_inverse>, row_of_i},
      {"zp_gptq", at_nk<zp_gptq>, back_ng<zp_gptq_inverse>, row_of_i}};
  return all;
}

class LayoutLaw : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(All, LayoutLaw, testing::ValuesIn(layouts()),
                         [](const auto& i) { return i.param.name; });

TEST_P(LayoutLaw, IsABijectionOntoTheWordsWithItsInverse) {
  const Layout& layout = GetParam();
  for (const auto& [rows, cols] : {Shape{8, 8}, Shape{16, 64}, Shape{24, 40}, Shape{64, 8}}) {
    const auto [word_rows, word_cols] = layout.words(rows, cols);
    std::set<std::tuple<int64_t, int64_t, int>> used;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        const Nibble p = layout.at(i, j);
        ASSERT_TRUE(p.row >= 0 && p.row < word_rows && p.col >= 0 && p.col < word_cols &&
                    p.nibble >= 0 && p.nibble < 8)
            << i << "," << j;
        ASSERT_TRUE(used.emplace(p.row, p.col, p.nibble).second) << i << "," << j;
        ASSERT_EQ(layout.back(p), Shape(i, j));
      }
    }
    ASSERT_EQ(static_cast<int64_t>(used.size()), word_rows * word_cols * 8);
  }
}

// Values 0..7 at k0..k7 (contract.md 2).
TEST(Layout, TestVectorOfTheContract) {
  uint32_t shuffled[2] = {}, sequential[2] = {};
  for (int64_t k = 0; k < 8; ++k) {
    set_nibble(shuffled, 2, wei_shuffled({0, 8 + k}), static_cast<uint32_t>(k));
    set_nibble(sequential, 2, wei_sequential({0, 8 + k}), static_cast<uint32_t>(k));
  }
  EXPECT_EQ(shuffled[0], 0u);
  EXPECT_EQ(shuffled[1], 0x75316420u);
  EXPECT_EQ(sequential[1], 0x76543210u);
}

TEST(Layout, ShuffledShiftIsTheFormulaOfTheContract) {
  for (int j = 0; j < 8; ++j) {
    EXPECT_EQ(4 * wei_shuffled({3, j}).nibble, 4 * (j / 2) + 16 * (j % 2));
  }
}

TEST(Layout, PairsOfTheShuffledWordAreEvenLowOddHigh) {
  uint32_t word = 0;
  for (int64_t k = 0; k < 8; ++k) {
    set_nibble(&word, 1, wei_shuffled({0, k}), static_cast<uint32_t>(k + 5));
  }
  for (uint32_t p = 0; p < 4; ++p) {
    EXPECT_EQ(word >> 4 * p & 0x000F000Fu, (2 * p + 5) | (2 * p + 6) << 16);
  }
}

TEST(Layout, AwqSlotHoldsTheContractsOrderNotItsInverse) {
  constexpr int kOrder[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  constexpr int kWrong[8] = {0, 4, 1, 5, 2, 6, 3, 7};  // published, and wrong
  int differ = 0;
  for (int slot = 0; slot < 8; ++slot) {
    EXPECT_EQ(wei_awq_inverse({5, 2, slot}), (LogicalNK{16 + kOrder[slot], 5}));
    EXPECT_EQ(zp_awq_inverse({5, 2, slot}), (LogicalNG{16 + kOrder[slot], 5}));
    differ += wei_awq_inverse({5, 2, slot}).n != 16 + kWrong[slot];
  }
  EXPECT_EQ(differ, 6);
}

TEST(Layout, PackedAxes) {
  EXPECT_EQ(zp_packed({21, 3}), (Nibble{2, 3, 5}));  // word [n div 8, g], bits 4*(n mod 8)
  EXPECT_EQ(zp_gptq({21, 3}), (Nibble{3, 2, 5}));
  EXPECT_EQ(wei_gptq({21, 11}), (Nibble{1, 21, 3}));
  EXPECT_EQ(wei_sequential({21, 11}), (Nibble{21, 1, 3}));
}

TEST(Layout, NibblesAreWrittenAlone) {
  std::vector<uint32_t> words(6, 0xFFFFFFFFu);
  set_nibble(words.data(), 3, {1, 2, 7}, 0);
  EXPECT_EQ(words[5], 0x0FFFFFFFu);
  set_nibble(words.data(), 3, {1, 2, 1}, 0);
  set_nibble(words.data(), 3, {1, 2, 0}, 0x1F);  // only the low four bits of a code count
  EXPECT_EQ(words[5], 0x0FFFFF0Fu);
  set_nibble(words.data(), 3, {1, 2, 0}, 9);
  EXPECT_EQ(words[5], 0x0FFFFF09u);
  EXPECT_EQ(get_nibble(words.data(), 3, {1, 2, 0}), 9u);
  EXPECT_EQ(get_nibble(words.data(), 3, {1, 2, 7}), 0u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(words[static_cast<size_t>(i)], 0xFFFFFFFFu);
}

}  // namespace
}  // namespace w4
