// global_*, flat_* and scratch_* loads and stores.
#include "rdna/rows/vmem.h"

#include <array>

#include "rdna/rows/global_move.h"
#include "rdna/rows/lds_move.h"
#include "rdna/rows/scratch_move.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

template <Track T>
bool address_known(Wave& w, const Op& op) {
  if constexpr (T == Track::on) {
    const uint32_t bad = undefined_address(w, op);
    if (bad) [[unlikely]] {
      undefined(w, op, FindingKind::undefined_address, bad);
      return w.state == WaveState::ready;
    }
  }
  return true;
}

// Calls f once per address space met, with EXEC narrowed to the lanes that are in it.
template <class Global, class Shared, class Private>
void by_aperture(Wave& w, uint64_t* a, Global global, Shared shared, Private priv) {
  const uint32_t e = w.exec();
  uint32_t in_lds = 0, in_scratch = 0;
  for (int l = 0; l < kLanes; ++l) {
    const uint32_t hi = static_cast<uint32_t>(a[l] >> 32);
    in_lds |= uint32_t{hi == kSharedApertureHi} << l;
    in_scratch |= uint32_t{hi == kPrivateApertureHi} << l;
  }
  const auto run = [&](uint32_t lanes, bool aperture, auto f) {
    if (!lanes || w.state != WaveState::ready) return;
    uint64_t b[kLanes];
    for (int l = 0; l < kLanes; ++l) b[l] = aperture ? a[l] & 0xffffffffu : a[l];
    fill_inactive(b, lanes);
    w.s[kExec] = lanes;
    f(b);
    w.s[kExec] = e;
  };
  run(e & ~(in_lds | in_scratch), false, global);
  run(e & in_lds, true, shared);
  run(e & in_scratch, true, priv);
}

template <Track T, int N, Fit F>
void global_load(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  global_load_at<T, N, F>(w, op, a);
}

template <Track T, int N, int kShift>
void global_store(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  global_store_at<T, N, kShift>(w, op, a);
}

template <Track T, int N, Fit F>
void flat_load(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  by_aperture(
      w, a, [&](const uint64_t* b) { global_load_at<T, N, F>(w, op, b); },
      [&](const uint64_t* b) { lds_load<T, N, F>(w, op, b, op.dst[0].reg); },
      [&](const uint64_t* b) { scratch_load_at<T, N, F>(w, op, b); });
}

template <Track T, int N, int kShift>
void flat_store(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  global_addresses(w, op, a);
  by_aperture(
      w, a, [&](const uint64_t* b) { global_store_at<T, N, kShift>(w, op, b); },
      [&](const uint64_t* b) { lds_store<T, N, kShift>(w, op, b, op.src[2].reg); },
      [&](const uint64_t* b) { scratch_store_at<T, N, kShift>(w, op, b); });
}

// scratch: 32-bit vector and scalar parts, either may be absent.
void scratch_addresses(const Wave& w, const Op& op, uint64_t* a) {
  uint32_t base = static_cast<uint32_t>(op.imm[0]);
  if (op.src[1].kind == OperandKind::sgpr) base += read_s(w, op.src[1]);
  for (int l = 0; l < kLanes; ++l) {
    a[l] = op.src[0].kind == OperandKind::vgpr ? base + w.v[op.src[0].reg].v[l] : base;
  }
  fill_inactive(a, w.exec());
}

template <Track T, int N, Fit F>
void scratch_load(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  scratch_addresses(w, op, a);
  scratch_load_at<T, N, F>(w, op, a);
}

template <Track T, int N, int kShift>
void scratch_store(Wave& w, const Op& op) {
  if (w.exec() == 0 || !address_known<T>(w, op)) return;
  uint64_t a[kLanes];
  scratch_addresses(w, op, a);
  scratch_store_at<T, N, kShift>(w, op, a);
}

#define W4_LOAD(NAME, N, FIT)                                                                  \
  Row{"global_load_" NAME,                                                                     \
      {global_load<Track::off, N, FIT>, global_load<Track::on, N, FIT>},                       \
      Flow::special,                                                                           \
      "vmem",                                                                                  \
      Evidence::ieee},                                                                         \
      Row{"flat_load_" NAME,                                                                   \
          {flat_load<Track::off, N, FIT>, flat_load<Track::on, N, FIT>},                       \
          Flow::special,                                                                       \
          "vmem",                                                                              \
          Evidence::ieee},                                                                     \
      Row {                                                                                    \
    "scratch_load_" NAME, {scratch_load<Track::off, N, FIT>, scratch_load<Track::on, N, FIT>}, \
        Flow::special, "vmem", Evidence::ieee                                                  \
  }
#define W4_STORE(NAME, N, SHIFT)                                                                  \
  Row{"global_store_" NAME,                                                                       \
      {global_store<Track::off, N, SHIFT>, global_store<Track::on, N, SHIFT>},                    \
      Flow::special,                                                                              \
      "vmem",                                                                                     \
      Evidence::ieee},                                                                            \
      Row{"flat_store_" NAME,                                                                     \
          {flat_store<Track::off, N, SHIFT>, flat_store<Track::on, N, SHIFT>},                    \
          Flow::special,                                                                          \
          "vmem",                                                                                 \
          Evidence::ieee},                                                                        \
      Row {                                                                                       \
    "scratch_store_" NAME,                                                                        \
        {scratch_store<Track::off, N, SHIFT>, scratch_store<Track::on, N, SHIFT>}, Flow::special, \
        "vmem", Evidence::ieee                                                                    \
  }

constexpr std::array kRows = {
    W4_LOAD("b32", 4, Fit::words),
    W4_LOAD("b64", 8, Fit::words),
    W4_LOAD("b96", 12, Fit::words),
    W4_LOAD("b128", 16, Fit::words),
    W4_LOAD("u8", 1, Fit::words),
    W4_LOAD("i8", 1, Fit::sext8),
    W4_LOAD("u16", 2, Fit::words),
    W4_LOAD("i16", 2, Fit::sext16),
    W4_LOAD("d16_b16", 2, Fit::d16_lo),
    W4_LOAD("d16_hi_b16", 2, Fit::d16_hi),
    W4_LOAD("d16_u8", 1, Fit::d16_lo),
    W4_LOAD("d16_hi_u8", 1, Fit::d16_hi),
    W4_LOAD("d16_i8", 1, Fit::d16_lo_sext8),
    W4_LOAD("d16_hi_i8", 1, Fit::d16_hi_sext8),
    W4_STORE("b8", 1, 0),
    W4_STORE("b16", 2, 0),
    W4_STORE("b32", 4, 0),
    W4_STORE("b64", 8, 0),
    W4_STORE("b96", 12, 0),
    W4_STORE("b128", 16, 0),
    W4_STORE("d16_hi_b8", 1, 16),
    W4_STORE("d16_hi_b16", 2, 16),
};
#undef W4_LOAD
#undef W4_STORE

}  // namespace

std::span<const Row> vmem_rows() { return kRows; }

}  // namespace w4::rdna
