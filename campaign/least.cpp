#include "campaign/least.h"

#include <algorithm>
#include <set>

#include "core/dtypes.h"
#include "kernels/sorted_ids.h"
#include "kernels/table.h"
#include "verify/experts.h"

namespace w4 {
namespace {

uint64_t bytes(int64_t elements, int64_t each) {
  return static_cast<uint64_t>(elements) * static_cast<uint64_t>(each);
}

// Of one [N,K] matrix, in the form that the row takes.
uint64_t weight_bytes(const Problem& p, bool dense, bool carrier) {
  if (dense) return bytes(p.n * p.k, 2);
  uint64_t out = bytes(p.n * p.k, 1) / 2;
  if (carrier) return out + bytes(p.n * groups(p), 4);
  out += bytes(p.n * groups(p), 2);
  if (p.zp == ZpMode::packed) out += bytes((p.n + 7) / 8 * groups(p), 4);
  if (p.zp == ZpMode::unpacked) out += bytes(p.n * groups(p), 2);
  return out;
}

// What the routing asks of a layer of experts; verify/experts.h has their meaning.
struct ExpertWork {
  size_t experts = 0;       // that have a row
  size_t act = 0, out = 0;  // rows that must be read, written
  size_t computed = 0, ids = 0;
};

ExpertWork expert_work(const Case& c) {
  const Problem& p = c.problem;
  const std::vector<int32_t> expert_of_slot = route_slots(p, c.seed);
  const SortedIds sorted = sort_slots(expert_of_slot, p.experts, p.blockm);
  std::set<int32_t> hit;
  std::set<size_t> tokens;
  ExpertWork r;
  for (size_t s = 0; s < expert_of_slot.size(); ++s) {
    if (expert_of_slot[s] < 0) continue;
    hit.insert(expert_of_slot[s]);
    tokens.insert(s / static_cast<size_t>(p.topk));
    ++r.computed;
  }
  r.experts = hit.size();
  r.ids = sorted.experts.size();
  if (p.rows == Rows::scattered) {
    r.ids += sorted.sorted.size();
    r.act = p.silu ? r.computed : tokens.size();
    r.out = expert_of_slot.size();
    return r;
  }
  // Rows that pad a block are rows of the call, but for those of the last block.
  r.out = sorted.sorted.size();
  while (r.out > 0 && sorted.sorted[r.out - 1] >= slots(p)) --r.out;
  r.computed = 0;
  for (size_t row = 0; row < r.out; ++row) {
    r.computed += sorted.experts[row / static_cast<size_t>(p.blockm)] >= 0;
  }
  r.act = r.computed;
  return r;
}

}  // namespace

Least least_of(const Case& c) {
  const w4_module& module = builtin_module();
  for (int32_t i = 0; c.module.empty() && i < module.kernel_count; ++i) {
    const w4_kernel& k = module.kernels[i];
    if (c.kernel == k.name) return least_of(c, k.dense_weights != 0, k.reads_carrier != 0);
  }
  return least_of(c, false, false);
}

Least least_of(const Case& c, bool dense_weights, bool reads_carrier) {
  const Problem& p = c.problem;
  if (p.m <= 0 || p.n <= 0 || p.k <= 0) return {};
  const double matrix = static_cast<double>(p.n) * static_cast<double>(p.k);
  if (p.experts > 0) {
    const ExpertWork r = expert_work(c);
    const auto all = [](size_t rows, int64_t columns, int64_t each) {
      return bytes(static_cast<int64_t>(rows) * columns, each);
    };
    return {.bytes = r.experts * weight_bytes(p, dense_weights, reads_carrier) +
                     all(r.act, act_columns(p), 2) + all(r.out, p.n, 2) + all(r.ids, 1, 4),
            .weights = static_cast<double>(r.experts) * matrix,
            .products = static_cast<double>(r.computed) * matrix};
  }
  const auto [rows, columns] = bias_dims(p);
  return {.bytes = weight_bytes(p, dense_weights, reads_carrier) + bytes(rows * columns, 2) +
                   bytes(p.m * p.k, 2) + bytes(p.m * p.n, 2),
          .weights = matrix,
          .products = static_cast<double>(p.m) * matrix};
}

}  // namespace w4
