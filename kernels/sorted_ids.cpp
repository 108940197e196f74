#include "kernels/sorted_ids.h"

namespace w4 {

SortedIds sort_slots(std::span<const int32_t> expert_of_slot, int64_t experts, int64_t block_m) {
  // One list an expert, the last for the slots of none.
  std::vector<std::vector<int32_t>> lists(static_cast<size_t>(experts) + 1);
  for (size_t s = 0; s < expert_of_slot.size(); s++) {
    const int64_t e = expert_of_slot[s];
    const bool here = e >= 0 && e < experts;
    lists[here ? static_cast<size_t>(e) : lists.size() - 1].push_back(static_cast<int32_t>(s));
  }
  const auto rows = static_cast<size_t>(block_m);
  const auto sentinel = static_cast<int32_t>(expert_of_slot.size());
  SortedIds out;
  for (size_t e = 0; e < lists.size(); e++) {
    const size_t blocks = (lists[e].size() + rows - 1) / rows;
    out.sorted.insert(out.sorted.end(), lists[e].begin(), lists[e].end());
    out.experts.insert(out.experts.end(), blocks,
                       e + 1 == lists.size() ? -1 : static_cast<int32_t>(e));
    out.sorted.resize(out.experts.size() * rows, sentinel);
  }
  return out;
}

}  // namespace w4
