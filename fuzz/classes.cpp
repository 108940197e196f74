#include "fuzz/classes.h"

#include <bit>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/contract.h"
#include "core/hash.h"
#include "verify/cases/shapes.h"

namespace w4::fuzz {
namespace {

uint64_t value_of(int64_t number) {
  constexpr int64_t kExact = 8;
  const auto bits = static_cast<uint64_t>(number);
  return number <= kExact ? bits : uint64_t{kExact} + static_cast<uint64_t>(std::bit_width(bits));
}
uint64_t value_of(const BiasShape& b) { return hash_of(to_string(b)); }
uint64_t value_of(const Tile& t) { return hash_of(to_string(t)); }
template <class T>
  requires std::is_enum_v<T> || std::is_same_v<T, bool>
uint64_t value_of(T value) {
  return static_cast<uint64_t>(value);
}
template <class T>
uint64_t value_of(const std::optional<T>& value) {
  return value ? value_of(*value) + 1 : 0;
}

// The same in all legal cases, or what the other fields say already.
template <class T>
constexpr bool kLegalHasOne = std::is_same_v<T, std::optional<DType>>;

uint64_t side_of(int64_t value, int64_t edge) { return value < edge ? 0 : value == edge ? 1 : 2; }

}  // namespace

std::vector<uint64_t> classes_of(const Case& c) {
  constexpr size_t kMost = 64;
  constexpr int64_t kStep = 512, kOctet = 8;
  const Problem& p = c.problem;
  const int64_t rows = p.experts > 0 ? p.blockm : p.m;
  std::vector<uint64_t> out;
  out.reserve(kMost);
  const auto add = [&out](uint64_t value) { out.push_back(mixed(out.size() + 1, value)); };
  for_each_field(p, [&](std::string_view, const auto& field) {
    if constexpr (!kLegalHasOne<std::remove_cvref_t<decltype(field)>>) add(value_of(field));
  });
  for (const std::string_view word :
       {std::string_view(c.kernel), std::string_view(c.device), std::string_view(c.fp)})
    add(hash_of(word));
  add(value_of(c.fill));
  add(value_of(c.sched.order));
  add(value_of(static_cast<int64_t>(c.sched.quantum)));
  add(value_of(p.k % kStep == 0));
  add(value_of(p.n % kOctet));
  add(value_of(groups(p)));
  add(side_of(groups(p), p.g));
  add(side_of(p.k * rows, kLdsElements));
  add(value_of(has_square_zero_points(p)));
  return out;
}

}  // namespace w4::fuzz
