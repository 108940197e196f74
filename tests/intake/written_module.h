// Manifests that tests write beside objects, and cases on them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "verify/run_case.h"

namespace w4::test {

// A folder of its own below the tests' temporary one.
class WrittenModule {
 public:
  explicit WrittenModule(const std::string& name)
      : folder_(std::filesystem::path(testing::TempDir()) /
                (name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~WrittenModule() { std::filesystem::remove_all(folder_); }
  WrittenModule(const WrittenModule&) = delete;

  void object(const std::string& file, std::span<const unsigned char> bytes) const {
    std::ofstream(folder_ / file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::string manifest(const std::string& text, const std::string& file = "a.json") const {
    std::ofstream(folder_ / file) << text;
    return (folder_ / file).string();
  }

 private:
  std::filesystem::path folder_;
};

inline Verdict run_line(Context& context, const std::string& line, const std::string& module) {
  const auto c = parse_case(line + " module=" + module);
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return c ? run_case(*c, context) : Verdict{};
}

}  // namespace w4::test
