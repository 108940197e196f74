// Every oracle on every fault: what the table of docs/oracles.md counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"

namespace w4 {

struct OraclePlan {
  std::vector<std::string> lines;  // case lines without act, fill and seed
  std::vector<DType> types;
  std::vector<Fill> fills;
  std::vector<uint64_t> seeds;         // of the runs with a fault
  std::vector<uint64_t> honest_seeds;  // of clean runs besides those
};
OraclePlan full_plan();   // minutes
OraclePlan small_plan();  // seconds: a part of the full one

// One output judged by all oracles. Bit i of `rejected`: the i-th of oracle_names().
struct OracleRun {
  size_t line = 0, fault = 0;  // fault: of faults(); not of clean runs
  DType act = DType::f16;
  Fill fill = Fill::flat;
  uint64_t seed = 0;
  bool visible = false;  // some bit differs from the clean run
  uint32_t rejected = 0;
};

struct OracleRuns {
  OraclePlan plan;
  std::vector<OracleRun> faulty, clean;
};

// The classic ones, then the interval, then the interval with the drift.
std::vector<std::string_view> oracle_names();
bool looks_at(size_t oracle, Fill fill);

// Clean outputs and those of faults that are a change of the data come from the machine code on the
// emulator, those of breaches from the simulation. Errors name the case. `progress`: before a line.
Result<OracleRuns> run_oracles(const OraclePlan& plan,
                               const std::function<void(std::string_view)>& progress);

}  // namespace w4
