// Operands of the probes, made again from their numbers: random ones of several styles, ties,
// cancellation, subnormals, infinities, NaNs, accumulators far above and below the products. What
// an item has does not depend on how many there are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/capture/probe.h"

namespace w4::capture {

// Words in the order in which the kernel reads them: a lane's of one instruction each, or register
// by register of a tile (register r of lane l of tile t: word (t * registers + r) * 32 + l).
struct Operands {
  std::vector<uint32_t> a, b, c;
  uint64_t hash() const;
};

// How many result words a probe has, all a multiple of 32, and how many of them a capture holds bit
// for bit (core of `Results`).
struct Extent {
  size_t exact, all;
};
Extent extent_of(const Probe& p, int family, bool quick);

// `words`: of the result, a multiple of what one wave writes.
Operands make_operands(const Probe& p, int family, size_t words);

// "a 0x3c003c00 (1, 1), b …, c …" of one result word; of matrices where it stands, its row of A,
// its column of B and its C.
std::string describe(const Probe& p, int family, const Operands& operands, size_t word);

// Matrices: the row and column of an element of C and D (`half`: of a word of 16-bit ones), and the
// word and half of A (of row or column `line`) that holds its element k.
struct Element {
  int row, column;
};
Element element_of(const Probe& p, int family, int reg, int lane, int half);
// Words of the tile: those of lanes 0-15 and, on gfx11, their copies in 16-31 are at lane + 16.
struct Place {
  int reg, lane, shift;
};
Place place_of(const Probe& p, int family, int line, int k);
int bits_of_input(const Probe& p);  // 16, 8 or 4

}  // namespace w4::capture
