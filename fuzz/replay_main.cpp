// w4fuzz without an engine: runs a target on files and on the files of folders.
//   w4replay --target decode fuzz/corpus/decode
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/cases.h"
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

fs::path running;

// After what the target says of a failure.
extern "C" void name_the_file(int) {
  std::fprintf(stderr, "input: %s\n", running.c_str());
  std::_Exit(w4::fuzz::kRed);
}

w4::Result<size_t> replay(const w4::fuzz::Options& o) {
  if (o.unguided) return w4::fail("--unguided is w4fuzz's: this program replays files");
  if (auto used = w4::fuzz::use(o.module, o.devices); !used) return std::unexpected(used.error());
  const auto files = files_of(o.rest);
  if (!files) return std::unexpected(files.error());
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, name_the_file);
  for (const fs::path& path : *files) {
    running = path;
    std::ifstream in(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    o.target.run(bytes);
  }
  return files->size();
}

int stop(const w4::Error& error) {
  std::fprintf(stderr, "w4replay: %s\n", error.text.c_str());
  return w4::fuzz::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const auto options = w4::fuzz::parse_options(words);
  if (!options) return stop(options.error());
  if (options->list || options->help) {
    std::fputs(options->list ? w4::fuzz::list_targets().c_str() : w4::fuzz::usage(false).c_str(),
               stdout);
    return 0;
  }
  const auto files = replay(*options);
  if (!files) return stop(files.error());
  fmt::print("{}: {} files, all as wanted\n", options->target.name, *files);
  return 0;
}
