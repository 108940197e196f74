#include "rdna/captured.h"

#include <fmt/format.h>

#include <algorithm>

namespace w4::rdna {
namespace {

std::span<const Captured>& table() {
  static std::span<const Captured> all;
  return all;
}

}  // namespace

void set_captures(std::span<const Captured> all) { table() = all; }

Evidence evidence_on(std::string_view mnemonic, int family) {
  const bool captured = std::ranges::any_of(
      table(), [&](const Captured& c) { return c.mnemonic == mnemonic && c.family == family; });
  if (captured) return Evidence::hardware_capture;
  const Row* row = find_row(mnemonic);
  return row == nullptr ? Evidence::document : row->evidence;
}

Evidence evidence_of(const Row& row) {
  const bool captured =
      std::ranges::any_of(table(), [&](const Captured& c) { return c.mnemonic == row.mnemonic; });
  return captured ? Evidence::hardware_capture : row.evidence;
}

std::string captures_of(std::string_view mnemonic) {
  std::string out;
  for (const Captured& c : table()) {
    if (c.mnemonic != mnemonic) continue;
    out += fmt::format("{}gfx{} by {}", out.empty() ? "" : ", ", c.family, c.file);
  }
  return out;
}

}  // namespace w4::rdna
