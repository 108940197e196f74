// Scalar loads: whole dwords from global memory (kernel arguments above all) into SGPRs.
#include <algorithm>
#include <array>
#include <type_traits>

#include "rdna/access.h"
#include "rdna/checks/bounds.h"
#include "rdna/checks/global_race.h"
#include "rdna/confirm.h"
#include "rdna/rows/buffer_address.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

// The address of a scalar load; false when it is undefined.
template <Track T>
bool address(Wave& w, const Op& op, uint64_t& a) {
  const bool offset_register = op.nsrc > 1;
  if constexpr (T == Track::on) {
    uint32_t known = ~0u;
    for (int i = 0; i < op.src[0].words; ++i) known &= read_sdef(w, op.src[0], i);
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

// The first `inside` of n words at a; the others are 0.
template <Track T>
void load_words(Wave& w, const Op& op, uint64_t a, int n, int inside) {
  const uint64_t bytes = static_cast<uint64_t>(inside) * 4;
  Buffer* b = nullptr;
  if (inside > 0) {
    if (!place(w, op, a, bytes, b)) return;
    if (b && !used(w, op, *b, a - b->base, bytes)) return;
  }
  for (int i = 0; i < n; ++i) {
    uint32_t value = 0, defined = ~0u;
    if (b && i < inside) {
      const uint64_t offset = a - b->base + static_cast<uint64_t>(i) * 4;
      std::memcpy(&value, b->data + offset, 4);
      defined = defined_bits<T>(*b, offset, 4);
    }
    write_s(w, op.dst[0].reg + i, value, defined);
  }
  confirm_load<T>(w, op, a, n);
}

template <Track T, int N>
void load(Wave& w, const Op& op) {
  uint64_t a;
  if (!address<T>(w, op, a)) return;
  load_words<T>(w, op, a & ~uint64_t{3}, N, N);  // the hardware ignores the two low bits
}

// What the resource at src[0] holds of n bytes at an offset of it; false: unsupported, or the
// address is undefined.
struct Span {
  uint64_t address = 0, inside = 0;
};
template <Track T>
bool buffer_span(Wave& w, const Op& op, uint64_t n, uint64_t align, Span& out) {
  uint64_t offset;
  if (!address<T>(w, op, offset)) return false;
  const BufferResource r = buffer_resource(w, op.src[0]);
  offset = static_cast<uint64_t>(op.imm[0]);
  if (op.nsrc > 1) offset += read_s(w, op.src[1]);
  offset &= ~(align - 1);
  if (!r.unsupported.empty()) {
    unsupported(w, op, std::string(r.unsupported));
    return false;
  }
  const uint64_t size = uint64_t{r.num_records} * (r.stride ? r.stride : 1);
  out.address = r.base + offset;
  out.inside = offset >= size ? 0 : std::min(n, size - offset);
  return true;
}

template <Track T, int N>
void load_buffer(Wave& w, const Op& op) {
  Span s;
  if (!buffer_span<T>(w, op, N * 4, 4, s)) return;
  load_words<T>(w, op, s.address, N, static_cast<int>(s.inside / 4));
}

// gfx12: one byte or two, extended to 32 bits.
template <Track T, class V, bool kBuffer>
void load_narrow(Wave& w, const Op& op) {
  uint64_t a;
  Buffer* b;
  if constexpr (kBuffer) {
    Span s;
    if (!buffer_span<T>(w, op, sizeof(V), sizeof(V), s)) return;
    if (s.inside < sizeof(V)) return write_s(w, op.dst[0].reg, 0);
    a = s.address;
  } else {
    if (!address<T>(w, op, a)) return;
    a &= ~uint64_t{sizeof(V) - 1};
  }
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
// Whether a word is inside is decided by num_records (times stride) alone; no document says more.
template <int N>
constexpr Row buffer(std::string_view mnemonic) {
  return {mnemonic,
          {load_buffer<Track::off, N>, load_buffer<Track::on, N>},
          Flow::special,
          "smem",
          Evidence::document};
}

template <class V, bool kBuffer = false>
constexpr Row narrow(std::string_view mnemonic) {
  return {mnemonic,
          {load_narrow<Track::off, V, kBuffer>, load_narrow<Track::on, V, kBuffer>},
          Flow::special,
          "smem",
          kBuffer ? Evidence::document : Evidence::ieee};
}

constexpr std::array kRows = {
    narrow<uint8_t>("s_load_u8"),
    narrow<int8_t>("s_load_i8"),
    narrow<uint16_t>("s_load_u16"),
    narrow<int16_t>("s_load_i16"),
    row<1>("s_load_b32"),
    row<2>("s_load_b64"),
    row<3>("s_load_b96"),
    row<4>("s_load_b128"),
    row<8>("s_load_b256"),
    row<16>("s_load_b512"),
    narrow<uint8_t, true>("s_buffer_load_u8"),
    narrow<int8_t, true>("s_buffer_load_i8"),
    narrow<uint16_t, true>("s_buffer_load_u16"),
    narrow<int16_t, true>("s_buffer_load_i16"),
    buffer<1>("s_buffer_load_b32"),
    buffer<2>("s_buffer_load_b64"),
    buffer<3>("s_buffer_load_b96"),
    buffer<4>("s_buffer_load_b128"),
    buffer<8>("s_buffer_load_b256"),
    buffer<16>("s_buffer_load_b512"),
};

}  // namespace

std::span<const Row> smem_rows() { return kRows; }

}  // namespace w4::rdna
