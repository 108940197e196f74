// The contract as named clauses over a Problem: every reason for which a kernel may refuse a call
// has a name, a predicate of its own, and the versions of the public op that check it. A kernel
// declares the clauses it has, by name, in the order it checks them (kernels/module.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"

namespace w4 {

struct Clause {
  std::string_view name;      // "k.group"
  std::string_view says;      // one sentence, the rule in our names
  std::string_view versions;  // "V1 V2 V3", "V3", "w4check" where no public version checks it,
                              // kManifest where decode takes what it forbids
  // The message where broken: names the argument, its value, and what is legal.
  std::optional<std::string> (*broken)(const Problem&, const Reported&);
};

// Clauses that only kernels with a manifest declare (intake/).
inline constexpr std::string_view kManifest = "manifest";
// Clauses of built-in kernels other than decode.
inline constexpr std::string_view kOthers = "other kernels";
inline bool of_decode(const Clause& c) { return c.versions != kManifest && c.versions != kOthers; }

// Clauses about the checkpoint, which only preparation can check: a call cannot show them.
bool of_source(std::string_view clause);

std::span<const Clause> all_clauses();
const Clause* find_clause(std::string_view name);

// Names of the declared clauses that the problem breaks, in declared order. Declared names that
// find_clause does not know are skipped: whoever loads a module checks its names.
std::vector<std::string> broken_clauses(std::span<const std::string> declared, const Problem& p,
                                        const Reported& r);

// A name may be bound to the hybrid's route: "tile.chunked@decode" is tile.chunked where the decode
// kernel is taken, and no clause elsewhere. find_clause and broken_clauses take such names;
// broken_clauses gives them back without the route, which is how a kernel refuses.
enum class Route : uint8_t { any, decode, prefill };
struct RoutedName {
  std::string_view clause;
  Route route = Route::any;
};
RoutedName routed_name(std::string_view declared);

// Constants of contract.md 6 and 15.
inline constexpr int64_t kLdsElements = 32768;  // activation elements in a 64 KiB LDS array
inline constexpr int64_t kSoftLdsElements =
    39321;  // trunc(32768 * 1.2): medium's limit in V1 and V2
inline constexpr int64_t kMaxDecodeM = 5;

// The hybrid's rule (contract.md 8, V3): everything else goes to prefill. The kernel's own array is
// the limit, whatever a device reports (K1, K7).
constexpr bool routes_to_decode(int64_t m, int64_t k) {
  return m <= kMaxDecodeM && static_cast<__int128>(k) * m <= kLdsElements;
}
// Activation elements in the small LDS array of the MoE kernel (contract.md 12).
inline constexpr int64_t kMoeElements = 8192;
// Workgroups of a grid: launches count work-items along x in 32 bits, 32 of them a workgroup.
inline constexpr int64_t kMaxWorkgroups = (int64_t{1} << 27) - 1;
inline constexpr int64_t kPrefillLds = 52224;  // bytes of the largest prefill tile, 128 x 64 x 128

}  // namespace w4
