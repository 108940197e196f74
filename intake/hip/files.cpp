// What depends on files: modules from disk, and under which name a HIP runtime was loaded.
#include <link.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "intake/hip/code.h"
#include "intake/hip/memory.h"

namespace w4::hip {
namespace {

int version_in_name(std::string_view path) {
  constexpr std::string_view kName = "libamdhip64.so.";
  const size_t at = path.rfind(kName);
  if (at == std::string_view::npos || at + kName.size() >= path.size()) return 0;
  const int digit = path[at + kName.size()] - '0';
  return digit >= 5 && digit <= 7 ? digit : 0;
}

int find_version() {
  if (const char* text = std::getenv("W4HIP_ROCM"); text && *text) {
    const int v = text[1] == 0 ? text[0] - '0' : 0;
    if (v >= 5 && v <= 7) return v;
    fmt::print(stderr, "w4hip: W4HIP_ROCM={}; legal: 5, 6, 7\n", text);
    std::_Exit(2);
  }
  int found = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) -> int {
        int& version = *static_cast<int*>(out);
        if (version == 0 && info->dlpi_name) version = version_in_name(info->dlpi_name);
        return 0;
      },
      &found);
  return found ? found : 6;
}

}  // namespace

int rocm_version() {
  static const int version = find_version();
  return version;
}

}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipModuleLoad(void** module, const char* path) {
  return call("hipModuleLoad", [&](Call& c) -> Status {
    if (!module || !path) return c.bad(kInvalidValue, "{} is null", module ? "fname" : "module");
    std::ifstream file(path, std::ios::binary);
    if (!file) return c.bad(kFileNotFound, "cannot read '{}'", path);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto m = load_image(std::as_bytes(std::span(bytes)), c.device().arch);
    if (!m) return c.bad(kInvalidImage, "'{}': {}", path, m.error().text);
    *module = const_cast<Module*>(*m);
    return kSuccess;
  });
}
