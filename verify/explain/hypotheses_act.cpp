// Activations: which row and column of them, and what of K never arrives.
#include <fmt/format.h>

#include <algorithm>

#include "verify/explain/hypothesis.h"
#include "verify/explain/positions.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

template <class F>
Recipe with_act(const Observed& o, F act) {
  Recipe r = declared_recipe(o);
  r.act = [right = r.act, act](int64_t m, int64_t k) -> double { return act(right, m, k); };
  return r;
}

// Only columns that `keeps` keeps.
template <class F>
Variant kept(const Observed& o, std::string says, F keeps) {
  return {std::move(says), with_act(o, [keeps](const auto& right, int64_t m, int64_t k) {
            return keeps(m, k) ? right(m, k) : 0.0;
          })};
}

std::vector<Variant> stride_k(const Observed& o) {
  const int64_t lda = collapsed_lda(o.line.problem);
  if (o.x.moe || lda == o.k() || o.m() < 2) return {};
  return {
      {fmt::format("rows of act are taken to be K = {} elements apart instead of {}", o.k(), lda),
       with_act(o, [lda, width = o.k()](const auto& right, int64_t m, int64_t k) {
         const int64_t flat = m * width + k;
         return flat % lda < width ? right(flat / lda, flat % lda) : kUnknown;
       })}};
}

// Act [L,T,K] as rows: those are K apart, not T*K.
std::vector<Variant> stride_of_lead(const Observed& o) {
  const int64_t lead = o.line.problem.lead.value_or(1);
  if (o.x.moe || lead < 2 || o.m() <= lead) return {};
  const int64_t apart = o.m() / lead;
  std::vector<Variant> out;
  for (const bool zeros : {false, true}) {
    out.push_back(
        {fmt::format("rows of act [{},{},K] are taken to be as far apart as its leading dimension, "
                     "{}*K elements{}",
                     lead, apart, apart, zeros ? "; what lies outside reads as 0" : ""),
         with_act(o, [=, rows = o.m()](const auto& right, int64_t m, int64_t k) {
           if (m * apart < rows) return right(m * apart, k);
           return zeros ? 0.0 : kUnknown;
         })});
  }
  return out;
}

std::vector<Variant> other_row(const Observed& o) {
  if (o.m() < 2) return {};
  std::vector<Variant> out;
  const auto add = [&](std::string says, auto row) {
    out.push_back({std::move(says), with_act(o, [row](const auto& right, int64_t m, int64_t k) {
                     return right(row(m), k);
                   })});
  };
  const int64_t last = o.m() - 1;
  // Of slots, moe.slot_for_token says that.
  if (!o.x.moe) add("every row uses row 0 of act", [](int64_t) { return int64_t{0}; });
  add("every row uses the previous row of act",
      [](int64_t m) { return std::max<int64_t>(m - 1, 0); });
  add("every row uses the next row of act", [last](int64_t m) { return std::min(m + 1, last); });
  add("the last row uses the row of act before it",
      [last](int64_t m) { return m == last ? last - 1 : m; });
  add("every row uses the last row of act", [last](int64_t) { return last; });
  if (!o.x.moe) return out;
  // What an earlier block left where a block's rows are kept.
  out.push_back({"the last row uses the row of act that had its place in the block before",
                 with_act(o, [&o, last](const auto& right, int64_t m, int64_t k) {
                   if (m != last) return right(m, k);
                   const int64_t row = row_at(o, position_of(o, m) - o.line.problem.blockm);
                   return row < 0 ? kUnknown : right(row, k);
                 })});
  return out;
}

std::vector<Variant> tail(const Observed& o) {
  std::vector<Variant> out;
  std::vector<int64_t> used{0};
  const auto add = [&](int64_t count, const std::string& why) {
    if (std::ranges::find(used, count) != used.end() || count < 0 || count >= o.k()) return;
    used.push_back(count);
    out.push_back(kept(o, fmt::format("the last {} of K = {} are dropped{}", count, o.k(), why),
                       [end = o.k() - count](int64_t, int64_t k) { return k < end; }));
  };
  const int64_t g = o.x.wei->g;
  for (const int64_t step : {4096, 2048, 1024, 512, 256, 128, 64, 32}) {
    add(o.k() % step, fmt::format(": K mod {}", step));
  }
  for (const int64_t groups : {4, 8}) {
    add(o.x.wei->groups() % groups * g, fmt::format(": K/G mod {} groups", groups));
  }
  add(g, ": the last group");
  for (const int64_t count : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}) add(count, "");
  return out;
}

std::vector<Variant> head(const Observed& o) {
  std::vector<Variant> out;
  for (const int64_t count : {1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}) {
    if (count >= o.k()) break;
    out.push_back(kept(o, fmt::format("the first {} of K are dropped", count),
                       [count](int64_t, int64_t k) { return k >= count; }));
  }
  return out;
}

std::vector<Variant> truncated(const Observed& o) {
  std::vector<Variant> out;
  for (const int64_t limit : {32768, 8192, 65536, 16384, 24576}) {
    if (o.m() * o.k() <= limit) continue;
    out.push_back({fmt::format("act is read past the end of its LDS array of {} elements", limit),
                   with_act(o, [limit, width = o.k()](const auto& right, int64_t m, int64_t k) {
                     return m * width + k < limit ? right(m, k) : kUnknown;
                   })});
    out.push_back(
        kept(o,
             fmt::format("act ends at flat element {}: what does not fit the LDS array "
                         "reads as zero",
                         limit),
             [limit, width = o.k()](int64_t m, int64_t k) { return m * width + k < limit; }));
  }
  return out;
}

std::vector<Variant> lanes(const Observed& o) {
  std::vector<Variant> out;
  for (const int64_t chunk : {16, 32, 8}) {
    const auto without = [&](std::string_view which, auto gone) {
      out.push_back(
          kept(o, fmt::format("partial sums of {} are missing (lanes of {} k each)", which, chunk),
               [chunk, gone](int64_t, int64_t k) { return !gone(k / chunk % 32); }));
    };
    if (o.k() <= chunk) continue;
    for (int64_t lane = 0; lane < 32 && lane * chunk < o.k(); ++lane) {
      without(fmt::format("lane {}", lane), [lane](int64_t l) { return l == lane; });
    }
    without("lanes 16 to 31", [](int64_t l) { return l >= 16; });
    without("lanes 0 to 15", [](int64_t l) { return l < 16; });
    without("odd lanes", [](int64_t l) { return l % 2 != 0; });
    without("even lanes", [](int64_t l) { return l % 2 == 0; });
  }
  return out;
}

std::vector<Variant> step_missing(const Observed& o) {
  std::vector<Variant> out;
  for (const int64_t step : {512, 1024, 2048, 256, 128, 64, 32}) {
    const int64_t count = (o.k() + step - 1) / step;
    for (int64_t i = 1; i + 1 < count && i <= 16; ++i) {
      out.push_back(kept(
          o, fmt::format("step {} of K, k = {}..{}, is skipped", i, i * step, (i + 1) * step - 1),
          [i, step](int64_t, int64_t k) { return k / step != i; }));
    }
  }
  return out;
}

std::vector<Variant> twice(const Observed& o) {
  std::vector<Variant> out;
  const auto add = [&](std::string says, int64_t first, int64_t count) {
    out.push_back(
        {std::move(says), with_act(o, [first, count](const auto& right, int64_t m, int64_t k) {
           return right(m, k) * (k >= first && k < first + count ? 2 : 1);
         })});
  };
  for (const int64_t count : {16, 32, 64, 128, 256, 512}) {
    if (count >= o.k()) break;
    add(fmt::format("the last {} of K are counted twice", count), o.k() - count, count);
    add(fmt::format("the first {} of K are counted twice", count), 0, count);
  }
  for (const int64_t parts : {2, 4, 8}) {
    const int64_t part = o.k() / 64 * 64 / parts;
    for (const int64_t step : {512, 1024, 256, 2048, 128, 64}) {
      if (part == 0 || part % step == 0) continue;
      const auto times = [=, all = o.k()](int64_t k) {
        int count = 0;
        for (int64_t i = 0; i < parts; ++i) {
          const int64_t first = i * part, length = i == parts - 1 ? all - first : part;
          count += k >= first && k < first + (length + step - 1) / step * step;
        }
        return count;
      };
      out.push_back({fmt::format("K is walked in {} parts of {} by steps of {}: what a step reads "
                                 "past its part is counted twice",
                                 parts, part, step),
                     with_act(o, [times](const auto& right, int64_t m, int64_t k) {
                       return right(m, k) * times(k);
                     })});
    }
  }
  return out;
}

constexpr Hypothesis kAll[]{
    {"act.lds_truncated", "act ends with the LDS array; what does not fit reads as zero", "B45 B46",
     "M*K over 8192 elements", truncated},
    {"act.stride_k", "rows of act are taken to be K elements apart", "B69 B70", "lda=, M > 1",
     stride_k},
    {"act.stride_of_lead", "rows of act are taken to be as far apart as its leading dimension",
     "B71", "lead=, two rows each and more", stride_of_lead},
    {"act.other_row", "another row of act is used", "B82 B39", "M > 1", other_row},
    {"k.tail_dropped", "the end of K is dropped", "B28 B30 B33", "always", tail},
    {"k.head_dropped", "the start of K is dropped", "B07", "always", head},
    {"k.lanes_missing", "partial sums of some lanes never arrive", "B51 B53", "always", lanes},
    {"k.step_skipped", "one step of the loop over K is skipped", "B31 B56", "always", step_missing},
    {"k.counted_twice", "a part of K is counted twice", "B31 B32", "always", twice},
};

}  // namespace

std::span<const Hypothesis> act_hypotheses() { return kAll; }

}  // namespace w4::explain
