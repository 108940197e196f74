// The confirming run: bit-exact definedness with the place where each undefined value was born,
// and both parties of LDS races. Slow; runs a case again that raised an alarm. The half masks of
// the waves are kept equal to the exact bits (a half counts as defined when all its bits are), so
// the checks in the handlers are the same ones, fed exactly.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rdna/rows/move_bytes.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

enum class Space : uint8_t { lds, scratch, global };

// Exact bits of one 32-bit register in every lane, and the birth of the undefined ones.
struct ExactRow {
  std::array<uint32_t, kLanes> bits{};
  std::array<uint32_t, kLanes> origin{};  // 0: this very register was never written
};

class Confirm {
 public:
  explicit Confirm(Launch& launch) : launch_(launch) {}
  void start_workgroup(Workgroup& g);  // everything undefined but what the wave start defines
  void step(Wave& w, const Op& op);    // runs op under Track::on and carries the exact bits

  // Called by memory handlers after they moved n bytes a lane.
  void loaded(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg, Fit fit,
              uint32_t lanes);
  void stored(Wave& w, const Op& op, Space space, const uint64_t* a, int n, int reg, int shift,
              uint32_t lanes);
  void defined(Wave& w, int reg, size_t words, uint32_t lanes);  // an atomic returned
  void scalar_loaded(Wave& w, const Op& op, uint64_t address, int words);
  void atomic_in_lds(const Wave& w, const Op& op, uint64_t address, size_t n, int lane);
  // Of `lanes`, those whose n low bytes (after the shift) of the rows at reg hold undefined bits.
  uint32_t undefined_bytes(const Wave& w, int reg, int n, int shift, uint32_t lanes) const;

  uint32_t defined_bits(const Wave& w, int reg, int lane) const {
    return waves_[static_cast<size_t>(w.id)]
        .v[static_cast<size_t>(reg)]
        .bits[static_cast<size_t>(lane)];
  }

  // Where the undefined value that op meets in one of `lanes` (0: a scalar) was born.
  struct Birth {
    std::string text;
    bool inactive_lane = false;  // it is no undefined value but one of an inactive lane
  };
  Birth birth(const Wave& w, const Op& op, uint32_t lanes);
  // Where the undefined LDS byte that op reads there was born.
  std::string birth_in_lds(const Op& op, uint64_t byte);
  // Fills in the access of this stretch between barriers that `me` collided with at an LDS byte;
  // leaves `out` alone where there is none of another wave.
  enum class Before : uint8_t { store, atomic, read };
  void earlier_lds_access(const Workgroup& g, uint64_t byte, int me, Before what, Party& out) const;

 private:
  // Bytes [first, end) of LDS that nobody wrote in this workgroup, and who wrote the byte before
  // and the byte behind; pc 0: nobody.
  struct Gap {
    uint64_t first = 0, end = 0;
    uint64_t below_pc = 0, above_pc = 0;
  };
  enum class Kind : uint8_t { vgpr, sgpr, scc, lds, scratch, global, here, inactive };
  struct Origin {
    Kind kind;
    uint64_t where;  // register or address
    uint64_t pc;     // of the instruction that read it first; 0: not read yet
    Gap gap{};       // LDS: as it was then
  };
  struct WaveBits {
    std::vector<ExactRow> v;
    std::array<uint32_t, kSgprs> s_origin{};
    uint32_t scc_origin = 0;
  };
  struct ByteBits {
    uint8_t bits = 0;
    uint32_t origin = 0;
  };
  struct Access {
    int wave = -1, lane = -1;
    uint64_t pc = 0;
    uint32_t epoch = 0;  // of the LDS shadow: since the last barrier or before
  };
  struct LdsAccess {
    Access store, atomics[2], readers[2];  // the last ones, of two different waves
  };
  static void note(Access (&last)[2], const Access& now) {
    if (last[0].wave != now.wave) last[1] = last[0];
    last[0] = now;
  }
  struct Sources;  // values and bits of an op's sources before it runs (confirm_sources.h)

  // births.cpp
  uint32_t intern(Kind kind, uint64_t where, uint64_t pc);
  std::string describe(uint32_t origin) const;
  std::string place(uint64_t pc) const;
  std::string hidden_argument(uint64_t offset) const;  // of the kernel arguments; empty: none
  std::string describe(uint64_t byte, const Gap& gap) const;
  const Gap& gap_at(uint64_t byte);
  // confirm_registers.cpp
  uint32_t origin_of(const Wave& w, int reg, int lane);
  uint32_t scalar_origin(const Wave& w, const Operand& o);
  Sources capture(Wave& w, const Op& op);
  void settle(Wave& w, const Op& op, const Sources& before, uint32_t lanes);
  void settle_scalars(const Wave& w, const Op& op, const Sources& before);
  void settle_wide(Wave& w, const Op& op, const Sources& before, uint32_t lanes);
  void put(Wave& w, int reg, int lane, uint32_t bits, uint32_t origin);
  // confirm.cpp
  void run(Wave& w, const Op& op);
  void taint(Wave& w, const Op& op);  // the lanes of w.from_inactive
  void permute_source(Wave& w, const Op& op);
  void move_lane(Wave& w, const Op& op, std::string_view mnemonic);
  void move_relative(Wave& w, const Op& op, std::string_view mnemonic);
  void swap(Wave& w, const Op& op);
  void follow_moves(Wave& w, const Op& op, const Sources& before);
  // confirm_memory.cpp
  ByteBits* bytes_of(const Wave& w, Space space, int lane, uint64_t a);

  Launch& launch_;
  std::vector<WaveBits> waves_;
  std::vector<ByteBits> lds_, scratch_;
  std::vector<LdsAccess> lds_access_;
  std::map<uint64_t, Gap> gaps_;    // by `end`; of the LDS as it is now
  std::vector<Origin> origins_{1};  // id 0 is never looked up
  std::map<std::tuple<Kind, uint64_t, uint64_t>, uint32_t> ids_;
  LaneMoves moves_;     // of the step that runs
  bool moved_ = false;  // a memory handler has set the exact bits of this step itself
};

}  // namespace w4::rdna
