// How often each combination of the classes of calls occurred in a run, with what became of it: the
// matrix of the contract's space (docs/report.md), kept as counts of the combinations that
// occurred.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

// "decode", or "decode of mine.so": what a kernel of a module is called.
std::string kernel_label(const Case& c);

// What became of a case: right (it passed), refused (as it had to be), red, skipped.
inline constexpr std::array<std::string_view, 4> kFates{"right", "refused", "red", "skipped"};
size_t fate_of(const Verdict& v);

class Joint {
 public:
  static constexpr std::array<std::string_view, 11> kDimensions{
      "kernel", "device", "dtype",         "g",      "zp", "bias", "m",
      "k*m",    "tail",   "instantiation", "verdict"};

  Joint();
  void add(const Case& c, const Verdict& v);
  // {"dimensions": [{"name", "values"}], "cells": {"kernel": [index of value, …], …, "cases": [n,
  // …]}, "folded"}. Values that the contract has are listed though no case has them. More than
  // kMostCells combinations have their instantiations folded into forms ("medium"), and say so.
  nlohmann::json to_json() const;

  static constexpr size_t kMostCells = 30000;

 private:
  using Key = std::array<uint16_t, kDimensions.size()>;
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const;
  };
  struct Values {
    std::vector<std::string> names;
    std::unordered_map<std::string, uint16_t, TextHash, std::equal_to<>> at;
    uint16_t of(std::string_view name);
  };
  using Cells = std::unordered_map<Key, int64_t, Hash>;

  std::array<Values, kDimensions.size()> values_;
  Cells cells_;
};

}  // namespace w4
