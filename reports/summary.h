// Counts of a run: what the terminal prints at its end and the page shows at its top. Counts only;
// every number was in the records.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "results/record.h"

namespace w4 {

// One cell of the kernel x device table.
struct Tally {
  std::array<int64_t, std::variant_size_v<Outcome>> by_kind{};  // index: VerdictKind
  int64_t green = 0, red = 0, skipped = 0;
  double headroom = 0;  // largest |y - y~|/B among the passes

  int64_t total() const { return green + red + skipped; }
  int64_t of(VerdictKind k) const { return by_kind.at(static_cast<size_t>(k)); }
};

struct Summary {
  Tally all;
  std::map<std::pair<std::string, std::string>, Tally> table;  // {kernel, device}
  std::map<std::string, int64_t> skipped;                      // "no_device: …" -> cases
  int64_t resumed = 0;
  double seconds = 0;              // sum over cases
  uint64_t wave_instructions = 0;  // sum over cases

  bool harness_failed() const { return all.of(VerdictKind::harness_error) > 0; }
};

// A skipped case is neither green nor red: it is counted for itself.
void count(Summary& summary, const Record& record);
Summary summarise(std::span<const Record> records);

// "1,204 green (1,180 pass, 24 refused as they must), 3 red (2 mismatch, 1 finding), 5 skipped"
std::string sentence(const Tally& tally);

}  // namespace w4
