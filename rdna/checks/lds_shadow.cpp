#include "rdna/checks/lds_shadow.h"

#include "rdna/confirm.h"
#include "rdna/report.h"

namespace w4::rdna {

bool lds_in_bounds(Wave& w, const Op& op, const uint64_t* a, uint64_t n, uint32_t lanes) {
  const uint64_t size = w.group->lds.size;
  if (n <= size) [[likely]] {
    uint64_t outside = 0;  // sign bit: some address lies above the last one (inactive lanes repeat)
    for (int l = 0; l < kLanes; ++l) outside |= a[l] | (size - n - a[l]);
    if (outside >> 63 == 0) return true;
  }
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (n <= size && a[l] <= size - n) continue;
    if (!w.group->checks_on(kBounds)) return false;
    Finding f;
    f.kind = FindingKind::lds_oob;
    f.buffer = "LDS";
    f.offset = static_cast<int64_t>(a[l]);
    f.bytes = static_cast<int>(n);
    f.detail = fmt::format("{} bytes at {} of the {} of this launch ({} static, {} dynamic)", n,
                           a[l], size, w.group->launch->kernel->static_lds,
                           w.group->launch->config->dynamic_lds);
    report(w, op, std::move(f), 1u << l);
    return false;
  }
  return true;
}

bool report_lds_race(Wave& w, const Op& op, int lane, uint64_t a, uint64_t n, LdsUse use) {
  constexpr std::string_view kVerbs[] = {"reads", "writes", "updates"};
  const bool write = use != LdsUse::read;
  Workgroup& g = *w.group;
  Lds& lds = g.lds;
  const uint32_t me = lds.stamp(w.id);
  Finding f;
  f.kind = FindingKind::lds_race;
  f.buffer = "LDS";
  f.offset = static_cast<int64_t>(a);
  f.bytes = static_cast<int>(n);
  for (uint64_t b = a; b < a + n; ++b) {
    const uint32_t x = lds.writer[b >> lds.shift], y = lds.reader[b >> lds.shift];
    const uint32_t atomics = lds.epoch << 7 | Lds::kAtomic << 1;
    const bool by_writer = (x >> 7) == lds.epoch && (x & ~1u) != me &&
                           !(use == LdsUse::atomic && (x & ~1u) == atomics);
    const bool by_reader = write && (y >> 7) == lds.epoch && y != me;
    if (!by_writer && !by_reader) continue;
    const uint32_t entry = by_writer ? x : y;
    const uint32_t field = entry >> 1 & ((1u << Lds::kWaveBits) - 1);
    Party other;
    other.workgroup = static_cast<int64_t>(g.number);
    if (!write && field == Lds::kAtomic && lds.swapped.contains(a)) return false;
    if (field < Lds::kAtomic) other.wave = static_cast<int>(field) - 1;
    if (g.launch->confirm) {
      const auto what = !by_writer              ? Confirm::Before::read
                        : field == Lds::kAtomic ? Confirm::Before::atomic
                                                : Confirm::Before::store;
      g.launch->confirm->earlier_lds_access(g, b, w.id, what, other);
    }
    f.offset = static_cast<int64_t>(b);
    f.detail = fmt::format(
        "wave {} {} what {} {} since the last barrier", w.id, kVerbs[static_cast<int>(use)],
        other.wave < 0 ? std::string("several waves") : fmt::format("wave {}", other.wave),
        by_writer ? "wrote" : "read");
    f.other = std::move(other);
    report(w, op, std::move(f), 1u << lane);
    return true;
  }
  return false;
}

}  // namespace w4::rdna
