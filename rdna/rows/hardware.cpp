// What a wave asks of the machine it runs on: hardware registers (MODE above all) and the clock.
#include <array>

#include "rdna/access.h"
#include "rdna/report.h"
#include "rdna/table.h"
#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

// hwreg(id, offset, width): id in bits 5:0, offset 10:6, width - 1 in 15:11.
struct HwReg {
  int id, offset, width;
  uint32_t mask() const { return (width == 32 ? ~0u : (1u << width) - 1) << offset; }
};
HwReg hwreg(int64_t imm) {
  return {static_cast<int>(imm & 63), static_cast<int>(imm >> 6 & 31),
          static_cast<int>(imm >> 11 & 31) + 1};
}
constexpr int kModeReg = 1, kHwId1 = 23, kHwId2 = 24, kCycles = 29, kCyclesHigh = 30;

void set_mode(Wave& w, uint32_t m) {
  w.round32 = m & 3;
  w.round16_64 = m >> 2 & 3;
  w.denorm32 = m >> 4 & 3;
  w.denorm16_64 = m >> 6 & 3;
  w.dx10_clamp = m >> 8 & 1;
  w.ieee = m >> 9 & 1;
}

void set_register(Wave& w, const Op& op, const HwReg& r, uint32_t value) {
  if (r.id != kModeReg) return unsupported(w, op, "only hwreg MODE can be written");
  set_mode(w, (w.mode() & ~r.mask()) | ((value << r.offset) & r.mask()));
}
void setreg(Wave& w, const Op& op) { set_register(w, op, hwreg(op.imm[0]), read_s(w, op.src[0])); }
void setreg_imm32(Wave& w, const Op& op) {
  set_register(w, op, hwreg(op.imm[1]), static_cast<uint32_t>(op.imm[0]));
}

// Time moves on with the wave's own instructions and with each look at it, so that it is the same
// in every run and loops that wait for it end. Waves do not share it.
uint64_t clock_of(Wave& w) { return w.steps + 16 * ++w.clock_reads; }

// Registers that a kernel may read. Placement: one workgroup at a time, on the first compute unit.
void getreg(Wave& w, const Op& op) {
  const HwReg r = hwreg(op.imm[0]);
  const bool gfx12 = w.group->launch->program->code().major == 12;
  uint32_t x = 0;
  switch (r.id) {
    case kModeReg:
      x = w.mode();
      break;
    case kHwId1:
      x = static_cast<uint32_t>(w.id & 31);  // the wave's slot; SIMD, WGP, SA and SE are 0
      break;
    case kHwId2:
      break;
    case kCycles:  // 20 bits on gfx11, the low word on gfx12
      x = static_cast<uint32_t>(clock_of(w)) & (gfx12 ? ~0u : 0xfffffu);
      break;
    case kCyclesHigh:
      if (!gfx12) return unsupported(w, op, "hwreg 30 of gfx11 cannot be read");
      x = static_cast<uint32_t>(clock_of(w) >> 32);
      break;
    default:
      return unsupported(w, op, fmt::format("hwreg {} cannot be read", r.id));
  }
  write_s(w, op.dst[0].reg, (x & r.mask()) >> r.offset);
}

// A message that is answered: only the one that asks for the time.
constexpr int64_t kGetRealtime = 131;
template <int kWords>
void sendmsg_rtn(Wave& w, const Op& op) {
  if ((op.imm[0] & 0xff) != kGetRealtime)
    return unsupported(w, op, fmt::format("message {} has no answer here", op.imm[0] & 0xff));
  const uint64_t now = clock_of(w);
  for (int i = 0; i < kWords; ++i)
    write_s(w, op.dst[0].reg + i, static_cast<uint32_t>(now >> (32 * i)));
}
void round_mode(Wave& w, const Op& op) { set_mode(w, (w.mode() & ~0xfu) | (op.imm[0] & 0xf)); }
void denorm_mode(Wave& w, const Op& op) {
  set_mode(w, (w.mode() & ~0xf0u) | (op.imm[0] & 0xf) << 4);
}

constexpr Row same(std::string_view mnemonic, Handler h, Evidence e = Evidence::ieee) {
  return {mnemonic, {h, h}, Flow::special, "hardware", e};
}

constexpr std::array kRows = {
    same("s_setreg_b32", setreg),
    same("s_setreg_imm32_b32", setreg_imm32),
    same("s_getreg_b32", getreg, Evidence::document),
    same("s_round_mode", round_mode),
    same("s_denorm_mode", denorm_mode),
    same("s_sendmsg_rtn_b32", sendmsg_rtn<1>, Evidence::document),
    same("s_sendmsg_rtn_b64", sendmsg_rtn<2>, Evidence::document),
};

}  // namespace

std::span<const Row> hardware_rows() { return kRows; }

}  // namespace w4::rdna
