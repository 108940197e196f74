// The example manifest and edits of it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace w4::test {

inline const std::string kTritonFolder = W4_TRITON;

inline std::string triton_manifest() {
  std::ifstream in(kTritonFolder + "/w4a16.json");
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first `from` replaced; it must be there.
inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A folder of its own with the manifest in it; objects are named by absolute path.
inline std::string write_manifest(const std::string& name, std::string text) {
  for (const char* arch : {"gfx1151", "gfx1201"}) {
    const std::string file = std::string("\"w4a16_") + arch + ".hsaco\"";
    if (text.find(file) == std::string::npos) continue;
    text = changed(text, file, "\"" + kTritonFolder + file.substr(1).insert(0, "/"));
  }
  const std::string path = testing::TempDir() + "/" + name + ".json";
  std::ofstream(path) << text;
  return path;
}

}  // namespace w4::test
