#include "campaign/score/sample.h"

#include <algorithm>
#include <array>
#include <set>

#include "verify/cases/chooser.h"

namespace w4::score {

Sample make_sample(Stream& stream, int64_t most, uint64_t seed) {
  Sample out;
  std::array<std::vector<Candidate>, kMutationKinds> by_kind;
  for (auto& [code, executed] : stream.codes) {
    std::set<uint64_t> ran;
    for (const StreamCase& c : stream.cases) {
      if (const auto at = c.executed.find(code); at != c.executed.end())
        ran.insert(at->second.begin(), at->second.end());
    }
    const std::vector<uint64_t> all = executed.reachable();
    out.instructions += static_cast<int64_t>(all.size());
    out.instructions_run += static_cast<int64_t>(ran.size());
    for (Mutation& m : executed.mutations(all)) {
      ++out.mutations;
      if (!ran.contains(m.pc)) continue;
      ++out.mutations_run;
      const auto kind = static_cast<size_t>(m.kind);
      ++out.by_kind[kind];
      by_kind[kind].push_back({code, std::move(m)});
    }
  }
  // Each operator's: shuffled, then the first of every instruction before any second one.
  for (size_t kind = 0; kind < by_kind.size(); ++kind) {
    std::vector<Candidate>& these = by_kind[kind];
    NumberedChooser choose(seed, static_cast<int64_t>(kind));
    for (size_t i = these.size(); i > 1; --i)
      std::swap(these[i - 1], these[static_cast<size_t>(choose.pick(static_cast<int>(i)))]);
    std::set<std::pair<Code, uint64_t>> met;
    std::vector<Candidate> first, more;
    for (Candidate& c : these)
      (met.insert({c.code, c.mutation.pc}).second ? first : more).push_back(std::move(c));
    these = std::move(first);
    std::ranges::move(more, std::back_inserter(these));
  }
  for (size_t turn = 0; static_cast<int64_t>(out.chosen.size()) < most; ++turn) {
    bool any = false;
    for (auto& these : by_kind) {
      if (turn >= these.size()) continue;
      any = true;
      if (static_cast<int64_t>(out.chosen.size()) < most)
        out.chosen.push_back(std::move(these[turn]));
    }
    if (!any) break;
  }
  return out;
}

}  // namespace w4::score
