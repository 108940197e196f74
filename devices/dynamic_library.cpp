#include "devices/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/ranges.h>

namespace w4 {

Result<DynamicLibrary> DynamicLibrary::open(std::span<const std::string> names) {
  std::string why;
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      return DynamicLibrary(name, handle);
    }
    const char* said = dlerror();
    const std::string reason = said == nullptr ? "no reason given" : said;
    const bool absent = reason.find("No such file") != std::string::npos;
    if (why.empty() || !absent) why = reason;
  }
  return fail("{} cannot be opened ({})", fmt::join(names, ", "), why);
}

void* DynamicLibrary::find(const char* symbol) const { return dlsym(handle_, symbol); }

}  // namespace w4
