// Scalar loads: whole dwords from global memory (kernel arguments above all) into SGPRs.
#include <array>

#include "rdna/access.h"
#include "rdna/checks/bounds.h"
#include "rdna/confirm.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

template <Track T, int N>
void load(Wave& w, const Op& op) {
  const bool offset_register = op.nsrc > 1;
  if constexpr (T == Track::on) {
    uint32_t known = read_sdef(w, op.src[0]) & read_sdef(w, op.src[0], 1);
    if (offset_register) known &= read_sdef(w, op.src[1]);
    if (known != ~0u) [[unlikely]] {
      undefined(w, op, FindingKind::undefined_address, 0);
      if (w.state != WaveState::ready) return;
    }
  }
  uint64_t a = read_s64(w, op.src[0]) + static_cast<uint64_t>(op.imm[0]);
  if (offset_register) a += read_s(w, op.src[1]);
  a &= ~uint64_t{3};  // the hardware ignores the two low bits
  Buffer* b = w.group->launch->memory->find(a, N * 4);
  if (!b || !b->gaps.empty()) [[unlikely]] {
    uint64_t lanes[kLanes];
    for (uint64_t& x : lanes) x = a;
    if (!check_lanes(w, op, lanes, N * 4, false, 1)) return;
  }
  const int d = op.dst[0].reg;
  for (int i = 0; i < N; ++i) {
    uint32_t value = 0, defined = ~0u;
    if (b) {
      const uint64_t offset = a - b->base + static_cast<uint64_t>(i) * 4;
      std::memcpy(&value, b->data + offset, 4);
      if (T == Track::on && b->state) {
        for (uint64_t k = 0; k < 4; ++k) {
          if (!(b->state[offset + k] & kDefined)) defined &= ~(0xffu << (8 * k));
        }
      }
    }
    write_s(w, d + i, value, defined);
  }
  if constexpr (T == Track::on) {
    if (w.group->launch->confirm) [[unlikely]]
      w.group->launch->confirm->scalar_loaded(w, op, a, N);
  }
}

template <int N>
constexpr Row row(std::string_view mnemonic) {
  return {
      mnemonic, {load<Track::off, N>, load<Track::on, N>}, Flow::special, "smem", Evidence::ieee};
}

constexpr std::array kRows = {
    row<1>("s_load_b32"),  row<2>("s_load_b64"),  row<3>("s_load_b96"),
    row<4>("s_load_b128"), row<8>("s_load_b256"), row<16>("s_load_b512"),
};

}  // namespace

std::span<const Row> smem_rows() { return kRows; }

}  // namespace w4::rdna
