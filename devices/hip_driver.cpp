#include "devices/hip_driver.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "devices/dynamic_library.h"

namespace w4 {
namespace {

// The newest first. The name without a number is a development file's, whatever its version.
std::vector<std::string> names_of(const std::string& library) {
  if (!library.empty()) return {library};
  if (const char* named = std::getenv("W4_HIP_LIBRARY"); named != nullptr && *named != '\0') {
    return {named};
  }
  return {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
}

}  // namespace

std::string HipDriver::text_of(hip::Status code) const {
  const char *name = error_name(code), *text = error_text(code);
  return fmt::format("{} ({}): {}", name ? name : "?", static_cast<int>(code), text ? text : "?");
}

Result<HipDriver> open_hip_driver(const std::string& library) {
  const std::vector<std::string> names = names_of(library);
  const auto opened = DynamicLibrary::open(names);
  if (!opened) return fail("libamdhip64 (ROCm) is not installed: {}", opened.error().text);
  HipDriver d;
  d.library = opened->name();
  const char* missing = nullptr;
  const auto find = [&](const char* symbol, auto*& to) {
    opened->find(symbol, to);
    if (to == nullptr && missing == nullptr) missing = symbol;
  };
#define W4_HIP_FIND(name, symbol, parameters) find(symbol, d.name);
  W4_HIP_CALLS(W4_HIP_FIND)
#undef W4_HIP_FIND
  find("hipGetErrorName", d.error_name);
  find("hipGetErrorString", d.error_text);
  opened->find("hipGetDevicePropertiesR0600", d.properties_new);
  if (d.properties_new == nullptr) find("hipGetDeviceProperties", d.properties_old);
  if (missing == nullptr) return d;
  return fail("{} is no HIP runtime of ROCm 5 to 7: it has no {}", d.library, missing);
}

}  // namespace w4
