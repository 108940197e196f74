#include "rdna/figures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <vector>

#include "rdna/rows/buffer_address.h"
#include "rdna/table.h"

namespace w4::rdna {
namespace {

// What an instruction does that is counted.
struct Kind {
  enum class Space : uint8_t {
    none,
    global,
    flat,
    buffer,
    scratch,
    scalar,
    scalar_buffer,
    lds
  } space{};
  bool loads = false, stores = false;
  bool barrier = false, dot2 = false, wmma = false;
  uint8_t bytes = 0;        // of a lane
  uint8_t second_step = 0;  // 2addr forms of ds: the offsets count so many times `bytes`
};

bool contains(std::string_view s, std::string_view part) { return s.find(part) != s.npos; }

// The access width that a mnemonic names: the last word like b128, u8 or f32 that is no register
// half ("ds_load_u16_d16_hi", "ds_add_rtn_u64").
uint8_t width_of(std::string_view m) {
  if (contains(m, "_pk_")) return 4;
  while (!m.empty()) {
    const size_t at = m.find_last_of('_');
    const std::string_view word = m.substr(at == m.npos ? 0 : at + 1);
    m = at == m.npos ? std::string_view() : m.substr(0, at);
    if (word.size() < 2 || !contains("bufi", word.substr(0, 1))) continue;
    int bits = 0;
    for (const char c : word.substr(1))
      bits = c >= '0' && c <= '9' ? bits * 10 + (c - '0') : 1 << 20;
    if (bits % 8 == 0 && bits <= 512) return static_cast<uint8_t>(bits / 8);
  }
  return 0;
}

Kind kind_of(std::string_view m) {
  Kind k;
  k.barrier = m == "s_barrier" || m == "s_barrier_signal" || m == "s_barrier_signal_isfirst";
  k.dot2 = m.starts_with("v_dot2");
  k.wmma = m.starts_with("v_wmma_") || m.starts_with("v_swmmac_");
  const bool atomic = contains(m, "_atomic_");
  k.loads = contains(m, "_load_") || atomic;
  k.stores = contains(m, "_store_") || atomic;
  if (m.starts_with("global_")) k.space = Kind::Space::global;
  if (m.starts_with("flat_")) k.space = Kind::Space::flat;
  if (m.starts_with("buffer_")) k.space = Kind::Space::buffer;
  if (m.starts_with("scratch_")) k.space = Kind::Space::scratch;
  if (m.starts_with("s_load_")) k.space = Kind::Space::scalar;
  if (m.starts_with("s_buffer_load_")) k.space = Kind::Space::scalar_buffer;
  const bool moves_lanes =
      m.starts_with("ds_bpermute") || m.starts_with("ds_permute") || m.starts_with("ds_swizzle");
  if (m.starts_with("ds_") && !moves_lanes) k.space = Kind::Space::lds;
  if (k.space == Kind::Space::none) return k;
  k.bytes = width_of(m);
  if (contains(m, "_2addr_")) k.second_step = contains(m, "stride64") ? 64 : 1;
  const bool moves_memory = k.space == Kind::Space::lds || k.loads || k.stores;
  if (!moves_memory || k.bytes == 0) k.space = Kind::Space::none;  // cache control and the like
  return k;
}

const Kind& kind_at(uint16_t row) {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> kinds;
    for (const Row* r : all_rows()) kinds.push_back(kind_of(r->mnemonic));
    return kinds;
  }();
  static const Kind none;
  return row < all.size() ? all[row] : none;
}

}  // namespace

LdsCycles lds_cycles(const uint64_t* address, int bytes, uint32_t lanes) {
  LdsCycles out;
  const int words = (bytes + 3) / 4;
  const int group = words == 1 ? 32 : words == 2 ? 16 : 8;
  for (int first = 0; first < kLanes; first += group) {
    std::array<uint64_t, 2 * kLanes> word;  // of the group; an unaligned lane has one more
    size_t n = 0;
    for (int l = first; l < first + group; ++l) {
      if (!(lanes >> l & 1)) continue;
      const uint64_t last = (address[l] + static_cast<uint64_t>(bytes) - 1) / 4;
      for (uint64_t w = address[l] / 4; w <= last; ++w) word[n++] = w;
    }
    if (n == 0) continue;
    const auto end = word.begin() + static_cast<ptrdiff_t>(n);
    std::sort(word.begin(), end);
    std::array<uint32_t, kLdsBanks> load{};
    for (auto w = word.begin(), stop = std::unique(w, end); w != stop; ++w) ++load[*w % kLdsBanks];
    out.cycles += *std::ranges::max_element(load);
    ++out.least;
  }
  return out;
}

Touched touched(const uint64_t* address, int bytes, uint32_t lanes) {
  std::array<uint64_t, kLanes> from;
  size_t n = 0;
  for (uint32_t m = lanes; m; m &= m - 1) from[n++] = address[std::countr_zero(m)];
  std::sort(from.begin(), from.begin() + static_cast<ptrdiff_t>(n));
  Touched out;
  uint64_t past_bytes = 0, past_lines = 0;  // all below is counted
  for (size_t i = 0; i < n; ++i) {
    const uint64_t end = from[i] + static_cast<uint64_t>(bytes);
    const uint64_t line = from[i] / kLineBytes, last = (end - 1) / kLineBytes;
    out.bytes += end - std::min(end, std::max(from[i], past_bytes));
    out.lines += last + 1 - std::min(last + 1, std::max(line, past_lines));
    past_bytes = std::max(past_bytes, end);
    past_lines = std::max(past_lines, last + 1);
  }
  return out;
}

void Figures::count(Memory& m, const uint64_t* address, int bytes, uint32_t lanes) {
  const Touched t = touched(address, bytes, lanes);
  ++m.accesses;
  m.wide += bytes == 16;
  m.asked += static_cast<uint64_t>(std::popcount(lanes) * bytes);
  m.bytes += t.bytes;
  m.lines += t.lines;
  m.least_lines += (t.bytes + kLineBytes - 1) / kLineBytes;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint64_t a = address[std::countr_zero(rest)];
    for (uint64_t l = a / kLineBytes; l <= (a + static_cast<uint64_t>(bytes) - 1) / kLineBytes; ++l)
      lines_.insert(l);
  }
}

void Figures::global(const uint64_t* address, int bytes, uint32_t lanes, bool loads, bool stores) {
  if (lanes == 0) return;
  if (loads) count(load, address, bytes, lanes);
  if (stores) count(store, address, bytes, lanes);
}

void Figures::shared(const uint64_t* address, int bytes, uint32_t lanes) {
  if (lanes == 0) return;
  const LdsCycles c = lds_cycles(address, bytes, lanes);
  ++lds.accesses;
  lds.wide += bytes == 16;
  lds.cycles += c.cycles;
  lds.least_cycles += c.least;
}

void Figures::scalar(const Wave& w, uint64_t address, int bytes) {
  const Buffer* b = w.group->launch->memory->find(address, static_cast<uint64_t>(bytes));
  if (b != nullptr && !b->system) count(scalar_load, &address, bytes, 1);
}

void Figures::runs(const Wave& w, const Op& op) {
  const Kind& k = kind_at(op.mnemonic);
  barriers += k.barrier;
  dot2 += k.dot2;
  wmma += k.wmma;
  if (op.second != nullptr && op.second->second != nullptr) {  // the Y half of a VOPD form
    dot2 += kind_at(op.second->second->mnemonic).dot2;
  }
  const uint32_t lanes = w.exec();
  uint64_t a[kLanes];
  switch (k.space) {
    case Kind::Space::none:
      return;
    case Kind::Space::global:
      if (lanes == 0) return;
      global_addresses(w, op, a);
      return global(a, k.bytes, lanes, k.loads, k.stores);
    case Kind::Space::flat: {
      if (lanes == 0) return;
      global_addresses(w, op, a);
      uint32_t in_lds = 0, in_scratch = 0;
      for (int l = 0; l < kLanes; ++l) {
        in_lds |= uint32_t{a[l] >> 32 == kSharedApertureHi} << l;
        in_scratch |= uint32_t{a[l] >> 32 == kPrivateApertureHi} << l;
      }
      scratch += (lanes & in_scratch) != 0;
      global(a, k.bytes, lanes & ~(in_lds | in_scratch), k.loads, k.stores);
      for (uint64_t& x : a) x &= 0xffffffffu;
      return shared(a, k.bytes, lanes & in_lds);
    }
    case Kind::Space::buffer: {
      BufferAccess b;
      if (!buffer_addresses(w, op, b)) return;
      return global(b.address, k.bytes, b.inside(lanes, k.bytes), k.loads, k.stores);
    }
    case Kind::Space::scratch:
      scratch += lanes != 0;
      return;
    case Kind::Space::scalar: {
      uint64_t from = read_s64(w, op.src[0]) + static_cast<uint64_t>(op.imm[0]);
      if (op.nsrc > 1) from += read_s(w, op.src[1]);
      return scalar(w, k.bytes >= 4 ? from & ~uint64_t{3} : from, k.bytes);
    }
    case Kind::Space::scalar_buffer: {
      uint64_t from = buffer_resource(w, op.src[0]).base + static_cast<uint64_t>(op.imm[0]);
      if (op.nsrc > 1) from += read_s(w, op.src[1]);
      return scalar(w, k.bytes >= 4 ? from & ~uint64_t{3} : from, k.bytes);
    }
    case Kind::Space::lds:
      for (int i = 0; i < (k.second_step == 0 ? 1 : 2); ++i) {
        const uint32_t offset =
            k.second_step == 0 ? static_cast<uint32_t>(op.imm[0] & 0xffff)
                               : static_cast<uint32_t>(op.imm[i] & 0xff) * k.bytes * k.second_step;
        for (int l = 0; l < kLanes; ++l) a[l] = w.v[op.src[0].reg].v[l] + offset;
        shared(a, k.bytes, lanes);
      }
      return;
  }
}

}  // namespace w4::rdna
