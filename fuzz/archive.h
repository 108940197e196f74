// What the mutator starts from besides the input that the engine picks. Machine code does not tell
// a checkpoint's layout, a stride or a square table from others, and host code is not instrumented:
// here are inputs by the pairs of classes that their cases are in (classes.h), the rare ones first.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "fuzz/target.h"
#include "verify/cases/case_bytes.h"

namespace w4::fuzz {

class Archive {
 public:
  // An input that ran, and the ids that its case showed, each once. Keeps the last input that
  // showed an id for the first time or the second, fourth, eighth time.
  void add(Bytes input, std::span<const uint64_t> ids);
  // An input that showed the rarest of a few ids drawn at random; empty before the first. Valid
  // until the next add().
  Bytes rare(Draw& draw) const;
  int64_t added() const { return added_; }
  size_t known() const { return ids_.size(); }

 private:
  struct Seen {
    uint32_t times = 0, input = 0;
  };
  std::unordered_map<uint64_t, Seen> seen_;
  std::vector<uint64_t> ids_;  // keys of seen_, to draw from
  std::vector<std::vector<uint8_t>> inputs_;
  int64_t added_ = 0;
};

}  // namespace w4::fuzz
