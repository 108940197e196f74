// Scalar loads: whole dwords from global memory (kernel arguments above all) into SGPRs.
#include <array>
#include <type_traits>

#include "rdna/access.h"
#include "rdna/checks/bounds.h"
#include "rdna/checks/global_race.h"
#include "rdna/confirm.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

// The address of a scalar load; false when it is undefined.
template <Track T>
bool address(Wave& w, const Op& op, uint64_t& a) {
  const bool offset_register = op.nsrc > 1;
  if constexpr (T == Track::on) {
    uint32_t known = read_sdef(w, op.src[0]) & read_sdef(w, op.src[0], 1);
    if (offset_register) known &= read_sdef(w, op.src[1]);
    if (known != ~0u) [[unlikely]] {
      undefined(w, op, FindingKind::undefined_address, 0);
      if (w.state != WaveState::ready) return false;
    }
  }
  a = read_s64(w, op.src[0]) + static_cast<uint64_t>(op.imm[0]);
  if (offset_register) a += read_s(w, op.src[1]);
  return true;
}

// The buffer under n bytes at a; a finding when there is none, and then false.
bool place(Wave& w, const Op& op, uint64_t a, uint64_t n, Buffer*& b) {
  b = w.group->launch->memory->find(a, n);
  if (b && b->gaps.empty()) [[likely]]
    return true;
  uint64_t lanes[kLanes];
  for (uint64_t& x : lanes) x = a;
  return check_lanes(w, op, lanes, n, false, 1);
}

template <Track T>
uint32_t defined_bits(const Buffer& b, uint64_t offset, uint64_t n) {
  uint32_t defined = ~0u;
  if (T == Track::off || !b.state) return defined;
  for (uint64_t k = 0; k < n; ++k) {
    if (!(b.state[offset + k] & kDefined)) defined &= ~(0xffu << (8 * k));
  }
  return defined;
}

template <Track T>
void confirm_load(Wave& w, const Op& op, uint64_t a, int words) {
  if constexpr (T == Track::on) {
    if (w.group->launch->confirm) [[unlikely]]
      w.group->launch->confirm->scalar_loaded(w, op, a, words);
  }
}

bool used(Wave& w, const Op& op, Buffer& b, uint64_t offset, uint64_t n) {
  const uint64_t at[kLanes] = {offset};
  return global_use(w, op, b, at, n, 1, Use::read);
}

template <Track T, int N>
void load(Wave& w, const Op& op) {
  uint64_t a;
  Buffer* b;
  if (!address<T>(w, op, a)) return;
  a &= ~uint64_t{3};  // the hardware ignores the two low bits
  if (!place(w, op, a, N * 4, b)) return;
  if (b && !used(w, op, *b, a - b->base, N * 4)) return;
  for (int i = 0; i < N; ++i) {
    uint32_t value = 0, defined = ~0u;
    if (b) {
      const uint64_t offset = a - b->base + static_cast<uint64_t>(i) * 4;
      std::memcpy(&value, b->data + offset, 4);
      defined = defined_bits<T>(*b, offset, 4);
    }
    write_s(w, op.dst[0].reg + i, value, defined);
  }
  confirm_load<T>(w, op, a, N);
}

// gfx12: one byte or two, extended to 32 bits.
template <Track T, class V>
void load_narrow(Wave& w, const Op& op) {
  uint64_t a;
  Buffer* b;
  if (!address<T>(w, op, a)) return;
  a &= ~uint64_t{sizeof(V) - 1};
  if (!place(w, op, a, sizeof(V), b)) return;
  if (b && !used(w, op, *b, a - b->base, sizeof(V))) return;
  V value = 0;
  uint32_t defined = ~0u;
  if (b) {
    const uint64_t offset = a - b->base;
    std::memcpy(&value, b->data + offset, sizeof value);
    defined = defined_bits<T>(*b, offset, sizeof value);
    // Copies of an undefined sign bit are undefined too.
    if (std::is_signed_v<V> && !(defined >> (8 * sizeof(V) - 1) & 1))
      defined &= (1u << (8 * sizeof(V))) - 1;
  }
  write_s(w, op.dst[0].reg, static_cast<uint32_t>(static_cast<int32_t>(value)), defined);
  confirm_load<T>(w, op, a, 1);
}

template <int N>
constexpr Row row(std::string_view mnemonic) {
  return {
      mnemonic, {load<Track::off, N>, load<Track::on, N>}, Flow::special, "smem", Evidence::ieee};
}

template <class V>
constexpr Row narrow(std::string_view mnemonic) {
  return {mnemonic,
          {load_narrow<Track::off, V>, load_narrow<Track::on, V>},
          Flow::special,
          "smem",
          Evidence::ieee};
}

constexpr std::array kRows = {
    narrow<uint8_t>("s_load_u8"),  narrow<int8_t>("s_load_i8"), narrow<uint16_t>("s_load_u16"),
    narrow<int16_t>("s_load_i16"), row<1>("s_load_b32"),        row<2>("s_load_b64"),
    row<3>("s_load_b96"),          row<4>("s_load_b128"),       row<8>("s_load_b256"),
    row<16>("s_load_b512"),
};

}  // namespace

std::span<const Row> smem_rows() { return kRows; }

}  // namespace w4::rdna
