// What a case asks of the machine, against the least that its problem needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/least.h"
#include "campaign/plan.h"
#include "core/verdict.h"
#include "rdna/figures.h"

namespace w4 {

struct FigureRow {
  Case value;
  std::string line, instantiation;
  bool green = false;
  bool idle = false;    // green, but nothing was launched: no figures either
  std::string verdict;  // where it is not green
  rdna::Figures counted;
  Least least;  // where it is green

  // Wave-instructions per weight.
  double instructions_per_weight() const;
  // Bytes of all accesses together (each counts different bytes once) over the least.
  double bytes_over_least() const;
  // Lines of all accesses over the fewest that could hold their bytes: 1 is coalesced.
  double lines_over_least() const;
  // Different lines touched over the fewest that could hold the least bytes.
  double footprint_over_least() const;
  double lds_cycles_over_least() const;
  double barriers_per_wave() const;
  // Products that the dot2 (64 a wave-instruction) or WMMA (4096) instructions could do, over those
  // wanted; 0 where there are none.
  double dot2_over_least() const;
  double wmma_over_least() const;
};

// The cases that `audit figures` shows by itself: every row at the M it is for, at one shape.
std::vector<Case> default_figure_cases(bool every_tile);

FigureRow count_case(const Case& c);

std::string figures_text(const std::vector<FigureRow>& rows);
std::string figures_json(const std::vector<FigureRow>& rows);

}  // namespace w4
