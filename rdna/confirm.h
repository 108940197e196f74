// The confirming run: bit-exact definedness with the place where each undefined value was born,
// and both parties of LDS races. Slow; runs a case again that raised an alarm.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rdna/rows/move_bytes.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

enum class Space : uint8_t { lds, scratch, global };

class Confirm {
 public:
  explicit Confirm(Launch& launch) : launch_(launch) {}
  void start_workgroup(Workgroup& g);  // everything undefined but what the wave start defines
  void step(Wave& w, const Op& op);    // runs op under Track::on and carries the exact bits

  // Called by memory handlers after they moved N bytes a lane.
  void loaded(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg, Fit fit,
              uint32_t lanes);
  void stored(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg, int shift,
              uint32_t lanes);

  void scalar_loaded(Wave& w, const Op& op, uint64_t address, int words);
  // Of `lanes`, those whose N low bytes (after the shift) of the rows at reg hold undefined bits.
  uint32_t undefined_bytes(const Wave& w, int reg, int n, int shift, uint32_t lanes) const;

  // Where the undefined value that op meets in one of `lanes` (0: a scalar) was born.
  std::string birth(const Wave& w, const Op& op, uint32_t lanes) const;
  // Fills pc, lane and text of the access that `me` collided with at an LDS byte.
  void earlier_lds_access(const Workgroup& g, uint64_t byte, int me, bool writer, Party& out) const;

 private:
  [[maybe_unused]] Launch& launch_;
};

}  // namespace w4::rdna
