// Where a GPU's buffers lie; those of other devices trap to the byte on both sides. An access past
// the end (or before the beginning) faults where the buffer touches memory that is not mapped
// there.
#pragma once

#include <cstdint>
#include <string_view>

namespace w4 {

enum class Placement : uint8_t {
  end,        // as close before unmapped memory as its offset and alignment allow
  beginning,  // as close behind it
  plain,      // in ordinary memory, as applications have them
};

inline std::string_view name_of(Placement p) {
  switch (p) {
    case Placement::end:
      return "end";
    case Placement::beginning:
      return "beginning";
    case Placement::plain:
      break;
  }
  return "plain";
}

}  // namespace w4
