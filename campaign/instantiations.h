// Whether a run launched every kernel that its rows promise: a floor that suites can ask for.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/verdict.h"
#include "kernels/expectations.h"

namespace w4 {

class Instantiations {
 public:
  explicit Instantiations(std::span<const Expectation> believed) : believed_(believed) {}

  // A case that was run on `device`.
  void add(const std::string& device, const Verdict& v);

  // A device and row: how many kernels it promises, and those that were not launched.
  struct Promised {
    std::string kernel, device;
    size_t all = 0;
    std::vector<std::string> never{};
  };
  std::vector<Promised> promised() const;

  // One sentence a device and row of which something was launched or wanted and something was not:
  // "decode on gfx1151: 2 of 558 instantiations never ran: a, b"; at most three are named.
  std::vector<std::string> missing() const;

  size_t ran() const;  // different ones, over all devices

 private:
  std::span<const Expectation> believed_;
  std::map<std::string, std::set<std::string>> launched_;  // by device
};

}  // namespace w4
