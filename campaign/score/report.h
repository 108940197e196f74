// What became of a kernel's mutants: raw numbers first, then rates, then the survivors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "campaign/score/hunt.h"

namespace w4::score {

struct KernelScore {
  std::string kernel;
  const Stream* stream = nullptr;
  const Sample* sample = nullptr;
  std::vector<Mutant> mutants;
  double seconds = 0;

  int64_t count(Fate f) const;
  int64_t equal() const;  // survivors of which no output bit differed
};

std::string text_of(const KernelScore& k);
std::string table_row(const KernelScore& k);
std::string table_head();
nlohmann::json json_of(const KernelScore& k);

}  // namespace w4::score
