// What a number of cases showed: how often each value of each class that matters occurred
// (oracles.md 8).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Coverage {
 public:
  // A case as it stands, run or not. Classes: kernel, m, m range, tokens, block_m, g, dtype, zp,
  // bias, src, fill, fp, device, sched, k range, k*m, k tail, n tail, octet, group, group position,
  // k/g, zero points, model, tile, lds, cus, pad, offset, act rows, carrier, shard, checkpoint,
  // route, rows, silu, padding, code, zero.
  void add(const Case& c);
  // One that ran and was judged: besides, verdict, instantiation, fp ran, form. Of one that was
  // refused or skipped the verdict only.
  void add(const Case& c, const Verdict& v);

  using Counts = std::map<std::string, std::map<std::string, int64_t, std::less<>>, std::less<>>;
  const Counts& counts() const { return counts_; }
  int64_t of(std::string_view name, std::string_view value) const;
  int64_t cases() const { return cases_; }

  struct Floor {
    std::string name, value;
    double share;  // of all cases; the floor is at least one case
  };
  // How many cases reach the floor, of as many as were added.
  int64_t least(const Floor& f) const;
  // One sentence for each floor that is not reached.
  std::vector<std::string> below(const std::vector<Floor>& floors) const;
  // One line per class.
  std::string text() const;

 private:
  void count(std::string_view name, std::string_view value);
  void count_shape(const Case& c);
  void count_memory(const Case& c);
  void count_experts(const Case& c);
  void count_values(const Case& c);

  Counts counts_;
  int64_t cases_ = 0;
};

}  // namespace w4
