#include "campaign/long_run/plan.h"

#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

namespace w4 {
namespace {

using nlohmann::json;

template <class P, class F>
void members(P& p, F&& f) {
  f("sources", p.sources), f("kernels", p.kernels), f("devices", p.devices);
  f("module", p.module), f("seed", p.seed), f("seconds", p.seconds), f("cases", p.cases);
  f("shard", p.shard), f("shards", p.shards);
}

// Option: value, those at their defaults included.
std::map<std::string, std::string> options_of(const CampaignPlan& p) {
  return {{"--suite", fmt::format("{}", fmt::join(p.sources, " "))},
          {"--kernel", p.kernels.empty() ? "all" : fmt::format("{}", fmt::join(p.kernels, " "))},
          {"--device", fmt::format("{}", fmt::join(p.devices, " "))},
          {"--module", p.module.empty() ? "built in" : p.module},
          {"--seed", fmt::format("{}", p.seed)},
          {"--for", p.seconds == 0 ? "none" : fmt::format("{}s", p.seconds)},
          {"--cases", p.cases == 0 ? "none" : fmt::format("{}", p.cases)},
          {"--shard", fmt::format("{}/{}", p.shard, p.shards)}};
}

}  // namespace

std::string plan_to_text(const CampaignPlan& plan) {
  json out;
  members(plan, [&](const char* name, const auto& value) { out[name] = value; });
  return out.dump();
}

Result<CampaignPlan> plan_from_text(std::string_view text) {
  CampaignPlan plan;
  try {
    const json in = json::parse(text);
    members(plan, [&](const char* name, auto& value) { in.at(name).get_to(value); });
  } catch (const json::exception& e) {
    return fail("its plan cannot be read: {}", e.what());
  }
  return plan;
}

std::string difference(const CampaignPlan& stored, const CampaignPlan& now) {
  std::vector<std::string> out;
  const auto after = options_of(now);
  for (const auto& [option, before] : options_of(stored)) {
    if (after.at(option) != before)
      out.push_back(fmt::format("{} {}, now {}", option, before, after.at(option)));
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

std::string arguments_of(const CampaignPlan& p) {
  std::string out;
  const auto add = [&](const char* option, const auto& value) {
    out += fmt::format("{}{} {}", out.empty() ? "" : " ", option, value);
  };
  if (p.seconds > 0) add("--for", fmt::format("{}s", p.seconds));
  if (p.cases > 0) add("--cases", p.cases);
  for (const std::string& s : p.sources) add("--suite", s);
  for (const std::string& k : p.kernels) add("--kernel", k);
  for (const std::string& d : p.devices) add("--device", d);
  if (!p.module.empty()) add("--module", p.module);
  add("--seed", p.seed);
  if (p.shards > 1) add("--shard", fmt::format("{}/{}", p.shard, p.shards));
  return out;
}

}  // namespace w4
