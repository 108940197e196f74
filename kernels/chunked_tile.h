// Which chunked instantiation a call runs: the tile table, the wave balance, the form and the
// length of the pieces (contract.md 6.4, 6.6, 6.8; V3).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/problem.h"

namespace w4 {

// Resident: K*M activations fit the LDS array. Chunked: K goes through it in pieces.
enum class ChunkedForm : uint8_t { resident, chunked };

struct ChunkedPlan {
  ChunkedForm form = ChunkedForm::resident;
  int y = 0, u = 0, a = 0;  // rows per wave, steps in flight, K elements per lane and step
  int waves = 0;            // W': waves of 16 that produce rows
  int64_t blocks = 0;       // of the persistent grid that have a row to do
  int64_t chunk = 0;        // elements of K between two refills; K where resident
  bool operator==(const ChunkedPlan&) const = default;
};

bool chunked_fits(int64_t m, int64_t k);  // K*M fits the array

// Whether the instantiation exists.
bool chunked_exists(ChunkedForm form, int64_t m, const Tile& tile, bool symmetric);

// The form a tile runs in at this M and K: resident where that exists and K*M fits, chunked
// otherwise; nothing where the tile cannot run.
std::optional<ChunkedForm> chunked_form(int64_t m, int64_t k, const Tile& tile, bool symmetric);

// Every tile that can be forced on such a call.
std::vector<Tile> chunked_tiles(int64_t m, int64_t k, bool symmetric);

// The tile by the table; its A depends on M, K and `symmetric` alone, so that the bits of the
// result do not depend on the CU count. On input: M in 1..5, N, K and cu_count at least 1.
Tile chunked_tile(int64_t m, int64_t n, int64_t k, int64_t cu_count, bool symmetric);

// `forced`: one of chunked_tiles(m, k, symmetric).
ChunkedPlan plan_chunked(int64_t m, int64_t n, int64_t k, int64_t cu_count, bool symmetric,
                         const std::optional<Tile>& forced);

}  // namespace w4
