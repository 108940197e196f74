// w4fuzz without an engine: runs a target on files and on the files of folders.
//   w4fuzz --target decode fuzz/corpus/decode
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/options.h"

namespace {

namespace fs = std::filesystem;

w4::Result<std::vector<fs::path>> files_of(const std::vector<std::string>& words) {
  std::vector<fs::path> out;
  for (const std::string& word : words) {
    std::error_code error;
    if (fs::is_directory(word, error)) {
      for (const auto& entry : fs::directory_iterator(word)) {
        if (entry.is_regular_file()) out.push_back(entry.path());
      }
    } else if (fs::is_regular_file(word, error)) {
      out.emplace_back(word);
    } else {
      return w4::fail("'{}' is neither a file nor a folder", word);
    }
  }
  std::sort(out.begin(), out.end());
  if (out.empty()) return w4::fail("nothing to replay; legal: files, folders with files in them");
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = w4::fuzz::parse_options(argc, argv);
  if (!options) {
    std::fprintf(stderr, "w4fuzz: %s\n", options.error().text.c_str());
    return 2;
  }
  if (options->list) {
    std::fputs(w4::fuzz::list_targets().c_str(), stdout);
    return 0;
  }
  const auto files = files_of(options->rest);
  if (!files) {
    std::fprintf(stderr, "w4fuzz: %s\n", files.error().text.c_str());
    return 2;
  }
  for (const fs::path& path : *files) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    options->target(bytes);
  }
  fmt::print("{}: {} files, all pass\n", options->name, files->size());
  return 0;
}
