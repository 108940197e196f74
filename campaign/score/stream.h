// The cases that a kernel's mutants are held against: a fixed stream, each run once without a
// mutation, so that it is known to be green, what it executes and which bits it gives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/kernel_cases.h"
#include "core/case.h"
#include "core/verdict.h"
#include "rdna/executed.h"

namespace w4::score {

// A kernel of device code: arch, hash of its code, symbol.
using Code = std::tuple<std::string, uint64_t, std::string>;

// An instruction of one.
struct Place {
  Code code;
  uint64_t pc = 0;  // as linked
};

struct StreamCase {
  Case value;
  std::string outputs;                             // Provenance::outputs
  uint64_t steps = 0;                              // wave-instructions
  bool waits = false;                              // green with the check `waits` too
  std::map<Code, std::vector<uint64_t>> executed;  // linked addresses, ascending
  bool executes(const Place& at) const;
};

struct Stream {
  std::vector<StreamCase> cases;  // cheapest first
  std::map<Code, rdna::Executed> codes;
  int64_t laws = 0;          // of `cases`
  int64_t too_long = 0;      // left out
  std::vector<Law> applied;  // laws of which a case was green
  std::vector<Verdict> red;  // nothing may be scored then
};

struct StreamOptions {
  ModuleCases draw;  // of one kernel; count: reference cases
  std::function<bool()> stop = [] { return false; };
};

// A launch with more wave-instructions is left out: a mutant's may be ten times as long.
inline constexpr uint64_t kMostSteps = 2'000'000;
// Cases that execute a place, where the generator has as many.
inline constexpr size_t kEnough = 12;

class Streamer {
 public:
  // `table` must outlive this.
  Streamer(const w4_module& table, StreamOptions options);
  ~Streamer();

  // The drawn cases, and one of each law that applies. Errors as module_cases.
  Result<void> draw();
  // More of the same generator for each place that few cases execute: of the same instantiation by
  // their M, G, dtype, zero points and tile, and then three with laws.
  void grow(const std::vector<Place>& places);

  Stream& stream() { return stream_; }

 private:
  enum class Became : uint8_t { taken, red, too_long, left_out };
  Became add(const Case& c);
  Verdict run(Case c, bool waits);
  bool stopped() const { return options_.stop() || !stream_.red.empty(); }
  size_t executing(const Place& at) const;
  void sort();

  const w4_module& table_;
  StreamOptions options_;
  Stream stream_;
  struct Runs;
  std::unique_ptr<Runs> runs_;
  std::set<std::string> seen_;
};

}  // namespace w4::score
