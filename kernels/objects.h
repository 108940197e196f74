// The code objects built into this module, by kernel and arch and by what was fixed when they were
// compiled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace w4 {

struct KernelObject {
  std::string_view kernel;  // "decode": the source file's name
  std::string_view arch;    // "gfx1151"; "host": begin points at a HostObject (devices/host_lane.h)
  std::string_view act;     // "f16", "bf16"
  int group_size;           // 0: any
  const unsigned char* begin;
  const unsigned char* end;
  size_t bytes() const { return static_cast<size_t>(end - begin); }
};

std::span<const KernelObject> kernel_objects();
// Archs that have objects, NULL-terminated, each once. Every kernel has every one of them.
const char* const* kernel_archs();

// Null where there is none.
inline const KernelObject* find_object(std::string_view kernel, std::string_view arch,
                                       std::string_view act, int group_size) {
  const auto all = kernel_objects();
  const auto found = std::ranges::find_if(all, [&](const KernelObject& o) {
    return o.kernel == kernel && o.arch == arch && o.act == act && o.group_size == group_size;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace w4
