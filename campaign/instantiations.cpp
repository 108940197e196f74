#include "campaign/instantiations.h"

#include <fmt/ranges.h>

namespace w4 {

void Instantiations::add(const std::string& device, const Verdict& v) {
  std::set<std::string>& on = launched_[device];  // a device with nothing misses everything
  on.insert(v.ran.symbols.begin(), v.ran.symbols.end());
}

std::vector<std::string> Instantiations::missing() const {
  constexpr size_t kNamed = 3;
  std::vector<std::string> out;
  for (const auto& [device, launched] : launched_) {
    for (const Expectation& e : believed_) {
      size_t all = 0, not_run = 0;
      std::vector<std::string> named;
      for (const std::string_view act : {"f16", "bf16"}) {
        for (const int g : e.groups) {
          for (const ExpectedKernel& k : e.kernels(act, g)) {
            ++all;
            if (launched.contains(k.symbol)) continue;
            ++not_run;
            if (named.size() < kNamed) named.push_back(k.symbol);
          }
        }
      }
      if (not_run == 0) continue;
      out.push_back(fmt::format("{} on {}: {} of {} instantiations never ran: {}{}", e.kernel,
                                device, not_run, all, fmt::join(named, ", "),
                                not_run > kNamed ? ", …" : ""));
    }
  }
  return out;
}

size_t Instantiations::ran() const {
  size_t n = 0;
  for (const auto& [device, launched] : launched_) n += launched.size();
  return n;
}

}  // namespace w4
