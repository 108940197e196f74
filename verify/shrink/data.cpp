#include <array>

#include "verify/shrink/search.h"

namespace w4 {
namespace {

// From what says least to what says most.
constexpr std::array kSimplest{Fill::constant, Fill::onehot,  Fill::integer, Fill::lane,
                               Fill::flat,     Fill::uniform, Fill::cancel,  Fill::normal,
                               Fill::extreme,  Fill::special};

void shrink_fill(Search& s) {
  for (const Fill f : kSimplest) {
    if (f == s.best().fill || s.with([&](Case& c) { c.fill = f; })) break;
  }
  for (const uint64_t seed : {1, 0, 2, 3}) {
    if (s.best().seed <= seed || s.with([&](Case& c) { c.seed = seed; })) break;
  }
}

// Whether zeros among the data can make this failure simpler: where an output is wrong, they leave
// less to look at; where a check fires, they say nothing.
bool is_about_values(VerdictKind k) {
  return k == VerdictKind::mismatch || k == VerdictKind::law_broken || k == VerdictKind::mistrusted;
}

// One axis of `only`: size `extent`, narrowed in whole units.
struct Axis {
  std::optional<Span> Only::* span;
  int64_t extent, unit;
};

void narrow(Search& s, const Axis& axis) {
  const auto now = [&] { return (s.best().only.*axis.span).value_or(Span{0, axis.extent - 1}); };
  const auto put = [&](int64_t first, int64_t last) {
    return s.with([&](Case& c) { c.only.*axis.span = Span{first, last}; });
  };
  // Halves, as long as one of them will do.
  for (;;) {
    const Span had = now();
    const int64_t units = (had.last - had.first) / axis.unit + 1;
    if (units < 2) break;
    const int64_t middle = had.first + (units + 1) / 2 * axis.unit;
    if (!put(had.first, middle - 1) && !put(middle, had.last)) break;
  }
  // What has to be on both sides of the middle: each end by itself.
  const Span had = now();
  const int64_t last_unit = had.first + (had.last - had.first) / axis.unit * axis.unit;
  bisect(s, 0, last_unit - had.first, axis.unit, [&](Case& c, int64_t v) {
    c.only.*axis.span = Span{had.first, std::min(had.first + v + axis.unit - 1, had.last)};
  });
  const Span kept = now();
  const int64_t units = (kept.last - kept.first) / axis.unit;
  bisect(s, 0, units * axis.unit, axis.unit, [&](Case& c, int64_t v) {
    c.only.*axis.span = Span{kept.first + units * axis.unit - v, kept.last};
  });
}

// A range that leaves nothing out says nothing.
void drop_whole_ranges(Search& s, std::span<const Axis> axes) {
  for (const Axis& a : axes) {
    const std::optional<Span>& r = s.best().only.*a.span;
    if (r && r->first == 0 && r->last >= a.extent - 1) {
      s.with([&](Case& c) { (c.only.*a.span).reset(); });
    }
  }
}

}  // namespace

void shrink_data(Search& s) {
  shrink_fill(s);
  if (!is_about_values(s.failure().kind)) return;
  const Problem& p = s.best().problem;
  const int64_t g = p.g > 0 ? p.g : 1;
  // Octets before rows, groups before columns.
  const std::array axes{Axis{&Only::m, p.m, 1}, Axis{&Only::n, p.n, 8}, Axis{&Only::n, p.n, 1},
                        Axis{&Only::k, p.k, g}, Axis{&Only::k, p.k, 1}};
  drop_whole_ranges(s, axes);
  for (const Axis& a : axes) {
    if (a.extent > a.unit) narrow(s, a);
  }
}

}  // namespace w4
