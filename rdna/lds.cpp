// The epochs of the LDS shadow.
#include <algorithm>

#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {
constexpr uint32_t kLastEpoch = (1u << 24) - 2;  // 24 bits, so that entries compare as signed words
constexpr uint32_t kPad = 64;  // so that a vector access at the last byte stays inside
}  // namespace

void Lds::start(uint32_t bytes_now) {
  size = bytes_now;
  shift = 1;
  if (bytes.size() < size + kPad) bytes.resize(size + kPad);
  const size_t entries = (size + kPad) >> shift;
  if (writer.size() < entries) {
    writer.resize(entries);
    reader.resize(entries);
  }
}

void Lds::next_workgroup() {
  barrier();
  first_epoch = epoch;
}

void Lds::barrier() {
  if (!swapped.empty()) swapped.clear();
  if (++epoch < kLastEpoch) return;
  // Entries of this workgroup keep only "written before now"; older ones become never-written.
  for (uint32_t& e : writer) e = (e >> 7) >= first_epoch ? (1u << 7 | (e & 1)) : 0;
  std::ranges::fill(reader, 0u);
  first_epoch = 1;
  epoch = 2;
}

void Lds::to_bytes() {
  if (shift == 0) return;
  shift = 0;
  const size_t n = (size + kPad) >> 1;
  const auto spread = [&](std::vector<uint32_t>& v) {
    if (v.size() < size + kPad)
      v.resize(size + kPad);  // and no more: every launch comes here again
    for (size_t i = n; i-- > 0;) v[2 * i] = v[2 * i + 1] = v[i];
  };
  spread(writer);
  spread(reader);
}

}  // namespace w4::rdna
