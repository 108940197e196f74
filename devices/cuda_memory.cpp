#include "devices/cuda_memory.h"

#include <algorithm>

namespace w4 {
namespace {

// Addresses cost nothing: an access 32 MiB away from a buffer still meets nobody's memory.
constexpr uint64_t kGuardGranules = 16;

}  // namespace

CudaMemory::CudaMemory(const CudaDriver& driver, int device) : driver_(driver) {
  kind_.location.id = device;
  int supported = 0;
  if (!driver.manages_memory()) {
    why_unguarded_ = "the driver has no virtual memory management";
    return;
  }
  size_t granularity = 0;
  if (driver.attribute(&supported, kCudaVirtualMemoryManagement, device) != 0 || supported == 0) {
    why_unguarded_ = "the GPU has no virtual memory management";
  } else if (const CudaCode code = driver.granularity(&granularity, &kind_, 0);
             code != 0 || granularity == 0) {
    why_unguarded_ = "cuMemGetAllocationGranularity: " + driver.text_of(code);
  }
  granularity_ = granularity;
}

std::expected<GpuRoom, CudaTrouble> CudaMemory::reserve(uint64_t bytes, bool guarded) {
  bytes = std::max<uint64_t>(bytes, 1);
  if (guarded && why_unguarded_.empty()) return map(bytes);
  CudaAddress at = 0;
  if (const CudaCode code = driver_.allocate(&at, bytes); code != 0) {
    return std::unexpected(CudaTrouble{"cuMemAlloc", code});
  }
  return GpuRoom{.begin = at, .bytes = bytes};
}

std::expected<GpuRoom, CudaTrouble> CudaMemory::map(uint64_t bytes) {
  Mapping m;
  const uint64_t guard = kGuardGranules * granularity_;
  m.bytes = (bytes + granularity_ - 1) / granularity_ * granularity_;
  m.reserved_bytes = m.bytes + 2 * guard;
  CudaCode code = driver_.reserve(&m.reserved, m.reserved_bytes, granularity_, 0, 0);
  if (code != 0) return std::unexpected(CudaTrouble{"cuMemAddressReserve", code});
  const CudaAddress at = m.reserved + guard;
  const auto failed = [&](const char* call, CudaAddress mapped) {
    undo(m, mapped);
    return std::unexpected(CudaTrouble{call, code});
  };
  code = driver_.create(&m.handle, m.bytes, &kind_, 0);
  if (code != 0) {
    m.handle = 0;
    return failed("cuMemCreate", 0);
  }
  code = driver_.map(at, m.bytes, 0, m.handle, 0);
  if (code != 0) return failed("cuMemMap", 0);
  const CudaAccess access{.location = kind_.location};
  code = driver_.set_access(at, m.bytes, &access, 1);
  if (code != 0) return failed("cuMemSetAccess", at);
  mappings_[at] = m;
  return GpuRoom{.begin = at, .bytes = m.bytes, .traps_before = true, .traps_after = true};
}

// Codes are of no use here: what cannot be given back stays.
void CudaMemory::undo(const Mapping& m, CudaAddress mapped) {
  if (mapped != 0) driver_.unmap(mapped, m.bytes);
  if (m.handle != 0) driver_.release(m.handle);
  driver_.unreserve(m.reserved, m.reserved_bytes);
}

void CudaMemory::give_back(const GpuRoom& room) {
  const auto found = mappings_.find(room.begin);
  if (found == mappings_.end()) {
    driver_.free(room.begin);
    return;
  }
  undo(found->second, room.begin);
  mappings_.erase(found);
}

}  // namespace w4
