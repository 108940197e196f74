// Memory of the GPU that is not there: the host's. Ordinary allocations have their neighbours'
// bytes behind them, as a driver's have; address ranges trap where nothing is mapped.
#pragma once

#include <cstdint>
#include <map>

#include "devices/cuda_driver.h"

namespace w4 {

class FakeMemory {
 public:
  static constexpr uint64_t kGranularity = uint64_t{2} << 20;  // as on NVIDIA's

  CudaCode allocate(CudaAddress* at, uint64_t bytes);
  CudaCode free(CudaAddress at);
  CudaCode reserve(CudaAddress* at, uint64_t bytes);
  CudaCode unreserve(CudaAddress at, uint64_t bytes);
  CudaCode create(unsigned long long* handle, uint64_t bytes);
  CudaCode release(unsigned long long handle);
  CudaCode map(CudaAddress at, uint64_t bytes, unsigned long long handle);
  CudaCode unmap(CudaAddress at, uint64_t bytes);
  CudaCode set_access(CudaAddress at, uint64_t bytes);
  // Whether the range is memory of the GPU that copies may touch.
  bool holds(CudaAddress at, uint64_t bytes) const;

  uint64_t allocations() const { return allocations_.size(); }
  uint64_t reservations() const { return reservations_.size(); }
  uint64_t handles() const { return handles_.size(); }
  uint64_t mappings() const { return mappings_.size(); }

 private:
  struct Mapping {
    uint64_t bytes = 0;
    bool accessible = false;
  };
  std::map<CudaAddress, uint64_t> allocations_, reservations_;
  std::map<unsigned long long, uint64_t> handles_;
  std::map<CudaAddress, Mapping> mappings_;
  unsigned long long next_handle_ = 1;
};

}  // namespace w4
