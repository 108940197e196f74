// Which way a call takes in one module, and how that differs from the way in another.
#pragma once

#include <optional>
#include <string>

#include "campaign/diff/questioner.h"
#include "core/case.h"

namespace w4::diff {

struct Route {
  std::string text, symbols, block, grid;
};
// Of an answer to "ask" or "route". A call without a route has only `text`: why.
Route route_of(const Reply& r);

struct Change {
  std::string kernel, a, b;
  auto operator<=>(const Change&) const = default;
};
// The first of instantiation, symbols, blocks and grid that differs, without what the call itself
// says: the same change of many calls reads the same. nullopt: none does, or neither has a route.
std::optional<Change> change_of(const Case& c, const Route& a, const Route& b);

}  // namespace w4::diff
