#include "campaign/report/lds_limits.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/contract.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using nlohmann::json;

struct Gate {
  std::string_view kernel;
  int64_t elements;
  int64_t rows;
  std::string_view says;
};

// tests/campaign/report holds each against what the kernels' host code decides on both sides.
constexpr std::array kGates{
    Gate{"decode", kLdsElements, 0, "above: medium, the rest of the activations from memory"},
    Gate{"chunked", kLdsElements, 0, "above: the LDS array is filled several times"},
    Gate{"hybrid", kLdsElements, kMaxDecodeM, "above: prefill instead of decode"},
    Gate{"moe", kMoeElements, 0, "above: the large array instead of the small one"},
    Gate{"moe", kLdsElements, 0, "above: the LDS array is filled several times"},
};

}  // namespace

json lds_limits() {
  json out = json::object();
  const w4_module& table = builtin_module();
  for (const w4_kernel& k : std::span(table.kernels, static_cast<size_t>(table.kernel_count))) {
    json gates = json::array();
    for (const Gate& g : kGates) {
      if (g.kernel == k.name)
        gates.push_back({{"elements", g.elements}, {"rows", g.rows}, {"says", g.says}});
    }
    const auto clauses = names_in(k.clauses);
    if (std::ranges::find(clauses, "lds.limit") != clauses.end())
      gates.push_back(
          {{"elements", kSoftLdsElements}, {"rows", 0}, {"says", "above: refused, lds.limit"}});
    out[k.name] = std::move(gates);
  }
  return out;
}

}  // namespace w4
