#include "campaign/bench/rows.h"

#include <algorithm>

namespace w4::bench {
namespace {

// Tokens from which on a product of 4-bit weights is bound by its matrix products on GPUs that
// have matrix instructions; below, everyone reads the weights and waits for them.
constexpr int64_t kMatrixTokens = 16;

Unit unit_at(int64_t m) { return m >= kMatrixTokens ? Unit::tflop_per_s : Unit::gb_per_s; }

}  // namespace

double Samples::median() const {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
double Samples::low() const { return *std::ranges::min_element(seconds); }
double Samples::high() const { return *std::ranges::max_element(seconds); }

std::string_view name_of(Unit u) {
  switch (u) {
    case Unit::gb_per_s:
      return "GB/s";
    case Unit::tflop_per_s:
      return "TFLOP/s";
    case Unit::instructions_per_weight:
      break;
  }
  return "wave-instructions/weight";
}

const Samples* Row::timed() const { return cold ? &*cold : warm ? &*warm : nullptr; }

Unit Row::unit() const {
  return emulated() ? Unit::instructions_per_weight : unit_at(of.value.problem.m);
}

std::optional<double> Row::figure() const {
  if (!green) return std::nullopt;
  if (emulated()) return counted->instructions_per_weight();
  const Samples* t = timed();
  if (t == nullptr) return std::nullopt;
  return unit() == Unit::gb_per_s ? gb_per_s(least, t->median()) : tflop_per_s(least, t->median());
}

double gb_per_s(const Least& least, double seconds) {
  return static_cast<double>(least.bytes) / seconds / 1e9;
}
double tflop_per_s(const Least& least, double seconds) {
  return 2 * least.products / seconds / 1e12;
}

Unit Foreign::unit() const { return unit_at(m); }
double Foreign::figure() const {
  return unit() == Unit::gb_per_s ? gb_per_s(least, seconds) : tflop_per_s(least, seconds);
}

double DeviceCopy::gb_per_s() const {
  return 2 * static_cast<double>(bytes) / samples.median() / 1e9;
}

std::optional<double> of_copy(const Measured& r, const Row& row) {
  const Samples* t = row.timed();
  if (!r.copy || !row.green || t == nullptr) return std::nullopt;
  return gb_per_s(row.least, t->median()) / r.copy->gb_per_s();
}

}  // namespace w4::bench
