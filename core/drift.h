// Whether outputs lean to one side over many elements, where each lies in its interval
// (oracles.md 9): e = (y - x) sign(x) in ulps of the output at x, x = y~ + bias before any rounding
// of the store. Rounding to nearest has mean 0, a store that cuts off -1/2. The plain mean of y - x
// would cancel over the signs of x.
#pragma once

#include <cstdint>

namespace w4 {

// Sums over outputs, in clusters: the outputs of one column n share its weights and are not
// independent. Sums of several cases add up.
struct Drift {
  int64_t outputs = 0, columns = 0;
  double sum = 0;  // of e
  // Sums over columns of E^2, E N and N^2; E, N: a column's sum of e and number of outputs.
  double squares = 0, products = 0, counts = 0;
  double open = 0;  // sum of B in ulps: what the order of summation leaves open

  Drift& operator+=(const Drift& other);
  bool operator==(const Drift&) const = default;

  double mean() const;  // of e; 0 without an output
  // Of the mean, from the sample itself: sqrt(sum over columns of (E - mean N)^2) / outputs.
  double sigma() const;
  double mean_open() const;
};

// The mean that is no fault. Arithmetic that cuts off, as chips do, leans: what it may is in B.
// Rounding to nearest may not at all.
double allowed_drift(const Drift& d, bool rounds_to_nearest);

inline constexpr double kDriftSigmas = 6;
inline constexpr int64_t kDriftColumns = 64;  // fewer do not know their own deviation

// How many sigmas the mean lies outside [-allowed, allowed]; 0 inside, and of too few columns.
double drift_sigmas(const Drift& d, double allowed);

}  // namespace w4
