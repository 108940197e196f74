// What a law makes of a case: the calls to run, how their outputs correspond, and when that holds
// bit for bit (oracles.md 4). One function a law, in the files beside this one; judge_law.cpp runs
// what they plan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "reference/arrays.h"
#include "verify/context.h"
#include "verify/materialise.h"
#include "verify/setup.h"

namespace w4 {

// One call: a case of law=reference, with data that need not be those of its fill.
struct Side {
  Case line;
  Arrays x;
  std::shared_ptr<const SourceTensors> source;
  std::string data{};  // "act times 2^3": how the data differ from the line's own; empty: not
};

// Element `first` of the first call's output against `second` of further call `call`; flat indices
// m*N+n of either. An element may have several seconds (sums); they stand one after the other.
struct Element {
  int64_t first = 0;
  size_t call = 0;
  int64_t second = 0;
};

struct Plan {
  Side first;
  std::vector<Side> more{};

  enum class Kind : uint8_t {
    equal,      // second = first * 2^exponent
    adds_bias,  // second = first + the second call's bias
    sum,        // first = the sum of its seconds
    declared,   // no further call: first = store(the declared twin)
    differs,    // second and first are not equal where their intervals have nothing in common
  } kind = Kind::equal;
  int exponent = 0;
  std::vector<Element> elements{};  // empty: element i is element i of the one further call

  // Bit for bit only if this is empty: what the data or the declared numerics rule out.
  std::string inexact{};
  // Words of the instantiation that the law itself changes: those that begin with the letters and
  // have digits behind them ("m", "g"), and the names of zero-point forms where `zp` is set. All
  // others are equal where the relation holds bit for bit.
  std::string_view letters{};
  bool zp = false;
  bool any_words = false;  // the kernel promises equal bits whatever runs
  bool keep_tile = false;  // further calls take the tile of the first where they can
  bool again = false;      // no further call: the first launches a second time
  uint64_t neighbour = 0;  // bytes of a buffer that is placed before those of further calls
};

// A case on its way to a plan. Random choices are functions of the case's seed.
class Given {
 public:
  Given(const Setup& setup, Context& context) : setup_(setup), context_(context) {}

  const Setup& setup() const { return setup_; }
  const Case& line() const { return setup_.line; }
  const Problem& problem() const { return setup_.line.problem; }
  const w4_numerics& numerics() const;
  bool moe() const { return problem().experts > 0; }

  // Bits for coordinates of one of a law's own choices; below: a number in [0, n).
  uint64_t bits(uint32_t choice, int64_t i = 0, int64_t j = 0) const;
  int64_t below(uint32_t choice, int64_t n, int64_t i = 0, int64_t j = 0) const;

  // The case's own call, without its law; and the call of another line of the same kernel.
  Side side() const { return side_of(line()); }
  Side side_of(Case line) const;
  // Why the kernel takes no such call; nothing where it does.
  std::optional<std::string> why_not(const Case& line) const;

  // Makes what the product sees of the call's own activations, where a layer of experts has both.
  void refresh(Arrays& x, const Problem& p) const;

 private:
  const Setup& setup_;
  Context& context_;
};

// The first row of `act` is what row 0 of the call's tensor holds: rows, columns of K, and access.
// Under silu a row's K columns are those of the up half.
struct ActRows {
  Arrays& x;
  bool silu;
  int64_t rows() const;
  uint16_t& at(int64_t row, int64_t k);
};
ActRows act_rows(Arrays& x, const Problem& p);
// The act row that row m of the output reads.
int64_t act_row_of(const Arrays& x, const Problem& p, int64_t m);

// Gives `side` weights of its own: of its problem's sizes, no longer a shard of a checkpoint.
void set_weights(Side& side, Weights w, std::string data);

// |v| at least the smallest normal number of T, or 0; infinities and NaN count as normal.
bool is_normal_or_zero(DType t, double v);

}  // namespace w4
