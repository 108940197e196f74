#include <algorithm>
#include <array>
#include <concepts>

#include "verify/shrink/search.h"

namespace w4 {
namespace {

// The largest of 16, 8, … that divides `v`: steps that keep what alignment a number has.
int64_t alignment(int64_t v) {
  int64_t unit = 16;
  while (v % unit != 0) unit /= 2;
  return unit;
}

// Down to `low`, in steps that keep the alignment first.
void lower(Search& s, int64_t low, int64_t high, const std::function<void(Case&, int64_t)>& set) {
  if (low >= high) return;
  const int64_t unit = alignment(high - low);
  bisect(s, low, high, unit, set);
}

// The value of a field left at auto, in the units of the field.
int64_t derived(std::string_view key, Problem p) {
  if (key == "lda") return p.lda.reset(), resolved_lda(p);
  if (key == "ldy") return p.ldy.reset(), resolved_ldy(p);
  if (key == "ldl") return p.ldl.reset(), resolved_ldl(p);
  if (key == "ldb") return p.ldb.reset(), bias_stride(p);
  return key == "cus" || key == "lead" ? 1 : 0;
}

// --- sizes

// A row stride that is not auto goes with the row it belongs to.
void move(Auto& stride, int64_t by) {
  if (stride) *stride += by;
}

void shrink_n(Search& s) {
  const auto set = [](Case& c, int64_t v) {
    move(c.problem.ldy, v - c.problem.n);
    c.problem.n = v;
  };
  const auto n = [&] { return s.best().problem.n; };
  if (n() > 1) s.with([&](Case& c) { set(c, 1); });
  if (n() % 8 == 0) bisect(s, 8, n(), 8, set);
  bisect(s, 1, n(), 1, set);
}

void shrink_k(Search& s) {
  const auto set = [](Case& c, int64_t v) {
    move(c.problem.lda, v - c.problem.k);
    c.problem.k = v;
  };
  const Problem& p = s.best().problem;
  const int64_t unit = p.g > 0 && p.k % p.g == 0 ? p.g : 1;
  bisect(s, unit, p.k, unit, set);
}

void shrink_m(Search& s) {
  bisect(s, 1, s.best().problem.m, 1, [](Case& c, int64_t v) { c.problem.m = v; });
  // Where the leading dimension has to divide M.
  const int64_t lead = s.best().problem.lead.value_or(1);
  if (lead > 1 && s.best().problem.m % lead == 0) {
    bisect(s, lead, s.best().problem.m, lead, [](Case& c, int64_t v) { c.problem.m = v; });
  }
}

void shrink_g(Search& s) {
  for (const int64_t g : {32, 64, 128}) {
    const int64_t had = s.best().problem.g;
    if (g >= had) break;
    const bool whole = s.best().problem.k % had == 0;
    // As many groups as before, or as many columns.
    if (whole && s.with_problem([&](Problem& p) { p.k = p.k / had * g, p.g = g; })) return;
    if (s.with_problem([&](Problem& p) { p.g = g; })) return;
  }
  const int64_t g = s.best().problem.g;
  if (g != 32 && g != 64 && g != 128) {
    bisect(s, 1, g, 1, [](Case& c, int64_t v) { c.problem.g = v; });
  }
}

void shrink_experts(Search& s) {
  bisect(s, 1, s.best().problem.experts, 1, [](Case& c, int64_t v) {
    c.problem.experts = v;
    c.problem.topk = std::min(c.problem.topk, v);
  });
  bisect(s, 1, s.best().problem.topk, 1, [](Case& c, int64_t v) { c.problem.topk = v; });
  // The numbers that kernels know, and whatever lies between.
  for (const int64_t v : {1, 2, 3, 4, 5, 16, 32}) {
    if (v < s.best().problem.blockm && s.with_problem([&](Problem& p) { p.blockm = v; })) break;
  }
  bisect(s, 1, s.best().problem.blockm, 1, [](Case& c, int64_t v) { c.problem.blockm = v; });
}

void shrink_sizes(Search& s) {
  shrink_n(s);
  shrink_k(s);
  shrink_m(s);
  shrink_g(s);
  shrink_k(s);
  shrink_experts(s);
}

bool is_size(std::string_view key) {
  constexpr std::array<std::string_view, 7> kSizes{"m", "n", "k", "g", "experts", "topk", "blockm"};
  return std::ranges::find(kSizes, key) != kSizes.end();
}

// --- one field of each type to something simpler; a field of a new type does not compile

// The member of `p` that for_each_field calls `key`.
template <class T>
T& member(Problem& p, std::string_view key) {
  T* found = nullptr;
  for_each_field(p, [&]<class M>(std::string_view name, M& m) {
    if constexpr (std::same_as<M, T>) {
      if (name == key) found = &m;
    }
  });
  return *found;
}

template <class T>
bool set(Search& s, std::string_view key, const T& value) {
  return s.with_problem([&](Problem& p) { member<T>(p, key) = value; });
}

void simplify(Search& s, std::string_view key, int64_t value) {
  lower(s, 0, value, [key](Case& c, int64_t v) { member<int64_t>(c.problem, key) = v; });
}

void simplify(Search& s, std::string_view key, const Auto& value) {
  if (!value || set<Auto>(s, key, std::nullopt)) return;
  lower(s, derived(key, s.best().problem), *value,
        [key](Case& c, int64_t v) { member<Auto>(c.problem, key) = v; });
}

void simplify(Search& s, std::string_view key, bool value) {
  if (value) set(s, key, false);
}

// Members of closed sets stand with the plainest first.
template <class E>
  requires std::is_enum_v<E>
void simplify(Search& s, std::string_view key, E value) {
  for (int i = 0; i < static_cast<int>(value); ++i) {
    if (set(s, key, static_cast<E>(i))) return;
  }
}

template <class T>
  requires(!std::integral<T>)
void simplify(Search& s, std::string_view key, const std::optional<T>& value) {
  if (value) set<std::optional<T>>(s, key, std::nullopt);
}

void simplify(Search& s, std::string_view key, const BiasShape& value) {
  const Extent m{Extent::Of::m, 0}, n{Extent::Of::n, 0}, one{Extent::Of::literal, 1};
  const std::array<BiasShape, 6> simpler{
      {{}, {1, {n, {}}}, {2, {one, one}}, {2, {one, n}}, {2, {m, one}}, {2, {m, n}}}};
  for (const BiasShape& b : simpler) {
    if (b == value || set(s, key, b)) return;
  }
}

}  // namespace

void shrink_shape(Search& s) {
  // At once what is seldom the reason: of a long line of accidents this leaves one run, not thirty.
  s.with_problem([](Problem& p) {
    const Problem had = p;
    p = {};
    p.m = had.m, p.n = had.n, p.k = had.k, p.g = had.g;
    p.act = had.act, p.zp = had.zp, p.src = had.src;
    p.lds = had.lds, p.cus = had.cus, p.qzeros = had.qzeros;
    p.experts = had.experts, p.topk = had.topk, p.blockm = had.blockm;
    p.route = had.route, p.rows = had.rows, p.silu = had.silu;
  });
  s.with([](Case& c) {
    Problem& p = c.problem;
    if (p.n > 8 || p.m > 1 || p.k > p.g) p.n = std::min<int64_t>(p.n, 8), p.m = 1, p.k = p.g;
  });
  shrink_sizes(s);
  Problem p = s.best().problem;
  for_each_field(p, [&]<class T>(std::string_view key, T&) {
    if (is_size(key)) return;
    // As it is now: earlier fields may have changed it.
    Problem now = s.best().problem;
    simplify(s, key, member<T>(now, key));
  });
  shrink_sizes(s);
}

}  // namespace w4
