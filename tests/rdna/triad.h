// A triad: a kernel with one fault, its clean twin, and what exactly must be reported where. One
// folder a check holds the kernels (<check>.hip) and their rows (<check>.cpp); triads_test.cpp runs
// every row on every compiled object.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rdna/emulator.h"

namespace w4::rdna {

// Buffers in bytes (see Args in triad_kernel.h); 0: the kernel gets a null pointer.
struct Launch {
  uint32_t grid = 1, grid_y = 1;  // workgroups
  uint32_t block = 64;
  uint32_t dynamic_lds = 0;
  uint64_t in = 0, wei = 0, scale = 0, out = 0, work = 0;
  bool raw = false;   // work holds nothing
  bool pads = false;  // rows of k words of `in` at a stride of k + 4: what lies between is a gap
  int m = 0, n = 0, k = 0, g = 1;
  int missing_argument_bytes = 0;  // below 0: too many
};

enum class Arch : uint8_t { any, gfx11, gfx12 };
enum class Other : uint8_t { none, lane, wave, workgroup };  // where the other party is another one

struct Triad {
  std::string_view name;                // kernels <name>_fault and <name>_clean
  std::string_view twin{};              // <twin>_clean where several faults share a twin
  std::optional<FindingKind> kind{};    // nothing: a wrong answer that no check sees
  std::optional<FindingKind> before{};  // what another check stops the wave with, where that is on
  std::optional<FindingKind>
      fast_kind{};  // of the fast run, where only the confirming one can tell
  Arch arch = Arch::any;
  uint32_t check = 0;  // 0: the folder's
  Launch launch{};
  std::optional<Launch> faulty{};  // of the fault, where that is the launch itself
  // Of the finding; what is not given is not compared. The source line is the one that the kernels
  // mark `// FOUND <name>`. A wrong answer: offset of the first wrong byte.
  std::string_view buffer{};
  std::optional<int64_t> offset{};
  int wave = -1, lane = -1;
  std::string_view says{};    // part of the detail
  std::string_view born{};    // the whole birth, a regular expression; {BORN}: the marked line
  Other other = Other::none;  // its line is marked `// OTHER <name>`
  bool halves_may_alarm =
      false;            // the fast run, which tells halves apart but no bytes, may report the twin
  bool always = false;  // reported whatever the checks are: the wave cannot go on
  std::optional<Order> only_in{};  // the one schedule of the three that shows it
  bool only_clean = false;         // there is no fault
};

// The rows of one folder.
struct Triads {
  std::string_view folder;
  uint32_t check;  // the check that must find them; 0: it cannot be switched off
  std::span<const Triad> rows;
};

extern const Triads kAlignTriads, kBarrierTriads, kBoundsTriads, kGemmTriads, kGlobalRaceTriads,
    kLanesTriads, kLdsRaceTriads, kLimitTriads, kUninitTriads, kWritersTriads;

}  // namespace w4::rdna
