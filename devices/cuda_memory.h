// Memory of an NVIDIA GPU in rooms (gpu_api.h). Guarded: an address range of its own, of which the
// middle is mapped and what lies before and behind is not, so that an access there faults.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "devices/cuda_driver.h"
#include "devices/gpu_api.h"

namespace w4 {

// A code of the driver and the call that gave it.
struct CudaTrouble {
  const char* call;
  CudaCode code;
};

class CudaMemory {
 public:
  // On input: the device's context is the thread's. `driver` must outlive this.
  CudaMemory(const CudaDriver& driver, int device);

  // Why no room traps; empty: they do.
  const std::string& why_unguarded() const { return why_unguarded_; }

  std::expected<GpuRoom, CudaTrouble> reserve(uint64_t bytes, bool guarded);
  void give_back(const GpuRoom& room);

 private:
  struct Mapping {
    CudaAddress reserved = 0;
    uint64_t reserved_bytes = 0, bytes = 0;
    unsigned long long handle = 0;
  };
  std::expected<GpuRoom, CudaTrouble> map(uint64_t bytes);
  void undo(const Mapping& m, CudaAddress mapped);

  const CudaDriver& driver_;
  CudaAllocation kind_{};
  uint64_t granularity_ = 0;
  std::string why_unguarded_;
  std::map<CudaAddress, Mapping> mappings_;  // by the first mapped byte
};

}  // namespace w4
