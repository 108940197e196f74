// `w4check campaign`: cases of endless sources until a time or a number is over, resumed after
// whatever ended it. `w4check campaign status`: how it stands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct CampaignCommand {
  bool status = false;
  std::string db, json;
  std::string time;  // "8h"; empty: none
  std::optional<int64_t> cases;
  std::vector<std::string> sources, kernels, devices;
  std::string module, shard;
  std::optional<uint64_t> seed;
  bool resume = false, no_shrink = false;
  std::optional<double> settle;  // seconds; nullopt: by default
  int jobs = 1;
  double timeout = 600;
  std::string typed;  // the command line, for the store
};

// Adds `campaign`; parsing sets `c`.
void add_campaign(CLI::App& app, CampaignCommand& c);

// Exit codes as `run`; 3 as well where the store or the log cannot be written.
int campaign_command(const CampaignCommand& c);

}  // namespace w4
