// What a case asks of the machine, against the least that its problem needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/plan.h"
#include "core/verdict.h"
#include "rdna/figures.h"

namespace w4 {

// Bytes that any kernel must move for the problem: weights N*K/2, scales, zero points, bias,
// activations and output, each once (contract.md 2, 4, 5); of MoE problems those of experts with a
// row would be less, so nothing is promised and it is 0.
uint64_t least_bytes(const Problem& p);

// Multiply-adds of the product: M*N*K.
double products(const Problem& p);

struct FigureRow {
  Case value;
  std::string line, instantiation;
  bool green = false;
  std::string verdict;  // where it is not green
  rdna::Figures counted;

  // Wave-instructions per weight, N*K of them.
  double instructions_per_weight() const;
  // Bytes of all accesses together (each counts different bytes once) over the least.
  double bytes_over_least() const;
  // Lines of all accesses over the fewest that could hold their bytes: 1 is coalesced.
  double lines_over_least() const;
  // Different lines touched over the fewest that could hold least_bytes.
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
