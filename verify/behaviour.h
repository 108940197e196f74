// What a case showed of the kernels: the behaviours that a fuzzer climbs by and a campaign counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "rdna/coverage.h"

namespace w4 {

enum class BehaviourKind : uint8_t {
  edge,   // a branch of machine code, taken about so often: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more
  tuple,  // instantiation x route x LDS class x tail class x zero points (semantic_tuple)
  margin,  // how much of its interval the worst element used, by instantiation
};
std::string_view name_of(BehaviourKind k);

// The same in every process, for every build in which the code of the kernel is the same.
struct Behaviour {
  BehaviourKind kind{};
  uint64_t id = 0;
  bool operator==(const Behaviour&) const = default;
};

// "medium y4u1a16w16 m3 g64 f16 packed; k*m below; tail k n; packed": a class of calls.
std::string semantic_tuple(const Case& c, const Verdict& v);

// |y - y~|/B of the worst element: 0 none, then 1/8 steps to 8 (all of B), above it 9; -1: none was
// compared.
int margin_bucket(const Verdict& v);

// Counts what the launches of this thread do while it lives.
class Observer {
 public:
  Observer() : scope_(coverage_) {}
  void start() { coverage_.clear(); }  // of the next case
  // What it showed since start(); each once, edges first.
  std::vector<Behaviour> of(const Case& c, const Verdict& v) const;

 private:
  rdna::Coverage coverage_;
  rdna::CoverageScope scope_;
};

}  // namespace w4
