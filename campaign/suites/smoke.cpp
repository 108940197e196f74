#include "campaign/suites/smoke.h"

#include <algorithm>
#include <array>
#include <span>

#include "campaign/suites/boundary.h"
#include "campaign/suites/refusals.h"
#include "core/contract.h"
#include "kernels/decode_tile.h"
#include "verify/cases/row_cases.h"
#include "verify/cases/signal.h"

namespace w4 {
namespace {

// Rounds of the 90 combinations: as many as keep the suite under 20 s on two ordinary cores.
constexpr int64_t kRounds = 40;
constexpr int64_t kCombinations = 90;

// Below, at and above tiles (1, 2, 4 rows), octets, waves of a block, and a few whole blocks.
constexpr std::array<int64_t, 22> kN{1,  2,  3,  4,  5,  6,  7,  8,  9,  15,  16,
                                     17, 23, 24, 31, 33, 40, 63, 64, 65, 129, 192};
constexpr std::array<int64_t, 8> kOctetN{8, 16, 24, 32, 40, 64, 72, 136};
constexpr int64_t kManyRows = 65552;
// Groups per row; with G = 32 to 128 K runs from 32 to 4224, on both sides of one pass of the lanes
// (512 elements).
constexpr std::array<int64_t, 10> kGroupCounts{1, 2, 3, 4, 5, 7, 8, 9, 16, 33};
constexpr std::array<Auto, 9> kCus{Auto{}, 1, 7, 20, 32, 48, 96, 10000, 3};
constexpr Extent kM{Extent::Of::m, 0}, kExtentN{Extent::Of::n, 0}, kOne{Extent::Of::literal, 1};
constexpr std::array<BiasShape, 6> kBias{{{0, {}},
                                          {1, {kExtentN, {}}},
                                          {2, {kOne, kExtentN}},
                                          {2, {kM, kExtentN}},
                                          {2, {kOne, kOne}},
                                          {2, {kM, kOne}}}};
constexpr std::array<Source, 5> kSources{Source::shuffled, Source::ct, Source::awq, Source::gptq1,
                                         Source::gptq2};

// Choices for one case, independent of each other.
class Draw {
 public:
  Draw(uint64_t seed, int64_t index) : seed_(seed), index_(index) {}
  uint64_t below(uint64_t n) { return counter_bits(seed_, kTensor, index_, turn_++) % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }
  template <class Range>
  auto of(const Range& r) {
    return r[below(std::size(r))];
  }

 private:
  static constexpr uint32_t kTensor = 1000;  // no tensor of a problem has this number
  uint64_t seed_;
  int64_t index_, turn_ = 0;
};

Case combination(int64_t index, uint64_t seed) {
  constexpr std::array<int64_t, 3> kG{32, 64, 128};
  constexpr std::array<ZpMode, 3> kZp{ZpMode::none, ZpMode::packed, ZpMode::unpacked};
  Case c;
  c.kernel = "decode";
  c.seed = seed;
  c.problem.m = 1 + index % 5;
  c.problem.g = kG.at(static_cast<size_t>(index / 5 % 3));
  c.problem.act = index / 15 % 2 == 0 ? DType::f16 : DType::bf16;
  c.problem.zp = kZp.at(static_cast<size_t>(index / 30 % 3));
  return c;
}

void draw_shape(Case& c, Draw& draw) {
  Problem& p = c.problem;
  p.src = draw.of(kSources);
  const bool octets = p.zp == ZpMode::packed || p.src == Source::awq ||
                      (p.src != Source::shuffled && p.zp != ZpMode::none);
  p.n = octets ? draw.of(kOctetN) : draw.of(kN);
  p.k = p.g * draw.of(kGroupCounts);
  p.bias = draw.of(kBias);
  p.cus = draw.of(kCus);
}

// `lane` gives each lane its bit: every lane must have a k, and in bf16 a long sum drowns the bits.
bool lanes_show(const Problem& p) { return p.k >= 512 && (p.act == DType::f16 || p.k <= 1024); }

void draw_rest(Case& c, Draw& draw) {
  Problem& p = c.problem;
  constexpr std::array<int64_t, 4> kWeightPads{4, 16, 64, 128};
  if (draw.one_in(4)) p.wpad = draw.of(kWeightPads);
  if (draw.one_in(4)) p.spad = static_cast<int64_t>(1 + draw.below(9));
  if (draw.one_in(4)) {
    p.aoff = static_cast<int64_t>(16 * draw.below(4));
    p.woff = static_cast<int64_t>(4 * draw.below(8));
    p.soff = static_cast<int64_t>(2 * draw.below(8));
    p.zoff = p.zp == ZpMode::none ? 0 : static_cast<int64_t>(4 * draw.below(8));
    p.boff = p.bias.rank == 0 ? 0 : static_cast<int64_t>(2 * draw.below(8));
    p.yoff = static_cast<int64_t>(2 * draw.below(8));
  }
  // Half of the cases have the two fills that show most; the others share the rest.
  c.fill = draw.one_in(4) ? Fill::flat : draw.one_in(3) ? Fill::normal : draw.of(all_fills());
  if (c.fill == Fill::lane && !lanes_show(p)) c.fill = Fill::integer;
  c.sched.order = draw.one_in(3) ? Order::reversed : draw.one_in(3) ? Order::random : Order::rr;
  if (c.sched.order == Order::random) {
    c.sched.seed = draw.below(1000);
    if (c.sched.seed % 2 == 1) c.sched.order = Order::priority;
  }
  if (draw.one_in(4)) p.tile = draw.of(decode_tiles(p.m));
  if (c.sched.order == Order::rr && draw.one_in(8)) c.sched.quantum = 1;
}

class DrawChooser final : public Chooser {
 public:
  explicit DrawChooser(Draw& draw) : draw_(draw) {}
  int pick(int count) override {
    return static_cast<int>(draw_.below(static_cast<uint64_t>(count)));
  }

 private:
  Draw& draw_;
};

// Cases of each other row that has a generator.
constexpr int64_t kOfEachRow = 120;

void add_other_rows(std::vector<Case>& out, uint64_t seed) {
  constexpr std::array kFills{Fill::flat,    Fill::uniform, Fill::normal,
                              Fill::integer, Fill::special, Fill::extreme};
  const CaseLimits limits{.n = 64, .k = 1024, .large = true};
  int64_t index = 2 * kRounds * kCombinations;  // past the draws of decode
  for (const std::string_view row : generated_rows()) {
    if (row == "decode") continue;
    for (int64_t i = 0; i < kOfEachRow; ++i) {
      Draw draw(seed, index++);
      DrawChooser choose(draw);
      Case c = choose_case(choose, limits, row);
      c.seed = seed;
      c.fp = "auto";
      // The bound of a chain of matrix instructions grows with K, past an eighth of random sums
      // here: integers have none.
      c.fill = c.problem.k > kLdsElements / 2 ? Fill::integer : draw.of(kFills);
      ensure_signal(c);
      out.push_back(std::move(c));
    }
  }
}

}  // namespace

std::vector<Case> smoke_cases(uint64_t seed) {
  std::vector<Case> out;
  for (int64_t i = 0; i < kRounds * kCombinations; ++i) {
    Draw draw(seed, i);
    Case c = combination(i % kCombinations, seed);
    draw_shape(c, draw);
    draw_rest(c, draw);
    out.push_back(std::move(c));
  }
  for (int64_t i = 0; i < kCombinations; ++i) {
    Draw draw(seed, kRounds * kCombinations + i);
    Case c = combination(i, seed);
    draw_shape(c, draw);
    c.problem.n = c.problem.zp == ZpMode::none && c.problem.src != Source::awq ? 7 : 8;
    const BoundaryRow row = boundary_row(c.problem.g, c.problem.m);
    c.problem.k = draw.one_in(2) ? row.last_fit : row.first_past;
    out.push_back(std::move(c));
  }
  // Row numbers that need more than 16 bits.
  for (const DType act : {DType::f16, DType::bf16}) {
    Case c;
    c.kernel = "decode";
    c.seed = seed;
    c.problem.m = 2;
    c.problem.n = kManyRows;
    c.problem.k = 64;
    c.problem.g = 32;
    c.problem.act = act;
    c.problem.zp = ZpMode::packed;
    c.problem.bias = {2, {kM, kExtentN}};
    out.push_back(std::move(c));
  }
  add_other_rows(out, seed);
  for (const RefusalLine& r : refusal_lines()) {
    Result<Case> c = parse_case(r.line);  // the tests parse each of them
    c->seed = seed;
    out.push_back(std::move(*c));
  }
  return out;
}

}  // namespace w4
