#include "verify/explain/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/compare.h"
#include "verify/explain/observe.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4::explain {
namespace {

// A wrong element: got, and what would have been right.
struct Error {
  int64_t m, n;
  double got, right, bias;
};

std::vector<Error> errors_of(const Observed& o) {
  const Recipe declared = declared_recipe(o);
  Prediction prediction(o, declared);
  std::vector<Error> out;
  for (int64_t n = 0; n < o.n(); ++n) {
    for (int64_t m = 0; m < o.m(); ++m) {
      const auto i = static_cast<size_t>(m * o.n() + n);
      if (o.bad[i] == 0) continue;
      const Predicted p = prediction.at(m, n);
      out.push_back(
          {m, n, to_f64(o.x.wei->act, o.out[i]), (p.low + p.high) / 2, o.x.bias_at(m, n)});
    }
  }
  return out;
}

std::string share(size_t part, size_t all) {
  return part == all ? "all" : fmt::format("{} of {}", part, all);
}

// Whether `value` is the same, up to rounding, wherever `key` is; needs two elements of some key.
bool constant_along(const std::vector<Error>& errors, int64_t Error::* key, double unit) {
  std::vector<Error> sorted = errors;
  std::ranges::sort(sorted, {}, key);
  bool told = false;
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].*key != sorted[i - 1].*key) continue;
    told = true;
    const double a = sorted[i].got - sorted[i].right, b = sorted[i - 1].got - sorted[i - 1].right;
    const double size = std::max(std::abs(sorted[i].got), std::abs(sorted[i - 1].got));
    if (!(std::abs(a - b) <= 4 * unit * size)) return false;
  }
  return told;
}

std::vector<std::string> on_values(const Observed& o, const std::vector<Error>& errors) {
  std::vector<std::string> out;
  size_t poison = 0, zero = 0, nan = 0, up = 0;
  for (const Error& e : errors) {
    const auto i = static_cast<size_t>(e.m * o.n() + e.n);
    poison += o.out[i] == poison_bits(to_module(o.x.wei->act));
    nan += !std::isfinite(e.got);
    zero += e.got == 0;
    up += e.got > e.right;
  }
  if (poison > 0)
    out.push_back(share(poison, errors.size()) + " wrong elements were never written");
  if (nan > poison)
    out.push_back(share(nan - poison, errors.size()) + " wrong elements are NaN or infinite");
  if (zero > 0) out.push_back(share(zero, errors.size()) + " wrong elements are zero");
  if (nan > 0) return out;
  const double unit = o.x.wei->act == DType::f16 ? 0x1p-11 : 0x1p-8;
  std::vector<double> ratios, sizes;
  for (const Error& e : errors) {
    if (e.right != 0) ratios.push_back(e.got / e.right);
    sizes.push_back(std::abs(e.got - e.right) / std::max(std::abs(e.right), 1e-30));
  }
  std::ranges::sort(sizes);
  out.push_back(
      fmt::format("the error is {:.3g} of the right value in the middle, {:.3g} at most; "
                  "{} wrong elements are too large",
                  sizes[sizes.size() / 2], sizes.back(), share(up, errors.size())));
  if (ratios.size() > 1) {
    const auto [least, most] = std::ranges::minmax(ratios);
    if (most - least <= 8 * unit * std::abs(most))
      out.push_back(fmt::format("got is {:.6g} times the right value throughout", ratios.front()));
  }
  const bool column = constant_along(errors, &Error::n, unit);
  const bool row = constant_along(errors, &Error::m, unit);
  if (column && row) {
    out.push_back(fmt::format("the error is the same constant everywhere: {:.6g}",
                              errors.front().got - errors.front().right));
  } else if (column) {
    out.push_back(
        "the error is a constant of its column, the same in every row: not a matter of act");
  } else if (row) {
    out.push_back(
        "the error is a constant of its row, the same in every column: not a matter of "
        "the weights");
  }
  return out;
}

std::string ranges(const std::vector<int64_t>& parts, int64_t size) {
  std::string out;
  for (size_t i = 0; i < parts.size();) {
    size_t j = i;
    while (j + 1 < parts.size() && parts[j + 1] == parts[j] + 1) ++j;
    out += fmt::format("{}{}..{}", out.empty() ? "" : ", ", parts[i] * size,
                       (parts[j] + 1) * size - 1);
    i = j + 1;
  }
  return out;
}

}  // namespace

std::vector<std::string> describe(const Observed& o) {
  std::vector<int64_t> bad;
  for (size_t i = 0; i < o.bad.size(); ++i) {
    if (o.bad[i] != 0) bad.push_back(static_cast<int64_t>(i));
  }
  if (bad.empty()) return {};
  std::vector<std::string> out{fmt::format("{} of {} elements are wrong: {}", bad.size(),
                                           o.bad.size(), describe_pattern(bad, o.m(), o.n()))};
  for (std::string& s : on_values(o, errors_of(o))) out.push_back(std::move(s));
  return out;
}

std::vector<std::string> probe_k(const Observed& o, Context& context,
                                 const std::function<bool()>& stop,
                                 std::vector<std::string>& lines) {
  constexpr int64_t kMostParts = 64;
  const int64_t k = o.k();
  // Whole groups first, then sixteenths of the first group that fails.
  const auto failing = [&](int64_t first, int64_t size, int64_t count,
                           std::vector<int64_t>& wrong) {
    for (int64_t i = 0; i < count; ++i) {
      if (stop()) return false;
      Case c = o.line;
      c.only = {{}, {}, Span{first + i * size, std::min(first + (i + 1) * size, k) - 1}};
      const auto part = observe(c, context);
      if (i == 0) lines.push_back(to_string(c));
      if (part && (*part)->bad_count > 0) wrong.push_back(i);
    }
    return true;
  };
  Case none = o.line;
  none.only.k = Span{k, k};  // past the end: all of act is zero
  const auto empty = observe(none, context);
  if (empty && (*empty)->bad_count > 0)
    return {"it is wrong with all of act zero too: not in the products of act"};
  const int64_t size = (k / o.x.wei->g + kMostParts - 1) / kMostParts * o.x.wei->g;
  const int64_t count = (k + size - 1) / size;
  std::vector<int64_t> wrong;
  if (!failing(0, size, count, wrong)) return {"which part of K is wrong: no time left to see"};
  if (wrong.empty()) return {"no part of K is wrong alone: what goes wrong needs several groups"};
  if (static_cast<int64_t>(wrong.size()) < count) {
    std::vector<std::string> out{fmt::format("only k = {} carry the error (G = {}, K = {})",
                                             ranges(wrong, size), o.x.wei->g, k)};
    std::vector<int64_t> fine;
    const int64_t step = std::max<int64_t>(1, size / 16), first = wrong.front() * size;
    if (failing(first, step, size / step, fine) && !fine.empty() &&
        static_cast<int64_t>(fine.size()) < size / step) {
      for (int64_t& f : fine) f += first / step;
      out.push_back(fmt::format("within the first of them, k = {}", ranges(fine, step)));
    }
    return out;
  }
  std::vector<int64_t> fine;
  const int64_t step = std::max<int64_t>(1, size / 32);
  if (failing(0, step, size / step, fine) && !fine.empty() &&
      static_cast<int64_t>(fine.size()) < size / step) {
    return {fmt::format("every group of K carries the error, in the first one k = {} of {}",
                        ranges(fine, step), size)};
  }
  return {"every part of K carries the error"};
}

}  // namespace w4::explain
