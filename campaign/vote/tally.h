// What became of all ballots: by device, by pair of devices, and the lines that somebody has to
// look at; as a table and as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/vote/voice.h"
#include "core/case.h"

namespace w4::vote {

// A case and what each device said of it, in the order of the devices.
struct Ballot {
  Case value;
  std::vector<Voice> voices;
};

struct DeviceCount {
  std::string name;
  int64_t green = 0, red = 0, mistrusted = 0, skipped = 0;
  std::map<std::string, int64_t> reasons{};  // of those skipped
};

// Two outputs that differ, both within their intervals.
struct Apart {
  Case value;  // of the first device
  Difference difference;
  double first = 0, second = 0;   // the element's values
  std::optional<double> share{};  // of the interval of the first device, its width
};

struct PairCount {
  size_t a = 0, b = 0;  // devices
  std::array<int64_t, kAgreements> cases{};
  std::vector<Apart> farthest{};  // most ulps first, at most kKept
  int64_t of(Agreement x) const { return cases[static_cast<size_t>(x)]; }
};

// Somebody has to look at it: an unexplained difference, or a device that is red.
struct Complaint {
  std::string what;                // "unexplained: gfx1151 and host: 3 of 64 elements differ"
  std::vector<std::string> lines;  // that show it again
};

class Tally {
 public:
  static constexpr size_t kKept = 16;

  explicit Tally(const std::vector<std::string>& devices);
  void add(const Ballot& ballot);

  int64_t cases() const { return cases_; }
  const std::vector<DeviceCount>& devices() const { return devices_; }
  std::vector<PairCount>& pairs() { return pairs_; }
  const std::vector<PairCount>& pairs() const { return pairs_; }
  const std::vector<Complaint>& complaints() const { return complaints_; }
  int64_t compared() const;  // pairs of outputs
  bool sound() const { return complaints_.empty() && compared() > 0; }

 private:
  void complain_of_red(const Ballot& ballot);

  int64_t cases_ = 0;
  std::vector<DeviceCount> devices_;
  std::vector<PairCount> pairs_;
  std::vector<Complaint> complaints_;
};

std::string to_text(const Tally& t);
nlohmann::json to_json(const Tally& t);

}  // namespace w4::vote
