// The outputs of a law's calls against each other, element by element.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "verify/laws/plan.h"
#include "verify/trial.h"

namespace w4 {

// A call that ran to its end.
struct Done {
  const Setup* setup = nullptr;
  const Side* side = nullptr;
  const Trial* trial = nullptr;
};

struct Related {
  Relation judged;
  // The first element that breaks the law, and a text with both values and bits.
  std::optional<Element> broken{};
  std::string detail{};
  std::vector<int64_t> all{};  // elements of the first call that break it, ascending
  std::string trouble{};       // the references break the law: nobody's finding
};

// `inexact`: why nothing is compared bit for bit; empty where elements are, as far as each allows.
Related relate(const Plan& plan, const Done& first, std::span<const Done> more,
               std::string inexact);

}  // namespace w4
