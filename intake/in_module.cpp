#include "intake/in_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace w4 {
namespace {

std::span<char> place;

void write(std::string_view text) {
  const size_t kept = std::min(text.size(), place.size() - 1);
  std::memcpy(place.data(), text.data(), kept);
  place[kept] = '\0';
}

}  // namespace

void keep_place_in(std::span<char> memory) { place = memory; }

InModule::InModule(std::string_view function, std::string_view kernel, std::string_view module) {
  if (place.empty()) return;
  outer_ = place.data();
  write(fmt::format("{} of {}{}module {}", function, kernel, kernel.empty() ? "" : " in ", module));
}

InModule::~InModule() {
  if (!place.empty()) write(outer_);
}

}  // namespace w4
