// A folder for stores that goes with the test, and cases to file in them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/store.h"

namespace w4::testing {

// A new folder, in memory where the machine has such a place: no test is to wait for a disk.
inline std::filesystem::path new_folder() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code ec;
  const bool there = std::filesystem::is_directory(memory, ec) && access(memory.c_str(), W_OK) == 0;
  std::string pattern =
      ((there ? memory : std::filesystem::temp_directory_path()) / "w4storeXXXXXX").string();
  return mkdtemp(pattern.data()) == nullptr ? "" : pattern;
}

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = new_folder();
    ASSERT_FALSE(dir_.empty());
    path_ = dir_ / "runs.db";
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  static std::string bytes(const std::filesystem::path& p) {
    std::ifstream in(p, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  // Opening must fail with `word` in its message and leave the file as it was.
  void refuses(const std::string& content, std::string_view word) {
    std::ofstream(path_, std::ios::binary) << content;
    for (const auto mode : {Store::Mode::read, Store::Mode::write}) {
      const auto store = Store::open(path_.string(), mode);
      ASSERT_FALSE(store);
      EXPECT_NE(store.error().text.find(word), std::string::npos) << store.error().text;
      EXPECT_NE(store.error().text.find(path_.string()), std::string::npos);
      EXPECT_EQ(bytes(path_), content);
    }
  }
  Store fresh() { return std::move(*Store::open(path_.string(), Store::Mode::write)); }

  std::filesystem::path dir_, path_;
};

inline Provenance ran_by(std::string build) {
  Provenance ran;
  ran.build_id = std::move(build);
  ran.object_hash = "00ff";
  ran.fp = "ieee";
  ran.instantiation = "medium y4";
  ran.wave_instructions = 100;
  ran.seconds = 0.25;
  return ran;
}

// Of build b1, on decode and gfx1151.
inline CampaignCase campaign_case(std::string source, int64_t number, Outcome o,
                                  std::vector<SeenBehaviour> behaviours = {}) {
  const std::string line = "decode m=" + std::to_string(number) + " seed=" + source;
  return {
      number,     source,
      number + 1, {source, "decode", "gfx1151", make_verdict(line, {std::move(o)}, ran_by("b1"))},
      false,      std::move(behaviours)};
}

inline Mismatch mismatch(std::string pattern) {
  Mismatch m;
  m.count = 3, m.total = 64;
  m.pattern = std::move(pattern);
  return m;
}

}  // namespace w4::testing
