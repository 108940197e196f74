#include "verify/explain/short_sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace w4::explain {
namespace {

struct Range {
  double low = 0, high = 0;
};

double rounded(DType t, double v) { return to_f64(t, from_f64(t, v)); }

Range scaled(double low, double high, double scale) {
  return {std::min(low * scale, high * scale), std::max(low * scale, high * scale)};
}

Range sum_of_chunk(const ShortSums& how, std::span<const Product> chunk, DType t, double slack) {
  const double scale = chunk.front().scale;
  if (how.sums_of_chunk > 0) {
    std::vector<double> sums(static_cast<size_t>(how.sums_of_chunk));
    for (const Product& p : chunk) {
      double& mine = sums[static_cast<size_t>(p.k % how.sums_of_chunk)];
      mine = rounded(t, mine + p.act * p.code);
    }
    double all = 0;
    for (const double s : sums) all += s;
    return scaled(all, all, scale);
  }
  double sum = 0, magnitude = 0;
  for (const Product& p : chunk) {
    const double product = p.act * (how.flush > 0 ? p.code : p.weight);
    sum += product, magnitude += std::abs(product);
  }
  const double low = sum - slack * magnitude, high = sum + slack * magnitude;
  if (how.flush == 0) return {low, high};
  const auto flushed = [&](double v) { return std::abs(v) < how.flush ? 0 : v; };
  return scaled(flushed(low), flushed(high), scale);
}

}  // namespace

std::pair<double, double> short_sum(const ShortSums& how, std::span<const Product> all, DType t,
                                    double slack) {
  using Rounds = ShortSums::Rounds;
  const auto chunk_of = [&](const Product& p) {
    const int64_t c = p.k / how.chunk;
    return how.chunks > 0 ? std::min(c, how.chunks - 1) : c;
  };
  std::vector<std::span<const Product>> chunks;
  for (size_t i = 0; i < all.size();) {
    const size_t first = i;
    while (i < all.size() && chunk_of(all[i]) == chunk_of(all[first])) ++i;
    chunks.push_back(all.subspan(first, i - first));
  }
  if (how.backwards) std::ranges::reverse(chunks);
  std::vector<Range> lanes(static_cast<size_t>(how.lanes));
  for (const auto& chunk : chunks) {
    Range& lane = lanes[static_cast<size_t>(chunk_of(chunk.front()) % how.lanes)];
    const Range sum = sum_of_chunk(how, chunk, t, slack);
    lane.low += sum.low, lane.high += sum.high;
    if (how.rounds != Rounds::after_each_chunk) continue;
    lane = {rounded(t, lane.low), rounded(t, lane.high)};
  }
  double least = 0, most = 0, magnitude = 0;
  for (Range lane : lanes) {
    if (how.rounds == Rounds::at_the_end) lane = {rounded(t, lane.low), rounded(t, lane.high)};
    least += lane.low, most += lane.high;
    magnitude += std::max(std::abs(lane.low), std::abs(lane.high));
  }
  return {least - slack * magnitude, most + slack * magnitude};
}

}  // namespace w4::explain
