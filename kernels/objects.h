// The code objects built into this module, by arch and by what was fixed when they were compiled.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace w4 {

struct DecodeObject {
  std::string_view arch;  // "gfx1151"; "host": begin points at a HostObject (devices/host_lane.h)
  std::string_view act;   // "f16", "bf16"
  int group_size;
  const unsigned char* begin;
  const unsigned char* end;
  size_t bytes() const { return static_cast<size_t>(end - begin); }
};

std::span<const DecodeObject> decode_objects();
// Archs that have objects, NULL-terminated, each once.
const char* const* decode_archs();

}  // namespace w4
