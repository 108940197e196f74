#include "rdna/checks/global_race.h"

#include <algorithm>
#include <bit>

#include "rdna/report.h"

namespace w4::rdna {
namespace {

// Flags of an entry. kMany (readers): other waves of the same stretch too. kForeign (readers):
// another workgroup of this launch before.
constexpr uint64_t kMany = 1, kForeign = 2, kAtomic = 4;
constexpr uint64_t kPlaces = uint64_t{1} << 19;  // instructions that an entry can name

uint32_t stretch(uint64_t e) { return static_cast<uint32_t>(e >> 32); }
int wave(uint64_t e) { return static_cast<int>(e >> 3 & 31); }

uint64_t entry(const Races& r, const Wave& w, const Op& op, int lane, Use use) {
  const uint64_t place = op.pc / 4 < kPlaces ? op.pc / 4 : 0;
  return uint64_t{r.now} << 32 | place << 13 | static_cast<uint64_t>(lane) << 8 |
         static_cast<uint64_t>(w.id) << 3 | (use == Use::atomic ? kAtomic : 0);
}

constexpr uint64_t kLargest = uint64_t{1} << 30;

void to_bytes(RaceShadow& s, uint64_t bytes) {
  if (s.shift == 0) return;
  for (RaceShadow::Cells* v : {&s.writer, &s.reader}) {
    if (!*v) continue;
    RaceShadow::Cells wide = RaceShadow::cells(bytes + 2);
    for (uint64_t i = 0; wide && i < s.entries; ++i) {
      if ((*v)[i]) wide[2 * i] = wide[2 * i + 1] = (*v)[i];
    }
    *v = std::move(wide);
  }
  s.shift = 0;
  s.entries = bytes + 2;
}

template <class R>
auto& span_of(R& races, uint32_t stretch) {
  return *std::prev(std::ranges::upper_bound(races.spans, stretch, {}, &Races::Span::first));
}

// Whether nothing orders the earlier access e before what w does now.
bool unordered(const Races& r, const Wave& w, uint64_t e) {
  if (stretch(e) < r.first) return false;
  const Races::Span& mine = r.spans.back();
  if (stretch(e) >= mine.first) {
    return stretch(e) == r.now && wave(e) != w.id && !(w.acquired >> wave(e) & 1);
  }
  if (stretch(e) >= r.ordered_below) return true;
  return span_of(r, stretch(e)).last_atomic < stretch(e);
}

void report_race(Wave& w, const Op& op, const Buffer& b, uint64_t offset, uint64_t n, int lane,
                 uint64_t e, bool by_writer, Use use) {
  const Races& r = *w.group->launch->races;
  Finding f;
  f.kind = FindingKind::global_race;
  f.buffer = b.name;
  f.offset = static_cast<int64_t>(offset);
  f.bytes = static_cast<int>(n);
  Party other;
  const bool mine = stretch(e) >= r.spans.back().first;
  const bool known = by_writer || !(e & (mine ? kMany : kForeign));
  other.workgroup = static_cast<int64_t>(span_of(r, stretch(e)).workgroup);
  if (known) {
    other.wave = wave(e);
    other.lane = static_cast<int>(e >> 8 & 31);
    other.pc = (e >> 13 & (kPlaces - 1)) * 4;
    if (other.pc) {
      other.instruction = w.group->launch->program->code().text_at(other.pc);
      other.source = w.group->launch->program->code().source_at(other.pc);
      other.files = w.group->launch->program->code().files_at(other.pc);
    }
  }
  constexpr std::string_view kVerbs[] = {"reads", "writes", "updates", "reads", "reads"};
  f.detail =
      fmt::format("workgroup {} wave {} {} what {} {}, and {} orders them", w.group->number, w.id,
                  kVerbs[static_cast<int>(use)],
                  mine ? (known ? fmt::format("wave {}", other.wave) : std::string("other waves"))
                       : fmt::format("workgroup {}", other.workgroup),
                  by_writer ? "wrote" : "read", mine ? "no barrier" : "nothing");
  f.other = std::move(other);
  report(w, op, std::move(f), 1u << lane);
}

// An atomic on a location that was used atomically before: what came before that is ordered now.
// An atomic load pairs with any store, since atomic stores look like plain ones.
void acquire(Races& r, Wave& w, uint64_t e, Use use) {
  if (stretch(e) < r.first || !((e & kAtomic) || use == Use::atomic_read)) return;
  if (stretch(e) >= r.spans.back().first) {
    w.acquired |= 1u << wave(e);
    return;
  }
  r.ordered_below = r.spans.back().first;
  Races::Span& from = span_of(r, stretch(e));
  from.last_atomic = std::max(from.last_atomic, stretch(e));
}

}  // namespace

bool wait_for_turn(Wave& w) {
  w.state = WaveState::stopped;
  w.group->launch->stop = true;
  return false;
}

bool note_global_use(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                     uint32_t lanes, Use use) {
  if (b.bytes > kLargest) return true;
  Races& r = *w.group->launch->races;
  if (!b.races) {
    b.races = std::make_unique<RaceShadow>();
    b.races->entries = (b.bytes + 1) / 2;
    b.races->writer = RaceShadow::cells(b.races->entries);
  }
  RaceShadow& s = *b.races;
  const bool reads = use != Use::write && use != Use::atomic;
  if (n < 2) to_bytes(s, b.bytes);
  for (uint32_t m = lanes; m; m &= m - 1) {
    if (offset[std::countr_zero(m)] & 1) to_bytes(s, b.bytes);
  }
  if (use == Use::read && !s.reader) s.reader = RaceShadow::cells(s.entries);
  if (!s.writer || (use == Use::read && !s.reader)) return true;  // the host has no room for it
  if (use == Use::atomic) r.spans.back().last_atomic = r.now;
  const uint32_t mine = r.spans.back().first;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const uint64_t now = entry(r, w, op, l, use);
    const uint64_t last = (offset[l] + n - 1) >> s.shift;
    for (uint64_t i = offset[l] >> s.shift; i <= last; ++i) {
      uint64_t& x = s.writer[i];
      // An atomic load of the workgroup's scope is a plain one to other workgroups.
      const Use as = use != Use::group_read ? use
                     : stretch(x) < mine    ? Use::read
                                            : Use::atomic_read;
      if (as == Use::atomic || as == Use::atomic_read) acquire(r, w, x, as);
      const bool atomic_pair = (x & kAtomic) && as != Use::write;
      if (as != Use::atomic_read && !atomic_pair && unordered(r, w, x)) {
        report_race(w, op, b, i << s.shift, n, l, x, true, use);
        return false;
      }
      const uint64_t y = s.reader ? s.reader[i] : 0;
      const bool live = stretch(y) >= r.first, same = stretch(y) == r.now;
      if (use == Use::read) {
        const bool many = same && ((y & kMany) || wave(y) != w.id);
        const bool foreign = live && (stretch(y) < mine || (y & kForeign));
        s.reader[i] = now | (many ? kMany : 0) | (foreign ? kForeign : 0);
      } else if (use == Use::write) {
        const bool many = same && (y & kMany) && w.acquired == 0;
        const bool foreign = live && (y & kForeign) && r.ordered_below == 0;
        if (unordered(r, w, y) || many || foreign) {
          report_race(w, op, b, i << s.shift, n, l, y, false, use);
          return false;
        }
      }
      if (!reads) x = now;
    }
  }
  return true;
}

}  // namespace w4::rdna
