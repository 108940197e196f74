// buffer_* loads and stores. What is outside num_records is defined (0, dropped) and no finding;
// the rest goes through the checks of global memory.
#include <array>

#include "rdna/rows/buffer_address.h"
#include "rdna/rows/global_move.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

template <Track T>
bool resolve(Wave& w, const Op& op, BufferAccess& a) {
  if (w.exec() == 0) return false;
  if constexpr (T == Track::on) {
    if (const uint32_t bad = undefined_buffer_address(w, op)) {
      undefined(w, op, FindingKind::undefined_address, bad);
      if (w.state != WaveState::ready) return false;
    }
  }
  return buffer_access(w, op, a);
}

// Runs f(addresses) with EXEC narrowed to `lanes`, `skip` bytes into each lane's data.
template <class F>
void with_lanes(Wave& w, const BufferAccess& a, uint32_t lanes, uint64_t skip, F f) {
  if (!lanes || w.state != WaveState::ready) return;
  const uint32_t e = w.exec();
  uint64_t at[kLanes];
  for (int l = 0; l < kLanes; ++l) at[l] = a.address[l] + skip;
  fill_inactive(at, lanes);
  w.s[kExec] = lanes;
  f(at);
  w.s[kExec] = e;
}

// Zeros, as a load outside the range gives them: to the confirming run a load from the null page,
// where no byte is undefined.
template <Track T, int N, Fit F>
void put_zeros(Wave& w, const Op& op, int reg, uint32_t lanes) {
  if (!lanes || w.state != WaveState::ready) return;
  Lanes t[(N + 3) / 4] = {};
  put_loaded<N, F>(w, reg, t, lanes);
  if constexpr (T == Track::on) {
    put_masks<N, F>(w, reg, {}, lanes);
    if (w.group->launch->confirm) {
      const uint64_t nowhere[kLanes] = {};
      w.group->launch->confirm->loaded(w, op, Space::global, nowhere, N, reg, F, lanes);
    }
  }
}

// Every word of an access is checked by itself; narrower accesses are one part.
constexpr int part_bytes(int n) { return n < 4 ? n : 4; }

// Of `lanes`, those whose N bytes all lie inside: the way of nearly all accesses.
template <int N>
uint32_t wholly_inside(const BufferAccess& a, uint32_t lanes) {
  uint32_t whole = lanes;
  for (int i = 0; i < N; i += part_bytes(N))
    whole &= a.inside(lanes, part_bytes(N), static_cast<uint64_t>(i));
  return whole;
}

template <Track T, int N, Fit F>
void load(Wave& w, const Op& op) {
  BufferAccess a;
  if (!resolve<T>(w, op, a)) return;
  constexpr int kPart = part_bytes(N);
  const uint32_t whole = wholly_inside<N>(a, w.exec());
  const uint32_t rest = w.exec() & ~whole;
  with_lanes(w, a, whole, 0, [&](const uint64_t* at) { global_load_at<T, N, F>(w, op, at); });
  if (!rest) return;
  Op part = op;
  for (int i = 0; i < N; i += kPart) {
    const uint32_t in = a.inside(rest, kPart, static_cast<uint64_t>(i));
    part.dst[0].reg = static_cast<uint16_t>(op.dst[0].reg + i / 4);
    with_lanes(w, a, in, static_cast<uint64_t>(i),
               [&](const uint64_t* at) { global_load_at<T, kPart, F>(w, part, at); });
    put_zeros<T, kPart, F>(w, part, part.dst[0].reg, rest & ~in);
  }
}

template <Track T, int N, int kShift>
void store(Wave& w, const Op& op) {
  BufferAccess a;
  if (!resolve<T>(w, op, a)) return;
  constexpr int kPart = part_bytes(N);
  const uint32_t whole = wholly_inside<N>(a, w.exec());
  const uint32_t rest = w.exec() & ~whole;
  with_lanes(w, a, whole, 0, [&](const uint64_t* at) { global_store_at<T, N, kShift>(w, op, at); });
  if (!rest || N < 4) return;
  Op part = op;
  for (int i = 0; i < N; i += kPart) {
    part.src[2].reg = static_cast<uint16_t>(op.src[2].reg + i / 4);
    with_lanes(w, a, a.inside(rest, kPart, static_cast<uint64_t>(i)), static_cast<uint64_t>(i),
               [&](const uint64_t* at) { global_store_at<T, kPart, kShift>(w, part, at); });
  }
}

template <int N, Fit F>
constexpr Row load_row(std::string_view m) {
  return {m,
          {load<Track::off, N, F>, load<Track::on, N, F>},
          Flow::special,
          "buffer",
          Evidence::document};
}
template <int N, int kShift>
constexpr Row store_row(std::string_view m) {
  return {m,
          {store<Track::off, N, kShift>, store<Track::on, N, kShift>},
          Flow::special,
          "buffer",
          Evidence::document};
}

constexpr std::array kRows = {
    load_row<4, Fit::words>("buffer_load_b32"),
    load_row<8, Fit::words>("buffer_load_b64"),
    load_row<12, Fit::words>("buffer_load_b96"),
    load_row<16, Fit::words>("buffer_load_b128"),
    load_row<1, Fit::words>("buffer_load_u8"),
    load_row<1, Fit::sext8>("buffer_load_i8"),
    load_row<2, Fit::words>("buffer_load_u16"),
    load_row<2, Fit::sext16>("buffer_load_i16"),
    load_row<2, Fit::d16_lo>("buffer_load_d16_b16"),
    load_row<2, Fit::d16_hi>("buffer_load_d16_hi_b16"),
    load_row<1, Fit::d16_lo>("buffer_load_d16_u8"),
    load_row<1, Fit::d16_hi>("buffer_load_d16_hi_u8"),
    load_row<1, Fit::d16_lo_sext8>("buffer_load_d16_i8"),
    load_row<1, Fit::d16_hi_sext8>("buffer_load_d16_hi_i8"),
    store_row<1, 0>("buffer_store_b8"),
    store_row<2, 0>("buffer_store_b16"),
    store_row<4, 0>("buffer_store_b32"),
    store_row<8, 0>("buffer_store_b64"),
    store_row<12, 0>("buffer_store_b96"),
    store_row<16, 0>("buffer_store_b128"),
    store_row<1, 16>("buffer_store_d16_hi_b8"),
    store_row<2, 16>("buffer_store_d16_hi_b16"),
};

}  // namespace

std::span<const Row> buffer_rows() { return kRows; }

}  // namespace w4::rdna
