#include "campaign/streams/suite_cases.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "campaign/suites/suite.h"

namespace w4 {
namespace {

constexpr std::string_view kWrittenFor = "gfx1151";
constexpr std::array<std::string_view, 4> kSuites{"smoke", "boundary", "moe", "sweep"};

class Sweep final : public Numbered {
 public:
  Sweep(std::vector<Case> cases, std::vector<std::string> devices, std::string module)
      : cases_(std::move(cases)), devices_(std::move(devices)), module_(std::move(module)) {}

  std::optional<Case> at(int64_t number) const override {
    if (number >= *count()) return std::nullopt;
    const auto each = static_cast<int64_t>(cases_.size());
    Case c = cases_[static_cast<size_t>(number % each)];
    c.device = devices_[static_cast<size_t>(number / each)];
    c.module = module_;
    return c;
  }
  std::optional<int64_t> count() const override {
    return static_cast<int64_t>(cases_.size() * devices_.size());
  }

 private:
  std::vector<Case> cases_;
  std::vector<std::string> devices_;
  std::string module_;
};

}  // namespace

std::vector<Case> suite_cases(std::span<const std::string> rows, uint64_t seed) {
  std::vector<Case> out;
  for (const std::string_view name : kSuites) {
    for (Case& c : find_suite(name)->cases(seed)) {
      if (std::ranges::find(rows, c.kernel) == rows.end() || c.device != kWrittenFor) continue;
      out.push_back(std::move(c));
    }
  }
  return out;
}

std::unique_ptr<const Numbered> sweep(std::span<const std::string> rows, uint64_t seed,
                                      std::vector<std::string> devices, std::string module) {
  return std::make_unique<Sweep>(suite_cases(rows, seed), std::move(devices), std::move(module));
}

}  // namespace w4
