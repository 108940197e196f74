#include "rdna/checks/writers.h"

#include <bit>

namespace w4::rdna {
namespace {
constexpr uint32_t kAtomicOwner = ~0u;
constexpr uint32_t kLanesPerWorkgroup = 1024;
}  // namespace

void note_writers(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                  uint32_t lanes, bool atomic) {
  const Workgroup& g = *w.group;
  const uint64_t launch = uint64_t{g.launch->number} << 32;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const uint64_t thread =
        g.number * kLanesPerWorkgroup + static_cast<uint64_t>(w.id * kLanes + l);
    const uint32_t owner =
        atomic ? kAtomicOwner : static_cast<uint32_t>(thread % (kAtomicOwner - 1)) + 1;
    for (uint64_t e = offset[l] / 2; e <= (offset[l] + n - 1) / 2; ++e) {
      const uint64_t before = b.writers[e];
      b.writers[e] = launch | owner;
      if (before >> 32 != g.launch->number || before == (launch | owner) || before == 0) continue;
      if (!g.checks_on(kWriters) || n < 2) continue;  // bytes may share an element
      Finding f;
      f.kind = FindingKind::double_write;
      f.buffer = b.name;
      f.offset = static_cast<int64_t>(e * 2);
      f.bytes = static_cast<int>(n);
      const uint32_t other = static_cast<uint32_t>(before);
      if (other != kAtomicOwner) {
        Party p;
        p.workgroup = (other - 1) / kLanesPerWorkgroup;
        p.wave = static_cast<int>((other - 1) % kLanesPerWorkgroup / kLanes);
        p.lane = static_cast<int>((other - 1) % kLanes);
        f.other = p;
      }
      f.detail = "the element was already written in this launch by another lane";
      return report(w, op, std::move(f), 1u << l);
    }
  }
}

}  // namespace w4::rdna
