#include "rdna/checks/bounds.h"

#include <bit>

namespace w4::rdna {

bool check_lanes(Wave& w, const Op& op, const uint64_t* a, uint64_t n, bool write, uint32_t lanes) {
  if (!w.group->checks_on(kBounds)) return true;
  const Memory::Impl& memory = *w.group->launch->memory;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const Buffer* b = memory.find(a[l], n);
    std::string why;
    if (!b) {
      const bool null = a[l] >> kSlotShift == 0;
      b = null ? nullptr : memory.closest(a[l]);
      why = !b ? (null ? "the null page" : "no buffer")
               : fmt::format("outside the {} bytes of {}", b->bytes, b->name);
    } else if (b->in_gap(a[l] - b->base, n)) {
      why = fmt::format("in a gap between the rows of {}", b->name);
    } else if (!write || b->writable) {
      continue;
    }
    Finding f;
    f.kind = why.empty() ? FindingKind::read_only_write
             : write     ? FindingKind::oob_write
                         : FindingKind::oob_read;
    f.bytes = static_cast<int>(n);
    if (b) {
      f.buffer = b->name;
      f.offset = static_cast<int64_t>(a[l] - b->base);
    }
    f.detail = why.empty() ? fmt::format("{} is read-only for the kernel", b->name)
                           : fmt::format("{} bytes at {:#x}: {}", n, a[l], why);
    report(w, op, std::move(f), 1u << l);
    return false;
  }
  return true;
}

}  // namespace w4::rdna
