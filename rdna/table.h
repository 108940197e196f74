// THE instruction table: one row per documented mnemonic (suffixes _e32, _e64, _dpp cut off). One
// handler serves gfx11 and gfx12. A mnemonic that has no row is Unsupported, never guessed.
#pragma once

#include <span>
#include <string_view>

#include "rdna/op.h"

namespace w4::rdna {

// How an instruction carries undefined bits, used by the bit-exact confirming run.
enum class Flow : uint8_t {
  mix,  // any undefined source bit makes the whole result undefined
  bitwise_and,
  bitwise_or,
  bitwise_xor,
  bitwise_not,
  copy,     // bit i depends on bit i (AND/OR: known bits win)
  add,      // bits above the lowest undefined bit are undefined (add, sub, mul low)
  shift,    // a defined shift amount moves undefined bits; an undefined one makes all undefined
  half,     // per 16-bit half (packed math): a half depends on the selected halves
  select,   // v_cndmask: the chosen side
  special,  // the handler sets precise definedness itself (memory, lane moves, dot2, carry)
};

// What the result of an instruction rests on.
enum class Evidence : uint8_t { ieee, document, public_report, hardware_capture };

std::string_view name_of(Flow f);
std::string_view name_of(Evidence e);

struct Row {
  std::string_view mnemonic;
  Handler run[2];  // Track::off, Track::on
  Flow flow = Flow::mix;
  // The file it lives in: valu_int, valu_float, dot, salu, branch, vmem, lds …
  std::string_view family;
  Evidence evidence = Evidence::ieee;
};

// Each family file defines one of these; rdna/table.cpp concatenates them.
std::span<const Row> valu_int_rows();
std::span<const Row> valu_wide_rows();  // carries, 64-bit results, v_cndmask
std::span<const Row> valu_float_rows();
std::span<const Row> valu_minmax_rows();
std::span<const Row> valu_trig_rows();
std::span<const Row> valu_byte_rows();
std::span<const Row> valu_f64_rows();
std::span<const Row> valu_convert_rows();
std::span<const Row> valu_packed_rows();  // v_pk_*, mixed fma
std::span<const Row> dot_rows();          // v_dot*
std::span<const Row> valu_lane_rows();    // readlane, permlane, DPP movers, mbcnt, bpermute
std::span<const Row> compare_rows();
std::span<const Row> salu_rows();
std::span<const Row> salu_flow_rows();   // compares, selections, EXEC masks
std::span<const Row> salu_float_rows();  // gfx11.5 and gfx12
std::span<const Row> branch_rows();      // branches, barriers, waits, endpgm
std::span<const Row> hardware_rows();    // hardware registers, clock
std::span<const Row> vmem_rows();        // global, flat, scratch
std::span<const Row> buffer_rows();      // buffer loads and stores
std::span<const Row> atomic_rows();      // global, flat, buffer
std::span<const Row> lds_atomic_rows();
std::span<const Row> smem_rows();
std::span<const Row> lds_rows();
std::span<const Row> wmma_rows();
std::span<const Row> wmma_int_rows();

const Row* find_row(std::string_view mnemonic);
inline constexpr uint16_t kNoRow = 0xffff;
uint16_t index_of_row(std::string_view mnemonic);  // index in all_rows(), or kNoRow
std::span<const Row* const> all_rows();

}  // namespace w4::rdna
