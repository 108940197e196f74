// w4_report_store KIND FILE: makes the store FILE anew.
#include <filesystem>
#include <map>
#include <string_view>

#include "stores/stores.h"

int main(int argc, char** argv) {
  using namespace w4::testing;
  static const std::map<std::string_view, void (*)(const std::string&)> kKinds = {
      {"unfinished", unfinished_store},
      {"empty", empty_store},
      {"hostile", hostile_store},
      {"large", large_store}};
  const auto kind = argc == 3 ? kKinds.find(argv[1]) : kKinds.end();
  if (kind == kKinds.end()) {
    fmt::print(stderr, "w4_report_store KIND FILE; legal kinds:");
    for (const auto& [name, make] : kKinds) fmt::print(stderr, " {}", name);
    fmt::print(stderr, "\n");
    return 2;
  }
  for (const char* tail : {"", "-wal", "-shm"}) {
    std::filesystem::remove(std::string(argv[2]) + tail);
  }
  kind->second(argv[2]);
  return 0;
}
