#include "rdna/store_log.h"

#include <bit>
#include <cstdlib>
#include <cstring>

#include "rdna/checks/global_race.h"
#include "rdna/rows/global_move.h"

namespace w4::rdna {

void StoreLog::add(const Wave& w, const Op& op, Buffer& b, const uint64_t* offset, int n, int shift,
                   const Lanes* rows, uint32_t lanes) {
  const Store store{&op, &b, lanes, static_cast<uint16_t>(n), static_cast<uint16_t>(w.id)};
  const auto active = static_cast<size_t>(std::popcount(lanes));
  const size_t at = bytes_.size();
  bytes_.resize(at + sizeof store + active * (sizeof(uint64_t) + static_cast<size_t>(n)));
  std::byte* p = bytes_.data() + at;
  std::memcpy(p, &store, sizeof store);
  p += sizeof store;
  for (uint32_t m = lanes; m; m &= m - 1, p += sizeof(uint64_t))
    std::memcpy(p, &offset[std::countr_zero(m)], sizeof(uint64_t));
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    uint32_t words[4];
    for (int i = 0; i < (n + 3) / 4; ++i) words[i] = rows[i].v[l] >> shift;
    std::memcpy(p, words, static_cast<size_t>(n));
    p += n;
  }
}

template <class F>
bool StoreLog::each(size_t from, size_t to, F f) const {
  for (const std::byte *p = bytes_.data() + from, *end = bytes_.data() + to; p != end;) {
    Store store;
    std::memcpy(&store, p, sizeof store);
    p += sizeof store;
    uint64_t offset[kLanes];
    for (uint32_t m = store.lanes; m; m &= m - 1, p += sizeof(uint64_t))
      std::memcpy(&offset[std::countr_zero(m)], p, sizeof(uint64_t));
    if (!f(store, offset, p)) return false;
    p += static_cast<size_t>(std::popcount(store.lanes)) * store.n;
  }
  return true;
}

bool StoredBytes::claim(const StoreLog& log, size_t from, size_t to) {
  return log.each(from, to,
                  [&](const StoreLog::Store& s, const uint64_t* offset, const std::byte*) {
                    auto& bits = claimed_[s.buffer];
                    if (!bits)
                      bits.reset(static_cast<uint8_t*>(std::calloc(s.buffer->bytes / 8 + 1, 1)));
                    if (!bits) return false;
                    for (uint32_t m = s.lanes; m; m &= m - 1) {
                      const uint64_t first = offset[std::countr_zero(m)];
                      if (s.n > 1 && (first & 1)) return false;
                      for (uint64_t b = first; b < first + s.n; ++b) {
                        const auto bit = static_cast<uint8_t>(1u << (b & 7));
                        if (bits[b / 8] & bit) return false;
                        bits[b / 8] |= bit;
                      }
                    }
                    return true;
                  });
}

void apply_stores(const StoreLog& log, size_t from, size_t to, Workgroup& group) {
  Wave w;
  w.group = &group;
  log.each(from, to, [&](const StoreLog::Store& s, const uint64_t* offset, const std::byte* bytes) {
    w.id = s.wave;
    global_use(w, *s.op, *s.buffer, offset, s.n, s.lanes, Use::write);
    for (uint32_t m = s.lanes; m; m &= m - 1, bytes += s.n)
      std::memcpy(s.buffer->data + offset[std::countr_zero(m)], bytes, s.n);
    note_stored(w, *s.op, *s.buffer, offset, s.n, s.lanes);
    return true;
  });
}

}  // namespace w4::rdna
