// Where buffers lie in a GPU's rooms, for all sizes, offsets and alignments.
#include "devices/gpu_spot.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace w4 {
namespace {

struct Drawn {
  GpuRoom room;
  BufferRequest request;
};

Drawn draw(Placement placement, bool traps) {
  Drawn d;
  BufferRequest& r = d.request;
  r.bytes =
      *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 600), rc::gen::inRange<uint64_t>(0, 1 << 20));
  r.offset = *rc::gen::inRange<uint64_t>(0, 600);
  r.alignment = *rc::gen::element<uint64_t>(1, 2, 4, 16, 256);
  r.placement = placement;
  // Pages, and what a driver has beyond what it was asked for.
  const uint64_t page = *rc::gen::element<uint64_t>(256, 4096, 2 << 20);
  const uint64_t more = *rc::gen::inRange<uint64_t>(0, 3) * page;
  d.room = {*rc::gen::inRange<uint64_t>(1, 1 << 20) * page,
            (room_for(r.bytes) + page - 1) / page * page + more, traps, traps};
  return d;
}

// [from, to) lies in the room and holds the buffer.
void holds(const GpuRoom& room, const BufferRequest& r, const GpuSpot& s) {
  RC_ASSERT(s.from >= room.begin);
  RC_ASSERT(s.to <= room.begin + room.bytes);
  RC_ASSERT(s.from <= s.base);
  RC_ASSERT(s.base + r.bytes <= s.to);
}

RC_GTEST_PROP(GpuSpot, EndLeavesLessThanTheAlignmentBeforeUnmappedMemory, ()) {
  const auto [room, r] = draw(Placement::end, true);
  const GpuSpot s = spot_in(room, r);
  holds(room, r, s);
  RC_ASSERT(s.base % r.alignment == r.offset % r.alignment);
  RC_ASSERT(s.to == room.begin + room.bytes);
  RC_ASSERT(s.to - (s.base + r.bytes) < r.alignment);
  RC_ASSERT(s.base - s.from >= 256u);
}

RC_GTEST_PROP(GpuSpot, BeginningLeavesLessThanTheAlignmentBehindUnmappedMemory, ()) {
  const auto [room, r] = draw(Placement::beginning, true);
  const GpuSpot s = spot_in(room, r);
  holds(room, r, s);
  RC_ASSERT(s.base % r.alignment == r.offset % r.alignment);
  RC_ASSERT(s.from == room.begin);
  RC_ASSERT(s.base - s.from < r.alignment);
  RC_ASSERT(s.to - (s.base + r.bytes) >= 256u);
}

RC_GTEST_PROP(GpuSpot, ElsewhereRedZonesLieOnBothSidesAndTheOffsetIsKept, ()) {
  const auto placement = *rc::gen::element(Placement::end, Placement::beginning, Placement::plain);
  const auto [room, r] = draw(placement, false);
  const GpuSpot s = spot_in(room, r);
  holds(room, r, s);
  RC_ASSERT(s.base % 256 == r.offset % 256);
  RC_ASSERT(s.base - s.from == red_zone(r.bytes));
  RC_ASSERT(s.to - (s.base + r.bytes) == red_zone(r.bytes));
}

}  // namespace
}  // namespace w4
