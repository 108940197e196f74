#include "fuzz/data.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/options.h"

namespace w4::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> out(text.size());
  if (!text.empty()) std::memcpy(out.data(), text.data(), text.size());
  return out;
}

}  // namespace

std::vector<std::byte> read_data(std::string_view path) {
  std::vector<std::byte> out = read(path);
  if (!out.empty()) return out;
  std::error_code error;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", error).parent_path() / "data" / fs::path(path).filename();
  out = read(beside);
  if (!out.empty()) return out;
  std::fprintf(stderr, "w4fuzz: neither %s nor %s can be read\n", std::string(path).c_str(),
               beside.c_str());
  std::exit(kUsage);
}

}  // namespace w4::fuzz
