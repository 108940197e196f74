// Seeds of `case_line` reach what their names say: each word of the grammar, each way to be
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "core/case.h"
#include "core/case_text.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

// What a line and a file of these bytes are told; empty: they parse.
struct Told {
  std::string_view line, file;
};
const std::map<std::string, Told> kSeeds{
    {"bias_of_three", {"column 8: bias='1x2x3'", ":1: column 8: bias='1x2x3'"}},
    {"bytes_past_ascii", {}},
    {"checks_twice", {"checks='all+bounds'", "checks='all+bounds'"}},
    {"control_character", {"column 11: control character", ":1: column 11: control character"}},
    {"defaults_spelled_out", {}},
    {"empty", {"column 1: empty case line", "no case line in it"}},
    {"every_other_key", {}},
    {"every_problem_key", {}},
    {"file_of_comments", {"column 9: control character", "no case line in it"}},
    {"file_of_three", {"control character", ""}},
    {"file_with_nul", {"control character", ":2: column 3: NUL byte"}},
    {"given_twice", {"column 12: key 'm' is given twice", "given twice"}},
    {"kernel_in_capitals", {"starts with the kernel's name", "starts with the kernel's name"}},
    {"long_value", {"111...' is not legal", "111...' is not legal"}},
    {"module_of_nothing", {"module='' is not legal", "module='' is not legal"}},
    {"mutation_without_pc", {"mutate: 'f:offset'", "mutate: 'f:offset'"}},
    {"no_equals", {"'m5' has no '='", "'m5' has no '='"}},
    {"number_past_64_bits", {"m='9223372036854775808'", "m='9223372036854775808'"}},
    {"number_with_a_plus", {"m='+1' is not legal", "m='+1' is not legal"}},
    {"numbers_at_the_ends", {}},
    {"only_backwards", {"only='m5..4'", "only='m5..4'"}},
    {"plain", {}},
    {"schedule_of_no_turn", {"sched='rr:0'", "sched='rr:0'"}},
    {"tile_cut", {"tile='y2u4a16w'", "tile='y2u4a16w'"}},
    {"tile_of_the_prefill", {}},
    {"unknown_key_far_from_all", {"unknown key 'QQQQ'; legal", "unknown key 'QQQQ'; legal"}},
    {"unknown_key_with_a_nearest", {"the nearest is 'device'", "the nearest is 'device'"}},
    {"value_of_no_list", {"zp='8' is not legal", "zp='8' is not legal"}},
};

std::string text_of(const std::string& name) {
  std::ifstream in(fs::path(W4_CORPUS) / "case_line" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(CaseLineSeeds, ReachWhatTheirNamesSay) {
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(W4_CORPUS) / "case_line")) {
    const std::string name = entry.path().filename();
    SCOPED_TRACE(name);
    ++files;
    const auto told = kSeeds.find(name);
    ASSERT_NE(told, kSeeds.end());
    const auto line = parse_case(text_of(name));
    EXPECT_EQ(line.has_value(), told->second.line.empty());
    if (!line) EXPECT_THAT(line.error().text, testing::HasSubstr(told->second.line));
    const auto file = parse_cases(text_of(name), "f");
    EXPECT_EQ(file.has_value(), told->second.file.empty());
    if (!file) EXPECT_THAT(file.error().text, testing::HasSubstr(told->second.file));
  }
  EXPECT_EQ(files, kSeeds.size());
}

// The two seeds that say so give every key together.
TEST(CaseLineSeeds, GiveEveryKey) {
  const std::string words = text_of("every_problem_key") + text_of("every_other_key");
  for (const KeyHelp& k : case_keys()) {
    EXPECT_THAT(words, testing::HasSubstr(" " + std::string(k.key) + "=")) << k.key;
  }
  EXPECT_EQ(parse_cases(text_of("file_of_three"), "f")->size(), 3u);
}

}  // namespace
}  // namespace w4
