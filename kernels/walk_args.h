// How K is cut into pieces that fit an LDS array: for the host, which passes the length, and for
// device code that checks it (contract.md 6.6 "Chunked").
#pragma once

#include <stdint.h>

namespace w4 {

// K elements that a wave takes at once, `unroll` chunks a lane.
constexpr int64_t walk_step(int64_t a_chunk, int64_t unroll) { return 32 * a_chunk * unroll; }

// The most elements of each of m rows that the array holds at a time, in whole steps. 0: not one.
constexpr int64_t walk_fit(int64_t array, int64_t m, int64_t step) {
  return array / m / step * step;
}

// Elements of K between two refills: K spread evenly over as few as possible. On input: k >= 1 and
// walk_fit(array, m, step) >= step. On output: whole steps, at most walk_fit.
constexpr int64_t walk_chunk(int64_t k, int64_t array, int64_t m, int64_t step) {
  const int64_t fit = walk_fit(array, m, step);
  const int64_t chunks = k / fit + (k % fit != 0);
  const int64_t even = k / chunks + (k % chunks != 0);
  return (even + step - 1) / step * step;
}

}  // namespace w4
