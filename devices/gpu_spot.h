// Where a buffer lies in a GPU's room, and how much around it is watched for writes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "devices/device.h"
#include "devices/gpu_api.h"

namespace w4 {

struct GpuSpot {
  uint64_t base = 0;          // of the buffer
  uint64_t from = 0, to = 0;  // buffer and red zones, inside the room
};

// Of a red zone: a neighbouring row is in reach, and reading it back costs nothing beside the call.
constexpr uint64_t red_zone(uint64_t bytes) {
  return std::clamp<uint64_t>((bytes + 255) / 256 * 256, 256, 4096);
}

constexpr uint64_t room_for(uint64_t bytes) { return bytes + 2 * red_zone(bytes) + 256; }

// On input: room.bytes >= room_for(r.bytes), room.begin is a multiple of 256. On output: base is
// r.offset modulo r.alignment where the buffer lies at memory that traps, modulo 256 otherwise.
constexpr GpuSpot spot_in(const GpuRoom& room, const BufferRequest& r) {
  const uint64_t end = room.begin + room.bytes, zone = red_zone(r.bytes);
  GpuSpot s;
  if (r.placement == Placement::end && room.traps_after) {
    s.base = end - r.bytes;
    s.base -= (s.base - r.offset) % r.alignment;
  } else if (r.placement == Placement::beginning && room.traps_before) {
    s.base = room.begin + r.offset % r.alignment;
  } else {
    s.base = room.begin + zone + r.offset % 256;
  }
  s.from = std::max(room.begin, s.base - zone);
  s.to = std::min(end, s.base + r.bytes + zone);
  return s;
}

}  // namespace w4
