#include "fuzz/classes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "verify/cases/coverage.h"

namespace w4::fuzz {
namespace {

// Not: numbers of which there are many (m, n), values of the data, what follows from another class.
constexpr std::array<std::string_view, 24> kCombined{
    "kernel", "m range",  "block_m", "g",       "dtype",      "zp",          "bias",  "k range",
    "k*m",    "k tail",   "octet",   "n range", "k/g",        "zero points", "model", "model n",
    "pad",    "act rows", "src",     "shard",   "checkpoint", "cus",         "lds",   "fill"};

uint64_t hash_of(std::string_view name, std::string_view value) {
  uint64_t h = 0xcbf29ce484222325u;
  for (const std::string_view text : {name, value}) {
    for (const char c : text) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
    h = (h ^ '=') * 0x100000001b3u;
  }
  return h;
}

}  // namespace

std::vector<uint64_t> class_pairs(const Case& c) {
  Coverage classes;
  classes.add(c);
  std::vector<uint64_t> values;
  for (const auto& [name, counts] : classes.counts()) {
    if (std::ranges::find(kCombined, name) == kCombined.end()) continue;
    for (const auto& [value, count] : counts) values.push_back(hash_of(name, value));
  }
  std::vector<uint64_t> out;
  out.reserve(values.size() * values.size() / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < i; ++j) out.push_back(values[i] * 3 + values[j]);
  }
  return out;
}

}  // namespace w4::fuzz
