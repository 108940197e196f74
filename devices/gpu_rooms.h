// A GPU's rooms, kept for the next case: mapping one takes longer than a small case.
#pragma once

#include <cstdint>
#include <map>

#include "core/result.h"
#include "devices/gpu_api.h"

namespace w4 {

class GpuRooms {
 public:
  // `api` outlives the rooms.
  explicit GpuRooms(GpuApi& api) : api_(api) {}
  ~GpuRooms();
  GpuRooms(const GpuRooms&) = delete;
  GpuRooms& operator=(const GpuRooms&) = delete;

  // At least `bytes`, with bounds as the driver gave them; content as its last user left it.
  Result<GpuRoom> take(uint64_t bytes, bool guarded);
  void put(const GpuRoom& room, bool guarded);

 private:
  void drop_idle();

  GpuApi& api_;
  std::multimap<uint64_t, GpuRoom> idle_[2];  // by size; [1]: guarded
  uint64_t idle_bytes_ = 0;
};

}  // namespace w4
