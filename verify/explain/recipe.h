// A call as somebody may have computed it: the declared product with every part replaceable, and
// the outputs that follow from it.
//   out[m,n] = store( sum_k act(m,k) weight(code(r,k), zero(r,k), scale(r,k)), bias(m,n) )
//   r = expert(m)*N + n, a row of all weights
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "reference/arrays.h"
#include "reference/experts.h"
#include "verify/experts.h"
#include "verify/explain/short_sums.h"
#include "verify/module_numerics.h"

namespace w4::explain {

// One call that ran to its end, with its data and its output.
struct Observed {
  Case line;
  Arrays x;
  ModuleNumerics numerics;
  Gate gate = nullptr;        // of a fused silu
  double slack = 1;           // on bounds: 1 under fp=ieee
  std::vector<uint16_t> out;  // [M,N] bits
  std::vector<uint8_t> bad;   // [M,N]: outside the interval of the declared call
  int64_t bad_count = 0;
  std::vector<Outcome> outcomes;
  Reference right;            // twin and bound of each element
  std::string instantiation;  // as the kernel reports it
  std::vector<std::string> symbols;
  int64_t m() const { return x.m; }
  int64_t n() const { return x.wei->n; }
  int64_t k() const { return x.wei->k; }
};

// A factor that nobody can know: read from beyond a tensor, or from a pad.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Element {
  int64_t m = 0, n = 0;
};
inline constexpr Element kUnwritten{-1, -1};
inline constexpr Element kNowhere{-2, -2};  // comes from where nobody knows

struct Recipe {
  std::function<double(int64_t r, int64_t k)> code, zero, scale;
  std::function<double(int64_t m, int64_t k)> act;
  std::function<double(int64_t m, int64_t n)> bias;
  std::function<int64_t(int64_t m)> expert;           // 0 in a dense layer; -1: the row is zeros
  std::function<Element(int64_t m, int64_t n)> from;  // the element that lands at (m,n)
  std::function<double(double q, double z, double s)> weight;
  std::function<uint16_t(double acc, double bias)> store;
  ShortSums short_sums{};
};

// The declared call. Points into `o`.
Recipe declared_recipe(const Observed& o);

// What is predicted for an element of the output.
struct Predicted {
  enum class Kind : uint8_t { value, unknown, unwritten } kind = Kind::value;
  double low = 0, high = 0;  // of the stored type
  bool exact = false;        // low = high whatever the order of summation
};

class Prediction {
 public:
  // Both must outlive this.
  Prediction(const Observed& o, const Recipe& r);
  Predicted at(int64_t m, int64_t n);

 private:
  struct Term {
    int64_t k;
    double a;
  };
  struct Sums {
    double sum = 0, magnitude = 0;
    double offset = 0, squares = 0;  // over chunks: sums with the offset trick's weights
    double part = 0;
    int64_t chunk = 0;
    void add(double product, double with_offset, int64_t in_chunk);
    void end();
  };
  const std::vector<Term>& terms_of(int64_t m);
  double bound(const Sums& s) const;
  // [least, most] of a sum that is rounded on its way; weight_ holds the weights it needs.
  std::pair<double, double> short_sum_of(const std::vector<Term>& terms, int64_t row) const;

  const Observed& o_;
  const Recipe& r_;
  Chain chain_;
  std::vector<std::vector<Term>> terms_;  // of each row, zeros left out
  std::vector<uint8_t> have_;
  // Of each k for the weights row made_for_[k].
  std::vector<double> weight_, size_;
  std::vector<int64_t> made_for_;
};

bool fits(const Predicted& p, DType t, uint16_t bits);

}  // namespace w4::explain
