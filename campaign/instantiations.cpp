#include "campaign/instantiations.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace w4 {

void Instantiations::add(const std::string& device, const Verdict& v) {
  std::set<std::string>& on = launched_[device];  // a device with nothing misses everything
  on.insert(v.ran.symbols.begin(), v.ran.symbols.end());
}

std::vector<Instantiations::Promised> Instantiations::promised() const {
  std::vector<Promised> out;
  for (const auto& [device, launched] : launched_) {
    for (const Expectation& e : believed_) {
      Promised& p = out.emplace_back(Promised{.kernel = std::string(e.kernel), .device = device});
      for (const std::string_view act : {"f16", "bf16"}) {
        for (const int g : e.groups) {
          for (const ExpectedKernel& k : e.kernels(act, g)) {
            ++p.all;
            if (!launched.contains(k.symbol)) p.never.push_back(k.symbol);
          }
        }
      }
    }
  }
  return out;
}

std::vector<std::string> Instantiations::missing() const {
  constexpr size_t kNamed = 3;
  std::vector<std::string> out;
  for (const Promised& p : promised()) {
    if (p.never.empty()) continue;
    const auto named = std::span(p.never).first(std::min(kNamed, p.never.size()));
    out.push_back(fmt::format("{} on {}: {} of {} instantiations never ran: {}{}", p.kernel,
                              p.device, p.never.size(), p.all, fmt::join(named, ", "),
                              p.never.size() > kNamed ? ", …" : ""));
  }
  return out;
}

size_t Instantiations::ran() const {
  size_t n = 0;
  for (const auto& [device, launched] : launched_) n += launched.size();
  return n;
}

}  // namespace w4
