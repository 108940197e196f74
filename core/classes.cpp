#include "core/classes.h"

#include <array>

namespace w4 {

std::string_view name_of(Side s) {
  constexpr std::array<std::string_view, 3> kNames{"below", "at", "above"};
  return kNames.at(static_cast<size_t>(s));
}

int64_t staged_rows(const Problem& p) { return p.experts > 0 ? p.blockm : p.m; }

Side lds_side(const Problem& p, int64_t edge) {
  const auto product = static_cast<__int128>(p.k) * staged_rows(p);
  return product < edge ? Side::below : product == edge ? Side::at : Side::above;
}

bool ragged_k(const Problem& p) { return p.k % 512 != 0; }
bool ragged_n(const Problem& p) { return p.n % 4 != 0; }

std::string_view tail_class(const Problem& p) {
  if (ragged_k(p)) return ragged_n(p) ? "k and n" : "k";
  return ragged_n(p) ? "n" : "none";
}

std::string_view rows_class(const Problem& p) {
  constexpr std::array<std::string_view, kMaxDecodeM> kFew{"1", "2", "3", "4", "5"};
  if (p.m < 1) return "0 or less";
  if (p.m <= kMaxDecodeM) return kFew.at(static_cast<size_t>(p.m - 1));
  return p.m <= 16 ? "6-16" : p.m <= 64 ? "17-64" : "65 and more";
}

}  // namespace w4
