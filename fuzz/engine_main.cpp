// w4fuzz under libFuzzer: takes its own options out of the command line, the engine has the rest.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fuzz/options.h"

namespace {
w4::fuzz::Target chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static auto options = w4::fuzz::parse_options(*argc, *argv);
  if (!options) {
    std::fprintf(stderr, "w4fuzz: %s\n", options.error().text.c_str());
    std::exit(2);
  }
  if (options->list) {
    std::fputs(w4::fuzz::list_targets().c_str(), stdout);
    std::exit(0);
  }
  chosen = options->target;
  static std::vector<char*> kept{(*argv)[0]};
  for (std::string& word : options->rest) kept.push_back(word.data());
  *argc = static_cast<int>(kept.size());
  kept.push_back(nullptr);
  *argv = kept.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen({data, size});
  return 0;
}
