#include "verify/cases/chooser.h"

namespace w4 {

std::string_view name_of(Part p) {
  constexpr std::array<std::string_view, kParts> kNames{
      "law",  "tokens",  "depth",    "columns", "format", "bias",     "source", "memory", "stride",
      "tile", "experts", "reported", "device",  "fill",   "schedule", "bend",   "way"};
  return kNames.at(static_cast<size_t>(p));
}

}  // namespace w4
