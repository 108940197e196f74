// What `w4check bench` finds out: one row for each call, and the device's own copy beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/figure_rows.h"
#include "campaign/least.h"
#include "core/case.h"

namespace w4::bench {

// Seconds of one call (or copy), measured several times; never empty.
struct Samples {
  std::vector<double> seconds;
  double median() const;
  double low() const;
  double high() const;
};

enum class Unit : uint8_t { gb_per_s, tflop_per_s, instructions_per_weight };
std::string_view name_of(Unit u);  // "GB/s", "TFLOP/s", "wave-instructions/weight"

// A call to measure.
struct Wanted {
  Case value;
  std::string shape;  // "qkv"; "NxK" where it has no name
};

struct Row {
  Wanted of;
  // Whether the very call that is measured was green; if not, `verdict` says what it was, and there
  // are no figures. A green row without them says why in `why`.
  bool green = false, skipped = false;
  std::string verdict{}, why{};
  std::string instantiation{};
  Least least{};  // of a green row
  // On GPUs. cold: over `copies` copies of the operands in turn, which no cache holds together;
  // nullopt where `why` says so. warm: over one of them.
  int64_t copies = 0;
  std::optional<Samples> cold{}, warm{};
  // On emulated devices, which count and have no clock.
  std::optional<FigureRow> counted{};

  bool emulated() const { return counted.has_value(); }
  // The samples that the figure is of: cold where there are any.
  const Samples* timed() const;
  // What bounds the call: matrix products from 16 tokens on, memory below.
  Unit unit() const;
  // In that unit; nullopt: none.
  std::optional<double> figure() const;
};

// 1e9 bytes, 1e12 operations (two for each multiply-add) in a second.
double gb_per_s(const Least& least, double seconds);
double tflop_per_s(const Least& least, double seconds);

// Somebody else's product, timed by them (--with): docs/bench.md has the format.
struct Foreign {
  std::string who, shape, state;  // state: "cold" or "warm"
  int64_t n = 0, k = 0, m = 0, g = 0;
  double seconds = 0;
  // Of the bytes and products that this problem asks of us, so that only times are compared.
  Least least{};
  Unit unit() const;
  double figure() const;
};

struct DeviceCopy {
  uint64_t bytes = 0;  // copied: as many are read and written
  Samples samples;
  double gb_per_s() const;  // read and written
};

struct Measured {
  std::string device, about, asked;
  int64_t cache = 0;    // bytes; 0: not known
  std::string skipped;  // why nothing was measured; empty: it was
  std::string no_copy;  // why there is no copy to compare with
  std::optional<DeviceCopy> copy;
  int samples = 0;
  double floor = 0;  // seconds
  std::vector<Row> rows;
  std::vector<Foreign> foreign;
};

// Of a figure in GB/s: its part of the copy's; nullopt where there is none.
std::optional<double> of_copy(const Measured& r, const Row& row);

}  // namespace w4::bench
