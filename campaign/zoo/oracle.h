// Which oracle a red verdict is owed to, and whether it counts for a mutant.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict.h"
#include "zoo/expect.h"

namespace w4::zoo {

enum class Oracle : uint8_t {
  interval,  // an element outside the interval of its declared numerics
  laws,      // a relation between calls is broken
  memory,    // findings about accesses that are not the call's own
  value,     // findings about values nobody made, outputs nobody wrote or two did
  order,     // findings about races, barriers, waits
  contract,  // an illegal call ran, or a legal one was refused
  drift,     // outputs that lean to one side together, each in its interval
  audit,     // of the kernel table and of selection
  process,   // a crash, or an end that does not come
};
inline constexpr std::array kOracles{Oracle::interval, Oracle::laws,  Oracle::memory,
                                     Oracle::value,    Oracle::order, Oracle::contract,
                                     Oracle::drift,    Oracle::audit, Oracle::process};
std::string_view name_of(Oracle o);
std::string_view says_of(Oracle o);

struct Kill {
  Oracle oracle{};
  std::string what;  // "mismatch", "finding lds_oob", "accepted k.group", "law row_alone"
};

// What of the verdict counts as the mutant's death: a mismatch or broken law always; a finding
// where its family is one of the expected findings'; an acceptance or unexpected refusal by an
// expected clause; a crash or timeout where it is expected. Never a harness error, Unsupported,
// Mistrusted or Skipped. `native`: of a device without the emulator's checks, where a fault stands
// for any finding that is expected, and an end that does not come for one about order.
std::vector<Kill> kills_of(const Expect& expect, const Verdict& v, bool native = false);

}  // namespace w4::zoo
