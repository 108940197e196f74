// Check `bounds` for private memory.
#include "rdna/report.h"
#include "rdna/rows/scratch_move.h"

namespace w4::rdna {

bool scratch_in_bounds(Wave& w, const Op& op, const uint64_t* a, uint64_t n, uint32_t lanes,
                       bool write) {
  const uint64_t size = w.group->scratch_bytes;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (n <= size && a[l] <= size - n) continue;
    if (!w.group->checks_on(kBounds)) return false;
    Finding f;
    f.kind = write ? FindingKind::oob_write : FindingKind::oob_read;
    f.buffer = "scratch";
    f.offset = static_cast<int64_t>(a[l]);
    f.bytes = static_cast<int>(n);
    f.detail = fmt::format("{} bytes at {} of the {} bytes of scratch of one lane", n,
                           static_cast<int64_t>(a[l]), size);
    report(w, op, std::move(f), 1u << l);
    return false;
  }
  return true;
}

}  // namespace w4::rdna
