// Outputs: what lands where, and what is never written.
#include <fmt/format.h>

#include <algorithm>

#include "verify/explain/hypothesis.h"
#include "verify/explain/positions.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

template <class F>
Variant landing(const Observed& o, std::string says, F from) {
  Recipe r = declared_recipe(o);
  r.from = [from](int64_t m, int64_t n) -> Element { return from(m, n); };
  return {std::move(says), std::move(r)};
}

std::vector<Variant> column_order(const Observed& o) {
  std::vector<Variant> out;
  if (o.n() % 8 != 0) return out;
  const auto add = [&](std::string says, std::array<int, 8> order) {
    out.push_back(landing(o, std::move(says), [order](int64_t m, int64_t n) {
      return Element{m, in_octet(n, order)};
    }));
  };
  add("columns of each octet are in order 0 2 4 6 1 3 5 7", kShuffledOrder);
  add("columns of each octet are in order 0 4 1 5 2 6 3 7", kShuffledSlot);
  add("columns of each octet are in reverse order", kReversed);
  add("each two neighbouring columns are swapped", kPairsSwapped);
  return out;
}

std::vector<Variant> shifted(const Observed& o) {
  std::vector<Variant> out;
  for (const int64_t by : {1, -1, 8, -8, 16, -16, 32, -32, 64, -64}) {
    if (by >= o.n() || -by >= o.n()) continue;
    out.push_back(landing(o, fmt::format("column n holds what belongs to column n{:+}", by),
                          [by, width = o.n()](int64_t m, int64_t n) {
                            const int64_t at = n + by;
                            return at < 0 || at >= width ? kNowhere : Element{m, at};
                          }));
  }
  return out;
}

std::vector<Variant> rows(const Observed& o) {
  if (o.m() < 2) return {};
  const int64_t last = o.m() - 1;
  std::vector<Variant> out{
      landing(o, "rows 2i and 2i+1 of the output are swapped",
              [last](int64_t m, int64_t n) { return Element{std::min(m ^ 1, last), n}; })};
  if (o.x.by > 1) {  // otherwise act.other_row says the same
    out.push_back(landing(o, "every row of the output holds the result of row 0",
                          [](int64_t, int64_t n) { return Element{0, n}; }));
    out.push_back(
        landing(o, "every row of the output holds the result of the previous row",
                [](int64_t m, int64_t n) { return Element{std::max<int64_t>(m - 1, 0), n}; }));
    out.push_back(
        landing(o, "the last row of the output holds the result of the row before it",
                [last](int64_t m, int64_t n) { return Element{m == last ? last - 1 : m, n}; }));
  }
  if (last > 1) {
    out.push_back(landing(o, "rows of the output are in reverse order",
                          [last](int64_t m, int64_t n) { return Element{last - m, n}; }));
  }
  if (o.m() < 8) return out;  // most of what such tiles exchange is padding
  // Rows of a matrix tile lie in two halves of a wave, in turn or one half after the other.
  const auto in_tile = [&](std::string says, auto place) {
    out.push_back(landing(o, std::move(says), [&o, place](int64_t m, int64_t n) {
      const int64_t at = position_of(o, m);
      const int64_t row = at < 0 ? -1 : row_at(o, at - at % 16 + place(at % 16));
      return row < 0 ? kNowhere : Element{row, n};
    }));
  };
  in_tile("rows of each tile of 16 are in order 0 2 4 … 14 1 3 5 … 15",
          [](int64_t i) { return 2 * (i % 8) + i / 8; });
  in_tile("rows of each tile of 16 are in order 0 8 1 9 … 7 15",
          [](int64_t i) { return 8 * (i % 2) + i / 2; });
  return out;
}

std::vector<Variant> unwritten(const Observed& o) {
  std::vector<Variant> out;
  const auto add = [&](std::string says, auto missing) {
    out.push_back(landing(o, std::move(says), [missing](int64_t m, int64_t n) {
      return missing(m, n) ? kUnwritten : Element{m, n};
    }));
  };
  add("nothing is written", [](int64_t, int64_t) { return true; });
  std::vector<int64_t> used{0, o.n()};
  const auto columns = [&](int64_t count, const std::string& why) {
    if (count >= o.n() || std::ranges::find(used, count) != used.end()) return;
    used.push_back(count);
    add(fmt::format("the last {} of {} columns are not written{}", count, o.n(), why),
        [first = o.n() - count](int64_t, int64_t n) { return n >= first; });
  };
  for (const int64_t tile : {128, 64, 32, 16, 8, 4, 2}) {
    columns(o.n() % tile, fmt::format(": N mod {}", tile));
  }
  columns(o.n() / 2, ": the upper half");
  for (const int64_t count : {1, 2, 3, 4, 8, 16, 32, 64}) columns(count, "");
  add("odd columns are not written", [](int64_t, int64_t n) { return n % 2 != 0; });
  for (const int64_t tile : {128, 64, 32, 16, 8}) {
    if (o.n() < 2 * tile) continue;
    add(fmt::format("the upper half of every {} columns is not written", tile),
        [tile](int64_t, int64_t n) { return n % tile >= tile / 2; });
  }
  if (o.m() < 2) return out;
  add("odd rows are not written", [](int64_t m, int64_t) { return m % 2 != 0; });
  add("the last row is not written", [last = o.m() - 1](int64_t m, int64_t) { return m == last; });
  add("only row 0 is written", [](int64_t m, int64_t) { return m > 0; });
  for (const int64_t tile : {4, 16, 32, 64, 128}) {
    const int64_t count = o.m() % tile;
    if (count == 0 || count == o.m()) continue;
    add(fmt::format("the last M mod {} = {} rows are not written", tile, count),
        [first = o.m() - count](int64_t m, int64_t) { return m >= first; });
  }
  return out;
}

std::vector<Variant> stride_n(const Observed& o) {
  const int64_t ldy = resolved_ldy(o.line.problem);
  if (ldy == o.n() || o.m() < 2) return {};
  return {landing(
      o,
      fmt::format("rows of the output are stored N = {} elements apart instead of {}", o.n(), ldy),
      [ldy, width = o.n(), count = o.m()](int64_t m, int64_t n) {
        const int64_t flat = m * ldy + n;
        return flat < count * width ? Element{flat / width, flat % width} : kUnwritten;
      })};
}

std::vector<Variant> transposed(const Observed& o) {
  if (o.m() < 2) return {};
  return {landing(o, "the output is stored transposed, [N,M] for [M,N]",
                  [count = o.m(), width = o.n()](int64_t m, int64_t n) {
                    const int64_t flat = m * width + n;
                    return Element{flat % count, flat / count};
                  })};
}

std::vector<Variant> other_value(const Observed& o) {
  std::vector<Variant> out;
  const auto add = [&](std::string says, auto store) {
    Recipe r = declared_recipe(o);
    r.store = [right = r.store, store, t = o.x.wei->act](double acc, double bias) -> uint16_t {
      return store(right, t, acc, bias);
    };
    out.push_back({std::move(says), std::move(r)});
  };
  using Right = std::function<uint16_t(double, double)>;
  add("every output is zero", [](const Right&, DType t, double, double) { return from_f64(t, 0); });
  add("the sum is lost: outputs are the bias alone",
      [](const Right& right, DType, double, double bias) { return right(0, bias); });
  add("every output has the other sign", [](const Right& right, DType, double acc, double bias) {
    return static_cast<uint16_t>(right(acc, bias) ^ 0x8000);
  });
  add("outputs below zero are zero", [](const Right& right, DType t, double acc, double bias) {
    const uint16_t y = right(acc, bias);
    return to_f64(t, y) < 0 ? uint16_t{0} : y;
  });
  return out;
}

constexpr Hypothesis kAll[]{
    {"out.unwritten", "a part of the output is never written", "B08 B24 B25 B26 B27 B48 B54",
     "always", unwritten},
    {"out.column_order", "columns are permuted within octets", "B44 B55", "N % 8 = 0",
     column_order},
    {"out.shifted", "columns land some places further", "B60 B34", "always", shifted},
    {"out.rows", "rows of the output are swapped, repeated or in another order", "B73 B60 B55",
     "M > 1", rows},
    {"out.stride_n", "rows of the output are stored N elements apart", "B70", "ldy=, M > 1",
     stride_n},
    {"out.transposed", "the output is stored transposed", "B92", "M > 1", transposed},
    {"out.value", "outputs are zero, the bias alone, negated, or cut at zero", "B08 B59", "always",
     other_value},
};

}  // namespace

std::span<const Hypothesis> output_hypotheses() { return kAll; }

}  // namespace w4::explain
