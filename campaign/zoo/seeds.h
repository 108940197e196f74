// The random campaign alone, over several seeds: the share of mutants that each seed kills.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "campaign/zoo/hunt.h"

namespace w4::zoo {

struct SeedRow {
  std::string name, stale;
  bool audit_only = false;
  std::vector<Hunted::Run> runs;  // by seed
};

// Whether no call shows the mutant: only an audit does.
bool only_audited(const Expect& e);

struct SeedScore {
  std::string text;
  nlohmann::json json;
  bool every_mutant_once = false;  // no mutant survives all seeds
};

// `first_seed`: of runs[0]. Stale mutants count as survivors; those that only an audit shows are
// left out and counted.
SeedScore score_of(const std::vector<SeedRow>& rows, uint64_t first_seed);

}  // namespace w4::zoo
