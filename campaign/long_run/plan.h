// What a campaign is: what it draws its cases from and when it ends. Kept in the store as JSON, so
// that the same command, or --resume alone, goes on with it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct SourceInfo {
  std::string_view name, says;
  bool numbered = false;  // case i is a function of i: shards and resumed runs have the same cases
};
inline constexpr std::array kSources{
    SourceInfo{"random",
               "legal cases, relations and illegal calls of the kernels in turn, by number", true},
    SourceInfo{"laws", "relations only, by number", true},
    SourceInfo{"sweep", "the cases of smoke, boundary, moe and sweep, once on each device", true},
    SourceInfo{"guided", "cases changed by parts, from those that showed something new"},
    SourceInfo{"targets", "the targets of w4fuzz in turn, half a minute each"},
};

struct CampaignPlan {
  std::vector<std::string> sources{"random"};  // of kSources, each once
  std::vector<std::string> kernels{};          // empty: all of the module
  std::vector<std::string> devices{"gfx1151"};
  std::string module{};  // empty: built in
  uint64_t seed = 1;
  double seconds = 0;  // of all its parts together; 0: no end by time
  int64_t cases = 0;   // of all shards together; 0: no end by number
  int64_t shard = 1, shards = 1;
};

std::string plan_to_text(const CampaignPlan& plan);  // JSON
// The error names the member that is missing or has the wrong type.
Result<CampaignPlan> plan_from_text(std::string_view text);

// In which options the two differ: "--seed 1, now 2; --shard 1/4, now 2/4". Empty: in none.
std::string difference(const CampaignPlan& stored, const CampaignPlan& now);

// The arguments that make this plan: "--for 8h --suite random --seed 1".
std::string arguments_of(const CampaignPlan& plan);

}  // namespace w4
