#include "devices/gpu_rooms.h"

#include <algorithm>
#include <bit>

namespace w4 {
namespace {

constexpr uint64_t kMostIdle = uint64_t{2} << 30;
constexpr uint64_t kMebi = uint64_t{1} << 20;
// Pages of GPUs are 2 MiB: what is smaller lies in one, whatever its size.
constexpr uint64_t kPage = 2 * kMebi;

// Sizes come in few steps, so that rooms fit many buffers: powers of two, eighths of them when
// large.
uint64_t rounded(uint64_t bytes) {
  const uint64_t power = std::bit_ceil(std::max<uint64_t>(bytes, 4096));
  if (power <= kMebi) return power;
  const uint64_t step = power / 16;
  return (bytes + step - 1) / step * step;
}

}  // namespace

GpuRooms::~GpuRooms() { drop_idle(); }

Result<GpuRoom> GpuRooms::take(uint64_t bytes, bool guarded) {
  const uint64_t wanted = rounded(bytes);
  auto& idle = idle_[guarded];
  if (const auto it = idle.lower_bound(wanted);
      it != idle.end() && it->first <= std::max(2 * wanted, kPage)) {
    const GpuRoom room = it->second;
    idle.erase(it);
    idle_bytes_ -= room.bytes;
    return room;
  }
  auto room = api_.reserve(wanted, guarded);
  if (room || api_.lost()) return room;
  drop_idle();
  return api_.reserve(wanted, guarded);
}

void GpuRooms::put(const GpuRoom& room, bool guarded) {
  if (idle_bytes_ + room.bytes > kMostIdle) return api_.give_back(room);
  idle_bytes_ += room.bytes;
  idle_[guarded].emplace(room.bytes, room);
}

void GpuRooms::drop_idle() {
  for (auto& rooms : idle_) {
    for (const auto& [bytes, room] : rooms) api_.give_back(room);
    rooms.clear();
  }
  idle_bytes_ = 0;
}

}  // namespace w4
