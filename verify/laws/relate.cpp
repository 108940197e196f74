#include "verify/laws/relate.h"

#include <algorithm>
#include <cmath>

#include "reference/interval.h"

namespace w4 {
namespace {

// Elements of one call with their references.
class Seen {
 public:
  explicit Seen(const Done& d)
      : d_(d), numerics_(numerics_of(*d.setup)), type_(d.side->x.wei->act), n_(d.side->x.wei->n) {}

  DType type() const { return type_; }
  int64_t size() const { return static_cast<int64_t>(d_.trial->out.size()); }
  int64_t row(int64_t i) const { return i / n_; }
  int64_t column(int64_t i) const { return i % n_; }
  uint16_t bits(int64_t i) const { return d_.trial->out[static_cast<size_t>(i)]; }
  double value(int64_t i) const { return to_f64(type_, bits(i)); }
  double declared(int64_t i) const { return twin().declared[static_cast<size_t>(i)]; }
  double exact(int64_t i) const { return twin().exact[static_cast<size_t>(i)]; }
  double magnitude(int64_t i) const { return twin().magnitude[static_cast<size_t>(i)]; }
  double bound(int64_t i) const { return d_.trial->right.bound.b[static_cast<size_t>(i)]; }
  bool overflows(int64_t i) const {
    return d_.trial->right.bound.overflow[static_cast<size_t>(i)] != 0;
  }
  bool has_bias() const { return d_.side->x.has_bias(); }
  double bias(int64_t i) const { return d_.side->x.bias_at(row(i), column(i)); }
  uint16_t stored(int64_t i) const { return numerics_.store(declared(i), bias(i), has_bias()); }
  // The interval with a wider bound.
  Legal legal(int64_t i, double b) const {
    return legal_values(type_, numerics_, declared(i), b, overflows(i), bias(i), has_bias());
  }
  Legal legal(int64_t i) const { return legal(i, bound(i)); }
  int64_t k() const { return d_.side->x.wei->k; }
  Arithmetic arithmetic() const { return d_.setup->arithmetic; }

 private:
  const Twin& twin() const { return d_.trial->right.twin; }
  const Done& d_;
  ModuleNumerics numerics_;
  DType type_;
  int64_t n_;
};

bool equal(DType t, uint16_t a, uint16_t b) {
  if (is_nan(t, a) || is_nan(t, b)) return is_nan(t, a) && is_nan(t, b);
  return a == b || ((a | b) & 0x7FFF) == 0;
}

std::string shown(const Seen& of, int64_t i) {
  return fmt::format("out[m={}, n={}] = {:.9g} ({:#06x})", of.row(i), of.column(i), of.value(i),
                     of.bits(i));
}

class Relater {
 public:
  Relater(const Plan& plan, const Done& first, std::span<const Done> more, std::string inexact)
      : plan_(plan),
        first_(first),
        inexact_(std::move(inexact)),
        scale_(std::ldexp(1.0, plan.exponent)) {
    more_.reserve(more.size());
    for (const Done& d : more) more_.emplace_back(d);
  }

  Related all() {
    std::span<const Element> elements = plan_.elements;
    std::vector<Element> each;
    if (elements.empty()) {
      for (int64_t i = 0; i < first_.size(); ++i) each.push_back({i, 0, i});
      elements = each;
    }
    for (size_t at = 0; at < elements.size();) {
      size_t end = at + 1;
      if (plan_.kind == Plan::Kind::sum) {
        while (end < elements.size() && elements[end].first == elements[at].first) ++end;
      }
      one(elements.subspan(at, end - at));
      if (!out_.trouble.empty()) return std::move(out_);
      at = end;
    }
    std::ranges::sort(out_.all);
    if (out_.judged.exact == 0) out_.judged.why = inexact_.empty() ? element_why() : inexact_;
    return std::move(out_);
  }

 private:
  std::string element_why() const {
    switch (plan_.kind) {
      case Plan::Kind::differs:
        return "no interval moves away from its first";
      case Plan::Kind::declared:
        return "no product is an fp32 number of normal size";
      case Plan::Kind::adds_bias:
        return "no sum with its bias is exact";
      default:
        return "no element is a normal number in both calls";
    }
  }

  void one(std::span<const Element> of) {
    switch (plan_.kind) {
      case Plan::Kind::equal:
        return judge_equal(of.front());
      case Plan::Kind::adds_bias:
        return judge_bias(of.front());
      case Plan::Kind::sum:
        return judge_sum(of);
      case Plan::Kind::declared:
        return judge_declared(of.front());
      case Plan::Kind::differs:
        return judge_differs(of.front());
    }
  }

  void broken(const Element& e, std::string text) {
    if (!out_.broken) {
      out_.broken = e;
      out_.detail = std::move(text);
    }
    out_.all.push_back(e.first);
  }

  // `wanted` makes the text of what is legal, which only a broken element needs.
  template <class Text>
  void found(const Element& e, bool exact, bool holds, Text wanted) {
    ++(exact ? out_.judged.exact : out_.judged.within);
    if (holds) return;
    const Seen& s = more_[e.call];
    broken(e, fmt::format("{} in the first call, {} in the second; {}{}", shown(first_, e.first),
                          shown(s, e.second), wanted(),
                          exact ? ", bit for bit" : ", within the sum of both intervals"));
  }

  // The sums without rounding must agree: they are what the law is about.
  void check_twins(const Element& e, double first, double second, double magnitude) {
    if (!std::isfinite(first) || !std::isfinite(second) || !std::isfinite(magnitude)) return;
    if (std::abs(first - second) <= 0x1p-50 * static_cast<double>(first_.k()) * magnitude) return;
    out_.trouble = fmt::format(
        "the references break the law at out[m={}, n={}]: the exact sums are {:.17g} and {:.17g}",
        first_.row(e.first), first_.column(e.first), first, second);
  }

  void judge_equal(const Element& e) {
    const Seen& s = more_[e.call];
    const double back = 1 / scale_;
    check_twins(e, first_.exact(e.first), s.exact(e.second) * back,
                first_.magnitude(e.first) + s.magnitude(e.second) * back);
    const double y = first_.value(e.first);
    const auto wanted = [this] {
      return plan_.exponent == 0 ? std::string("legal: the same")
                                 : fmt::format("legal: the first times 2^{}", plan_.exponent);
    };
    if (inexact_.empty() && scales_exactly(e, y)) {
      const uint16_t want =
          plan_.exponent == 0 ? first_.bits(e.first) : from_f64(s.type(), y * scale_);
      return found(e, true, equal(s.type(), s.bits(e.second), want), wanted);
    }
    // What each call may store round either twin: the wider of both.
    const double away = std::abs(first_.declared(e.first) - s.declared(e.second) * back);
    const double wide =
        first_.bound(e.first) + s.bound(e.second) * back + (std::isfinite(away) ? away : 0);
    const Legal a = first_.legal(e.first, wide), b = s.legal(e.second, wide * scale_);
    const auto in = [&](double v) {
      return a.contains(v) || b.contains(v * scale_) ||
             (std::min(a.low, b.low * back) <= v && v <= std::max(a.high, b.high * back));
    };
    found(e, false, in(y) && in(s.value(e.second) * back), wanted);
  }

  // Nothing was rounded to a subnormal or lost on the way to either output.
  bool scales_exactly(const Element& e, double y) const {
    if (plan_.exponent == 0) return true;
    const Seen& s = more_[e.call];
    const DType t = first_.type();
    const auto large = [](const Seen& of, int64_t i) {
      return of.overflows(i) || !(of.magnitude(i) < 0x1p120);
    };
    if (std::isnan(y)) return true;
    if (large(first_, e.first) || large(s, e.second)) return false;
    // A sum that is rounded before its bias is added must be normal by itself.
    const double least = 4 * (t == DType::f16 ? 0x1p-14 : 0x1p-126);
    if (first_.has_bias() && std::abs(first_.declared(e.first)) * std::min(1.0, scale_) < least) {
      return false;
    }
    if (y == 0 || (std::isinf(y) && plan_.exponent < 0)) return false;
    return is_normal_or_zero(t, y) && is_normal_or_zero(t, y * scale_);
  }

  void judge_bias(const Element& e) {
    const Seen& s = more_[e.call];
    check_twins(e, first_.exact(e.first), s.exact(e.second),
                first_.magnitude(e.first) + s.magnitude(e.second));
    const double y = first_.value(e.first), sum = y + s.bias(e.second);
    const uint16_t want = from_f64(s.type(), sum);
    const Legal legal = s.legal(e.second);
    const bool exact = inexact_.empty() && first_.declared(e.first) == y && !legal.overflow &&
                       legal.low == sum && legal.high == sum;
    const auto wanted = [&] {
      return fmt::format("legal: the first and its bias of {:.9g}", s.bias(e.second));
    };
    if (exact) return found(e, true, equal(s.type(), s.bits(e.second), want), wanted);
    const double wide = first_.bound(e.first) + s.bound(e.second) +
                        std::abs(first_.declared(e.first) - s.declared(e.second));
    const Legal b = s.legal(e.second, std::isfinite(wide) ? wide : s.bound(e.second));
    found(e, false, b.contains(s.value(e.second)), wanted);
  }

  void judge_sum(std::span<const Element> of) {
    const Element& e = of.front();
    double exact = 0, magnitude = first_.magnitude(e.first), sum = 0, low = 0, high = 0;
    bool any = first_.overflows(e.first);
    for (const Element& part : of) {
      const Seen& s = more_[part.call];
      const Legal l = s.legal(part.second);
      exact += s.exact(part.second), magnitude += s.magnitude(part.second);
      sum += s.value(part.second), low += l.low, high += l.high;
      any = any || l.overflow;
    }
    check_twins(e, first_.exact(e.first), exact, magnitude);
    const Legal whole = first_.legal(e.first);
    const double away = first_.value(e.first) - sum;
    const double least = whole.low - high, most = whole.high - low;
    // Where an infinity takes part there is no distance to speak of.
    const bool holds = any || std::isnan(away) || std::isnan(least) || std::isnan(most) ||
                       (least <= away && away <= most);
    ++out_.judged.within;
    if (holds) return;
    broken(e, fmt::format("{}; the sum of {} calls is {:.9g}; legal: a difference of {:.9g} to "
                          "{:.9g}",
                          shown(first_, e.first), of.size(), sum, least, most));
  }

  void judge_declared(const Element& e) {
    const double y = first_.declared(e.first);
    const uint16_t want = first_.stored(e.first), got = first_.bits(e.first);
    const bool exact = inexact_.empty() && static_cast<double>(static_cast<float>(y)) == y &&
                       (y == 0 || std::abs(y) >= 0x1p-120);
    const bool same = equal(first_.type(), got, want);
    // Adders that take units off for zeros that oppose the sum reach the other side of a tie, and
    // the half of the smallest subnormal.
    const bool within = !exact || first_.arithmetic() != Arithmetic::ieee;
    const bool holds = same ? exact || first_.legal(e.first).contains(first_.value(e.first))
                            : within && first_.legal(e.first).contains(first_.value(e.first));
    ++(exact && (same || !within) ? out_.judged.exact : out_.judged.within);
    if (holds) return;
    broken(e, fmt::format("{}; legal: {:.9g} ({:#06x}), the weight after its store",
                          shown(first_, e.first), to_f64(first_.type(), want), want));
  }

  void judge_differs(const Element& e) {
    const Seen& s = more_[e.call];
    const Legal a = first_.legal(e.first), b = s.legal(e.second);
    const bool apart =
        !a.nan && !b.nan && !a.overflow && !b.overflow && (a.high < b.low || b.high < a.low);
    if (!apart) {
      ++out_.judged.within;
      return;
    }
    found(e, true, !equal(s.type(), first_.bits(e.first), s.bits(e.second)),
          [] { return "legal: different numbers"; });
  }

  const Plan& plan_;
  Seen first_;
  std::vector<Seen> more_;
  std::string inexact_;
  double scale_;
  Related out_;
};

}  // namespace

Related relate(const Plan& plan, const Done& first, std::span<const Done> more,
               std::string inexact) {
  return Relater(plan, first, more, std::move(inexact)).all();
}

}  // namespace w4
