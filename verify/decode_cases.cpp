#include "verify/decode_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/contract.h"

namespace w4 {
namespace {

template <class T, size_t N>
T one_of(Chooser& choose, const std::array<T, N>& values) {
  return values[static_cast<size_t>(choose.pick(static_cast<int>(N)))];
}

// Half of the time the first value.
template <class T, size_t N>
T mostly_first(Chooser& choose, const std::array<T, N>& values) {
  return choose.pick(2) == 0 ? values[0] : one_of(choose, values);
}

int64_t multiple_below(int64_t limit, int64_t of) { return limit / of * of; }

// K at the edges of the LDS: the last multiple of G with K*M <= 32768 and its neighbours, the
// largest that is accepted, and what lies between.
int64_t choose_edge_k(Chooser& choose, int64_t m, int64_t g) {
  const int64_t fits = multiple_below(kLdsElements / m, g);
  const int64_t accepted = multiple_below(kSoftLdsElements / m, g);
  switch (choose.pick(5)) {
    case 0:
      return fits;
    case 1:
      return std::min(fits + g, accepted);
    case 2:
      return accepted;
    case 3:
      return fits - g;
    default:
      return fits + g * choose.pick(static_cast<int>((accepted - fits) / g) + 1);
  }
}

int64_t choose_k(Chooser& choose, const CaseLimits& limits, int64_t m, int64_t g) {
  if (limits.lds_edge && choose.pick(6) == 5) return choose_edge_k(choose, m, g);
  const auto groups = static_cast<int>(std::max<int64_t>(1, limits.k / g));
  // A whole step of a wave is 512; one group, and one short of a step, are the tails.
  switch (choose.pick(4)) {
    case 0:
      return g;
    case 1:
      return g * (1 + choose.pick(groups));
    case 2:
      return std::min<int64_t>(limits.k / g * g, 512 * (1 + choose.pick(4)));
    default:
      return std::max(g, std::min<int64_t>(limits.k / g * g, 512 * (1 + choose.pick(4)) - g));
  }
}

int64_t choose_n(Chooser& choose, const CaseLimits& limits, bool whole_octets) {
  constexpr std::array<int64_t, 12> kEdges{8, 1, 2, 3, 4, 5, 7, 9, 15, 17, 31, 33};
  int64_t n =
      choose.pick(2) == 0 ? one_of(choose, kEdges) : 1 + choose.pick(static_cast<int>(limits.n));
  n = std::min(n, limits.n);
  return whole_octets ? std::max<int64_t>(8, std::min((n + 7) / 8 * 8, limits.n / 8 * 8)) : n;
}

BiasShape choose_bias(Chooser& choose) {
  const Extent m{Extent::Of::m, 0}, n{Extent::Of::n, 0}, one{Extent::Of::literal, 1};
  switch (choose.pick(6)) {
    case 1:
      return {1, {n, {}}};
    case 2:
      return {2, {one, n}};
    case 3:
      return {2, {m, n}};
    case 4:
      return {2, {one, one}};
    case 5:
      return {2, {m, one}};
    default:
      return {};
  }
}

void choose_memory(Chooser& choose, Problem& p) {
  constexpr std::array<int64_t, 4> kWeightPad{0, 4, 16, 128};
  constexpr std::array<int64_t, 3> kScalePad{0, 1, 5};
  if (choose.pick(3) == 1) {
    p.wpad = one_of(choose, kWeightPad);
    p.spad = one_of(choose, kScalePad);
  }
  if (choose.pick(3) == 1) {
    p.aoff = 16 * choose.pick(16);
    p.woff = 4 * choose.pick(64);
    p.soff = 2 * choose.pick(8);
    if (p.zp != ZpMode::none) p.zoff = (p.zp == ZpMode::packed ? 4 : 2) * choose.pick(8);
    if (p.bias.rank > 0) p.boff = 2 * choose.pick(8);
    p.yoff = 2 * choose.pick(8);
  }
}

Schedule choose_schedule(Chooser& choose) {
  constexpr std::array kOrders{Order::rr, Order::reversed, Order::random, Order::priority};
  Schedule s;
  s.order = one_of(choose, kOrders);
  if (s.order == Order::random || s.order == Order::priority)
    s.seed = static_cast<uint64_t>(choose.pick(256));
  else if (choose.pick(4) == 0)
    s.quantum = 1;
  return s;
}

}  // namespace

Case choose_decode_case(Chooser& choose, const CaseLimits& limits) {
  constexpr std::array<int64_t, 3> kGroups{32, 64, 128};
  constexpr std::array<ZpMode, 3> kZp{ZpMode::none, ZpMode::packed, ZpMode::unpacked};
  constexpr std::array<Source, 5> kSources{Source::shuffled, Source::ct, Source::awq, Source::gptq2,
                                           Source::gptq1};
  constexpr std::array<int64_t, 7> kCus{1, 2, 7, 20, 32, 48, 10000};
  constexpr std::array<std::string_view, 4> kFp{"auto", "ieee", "gfx1151", "gfx1201"};
  Case c;
  c.kernel = "decode";
  Problem& p = c.problem;
  p.m = 1 + choose.pick(5);
  p.g = one_of(choose, kGroups);
  p.k = choose_k(choose, limits, p.m, p.g);
  p.act = choose.pick(2) == 0 ? DType::f16 : DType::bf16;
  p.zp = one_of(choose, kZp);
  p.src = mostly_first(choose, kSources);
  const bool octets = p.zp == ZpMode::packed || p.src == Source::awq ||
                      (p.zp != ZpMode::none && p.src != Source::shuffled);
  p.n = choose_n(choose, limits, octets);
  p.bias = choose_bias(choose);
  choose_memory(choose, p);
  if (choose.pick(3) != 0) p.cus = one_of(choose, kCus);
  if (!limits.devices.empty()) {
    c.device =
        limits.devices[static_cast<size_t>(choose.pick(static_cast<int>(limits.devices.size())))];
  }
  c.fp = one_of(choose, kFp);
  c.fill = all_fills()[static_cast<size_t>(choose.pick(static_cast<int>(all_fills().size())))];
  c.seed = static_cast<uint64_t>(choose.pick(256));
  c.sched = choose_schedule(choose);
  return c;
}

}  // namespace w4
