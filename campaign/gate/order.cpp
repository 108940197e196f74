#include "campaign/gate/order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace w4::gate {

std::vector<Call> in_order(std::vector<Call> calls) {
  constexpr size_t kTurn = 8;
  struct Place {
    Why why;
    size_t turn, number;  // among those that show the same; of the call
    auto operator<=>(const Place&) const = default;
  };
  std::map<std::pair<Why, std::string>, size_t> seen;
  std::vector<Place> touched;
  std::vector<size_t> others;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].why == Why::other) {
      others.push_back(i);
    } else {
      touched.push_back({calls[i].why, seen[{calls[i].why, calls[i].what}]++, i});
    }
  }
  std::ranges::sort(touched);
  std::vector<Call> out;
  out.reserve(calls.size());
  size_t t = 0, o = 0;
  while (t < touched.size() || o < others.size()) {
    const bool other =
        t == touched.size() || (o < others.size() && out.size() % kTurn == kTurn - 1);
    out.push_back(std::move(calls[other ? others[o++] : touched[t++].number]));
  }
  return out;
}

}  // namespace w4::gate
