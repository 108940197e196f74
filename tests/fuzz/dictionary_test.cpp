// fuzz/case.dict has the words of the case grammar: all of them, and no other.
#include "fuzz/dictionary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "core/case.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

std::string committed() {
  std::ifstream in(W4_CASE_DICT, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The quoted words; lines of another form fail.
std::set<std::string> words() {
  std::set<std::string> out;
  std::istringstream in(committed());
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    EXPECT_TRUE(line.size() > 2 && line.front() == '"' && line.back() == '"') << line;
    const std::string word = line.substr(1, line.size() - 2);
    EXPECT_EQ(word.find_first_of("\"\\"), std::string::npos) << line;
    EXPECT_TRUE(out.insert(word).second) << "twice: " << line;
  }
  return out;
}

TEST(Dictionary, IsWhatTheGrammarSays) {
  const std::string text = fuzz::case_dictionary();
  if (committed() == text) return;
  std::ofstream(W4_CASE_DICT_NOW, std::ios::binary) << text;
  FAIL() << W4_CASE_DICT << " differs from case_dictionary(), which is now in " << W4_CASE_DICT_NOW;
}

TEST(Dictionary, HasWordsThatParse) {
  std::set<std::string> keys;
  for (const std::string& word : words()) {
    if (word.front() != ' ') {
      EXPECT_TRUE(parse_case(word)) << word;
    } else if (word.back() == '=') {
      keys.insert(word.substr(1, word.size() - 2));
    } else {
      const auto c = parse_case("decode" + word);
      EXPECT_TRUE(c) << c.error().text;
    }
  }
  std::set<std::string> legal;
  for (const KeyHelp& k : case_keys()) legal.emplace(k.key);
  EXPECT_EQ(keys, legal);
}

// The members of the enumerations themselves, not what help says of them.
TEST(Dictionary, HasEveryValueOfTheEnumerations) {
  const std::set<std::string> all = words();
  const auto has = [&all](std::string_view key, std::string_view value) {
    EXPECT_TRUE(all.contains(fmt::format(" {}={}", key, value))) << key << "=" << value;
  };
  for (int i = 0; i <= static_cast<int>(ZpMode::unpacked); ++i) has("zp", name_of(ZpMode(i)));
  for (int i = 0; i <= static_cast<int>(Source::gptq2); ++i) has("src", name_of(Source(i)));
  for (int i = 0; i <= static_cast<int>(Padding::v3); ++i) has("pad", name_of(Padding(i)));
  for (int i = 0; i <= static_cast<int>(GroupIndex::act); ++i) has("gidx", name_of(GroupIndex(i)));
  for (int i = 0; i <= static_cast<int>(Routing::outside); ++i) has("route", name_of(Routing(i)));
  for (int i = 0; i <= static_cast<int>(Rows::contiguous); ++i) has("rows", name_of(Rows(i)));
  for (int i = 0; i <= static_cast<int>(DType::i64); ++i) {
    for (const char* key : {"act", "sdt", "zdt", "bdt", "idt"}) has(key, name_of(DType(i)));
  }
  for (const Fill f : all_fills()) has("fill", name_of(f));
  for (const Law l : all_laws()) has("law", name_of(l));
  for (const GpuModel& gpu : gpu_models()) has("device", gpu.arch);
  for (const std::string_view row : generated_rows()) EXPECT_TRUE(all.contains(std::string(row)));
}

}  // namespace
}  // namespace w4
