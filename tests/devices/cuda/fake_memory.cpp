#include "tests/devices/cuda/fake_memory.h"

#include <sys/mman.h>

namespace w4 {
namespace {

constexpr CudaCode kInvalidValue = 1, kNoMemory = 2;
constexpr uint64_t kNeighbours = uint64_t{1} << 20;  // bytes beside an ordinary allocation

void* at_address(CudaAddress at) { return reinterpret_cast<void*>(at); }

CudaAddress mapped(uint64_t bytes, int protection) {
  void* const p =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? 0 : reinterpret_cast<CudaAddress>(p);
}

bool whole_granules(CudaAddress at, uint64_t bytes) {
  return bytes != 0 && at % FakeMemory::kGranularity == 0 && bytes % FakeMemory::kGranularity == 0;
}

template <class Map>
bool inside(const Map& ranges, CudaAddress at, uint64_t bytes, const auto& size_of) {
  auto it = ranges.upper_bound(at);
  if (it == ranges.begin()) return false;
  --it;
  const uint64_t from = at - it->first, size = size_of(it->second);
  return from <= size && bytes <= size - from;
}

}  // namespace

CudaCode FakeMemory::allocate(CudaAddress* at, uint64_t bytes) {
  if (bytes == 0) return kInvalidValue;
  const CudaAddress p = mapped(bytes + 2 * kNeighbours, PROT_READ | PROT_WRITE);
  if (p == 0) return kNoMemory;
  *at = p + kNeighbours;
  allocations_[*at] = bytes;
  return 0;
}

CudaCode FakeMemory::free(CudaAddress at) {
  const auto found = allocations_.find(at);
  if (found == allocations_.end()) return kInvalidValue;
  munmap(at_address(at - kNeighbours), found->second + 2 * kNeighbours);
  allocations_.erase(found);
  return 0;
}

CudaCode FakeMemory::reserve(CudaAddress* at, uint64_t bytes) {
  if (!whole_granules(0, bytes)) return kInvalidValue;
  const CudaAddress p = mapped(bytes + kGranularity, PROT_NONE);
  if (p == 0) return kNoMemory;
  *at = (p + kGranularity - 1) / kGranularity * kGranularity;
  if (*at > p) munmap(at_address(p), *at - p);
  if (*at < p + kGranularity) munmap(at_address(*at + bytes), p + kGranularity - *at);
  reservations_[*at] = bytes;
  return 0;
}

CudaCode FakeMemory::unreserve(CudaAddress at, uint64_t bytes) {
  const auto found = reservations_.find(at);
  if (found == reservations_.end() || found->second != bytes) return kInvalidValue;
  const auto inner = mappings_.lower_bound(at);
  if (inner != mappings_.end() && inner->first < at + bytes) return kInvalidValue;
  munmap(at_address(at), bytes);
  reservations_.erase(found);
  return 0;
}

CudaCode FakeMemory::create(unsigned long long* handle, uint64_t bytes) {
  if (!whole_granules(0, bytes)) return kInvalidValue;
  handles_[*handle = next_handle_++] = bytes;
  return 0;
}

CudaCode FakeMemory::release(unsigned long long handle) {
  return handles_.erase(handle) == 1 ? 0 : kInvalidValue;
}

CudaCode FakeMemory::map(CudaAddress at, uint64_t bytes, unsigned long long handle) {
  const auto found = handles_.find(handle);
  if (!whole_granules(at, bytes) || found == handles_.end() || found->second != bytes ||
      !inside(reservations_, at, bytes, [](uint64_t size) { return size; })) {
    return kInvalidValue;
  }
  mappings_[at] = {.bytes = bytes};
  return 0;
}

CudaCode FakeMemory::unmap(CudaAddress at, uint64_t bytes) {
  const auto found = mappings_.find(at);
  if (found == mappings_.end() || found->second.bytes != bytes) return kInvalidValue;
  mappings_.erase(found);
  mmap(at_address(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
       -1, 0);
  return 0;
}

CudaCode FakeMemory::set_access(CudaAddress at, uint64_t bytes) {
  const auto found = mappings_.find(at);
  if (found == mappings_.end() || found->second.bytes != bytes) return kInvalidValue;
  found->second.accessible = true;
  return mprotect(at_address(at), bytes, PROT_READ | PROT_WRITE) == 0 ? 0 : kNoMemory;
}

bool FakeMemory::holds(CudaAddress at, uint64_t bytes) const {
  return inside(allocations_, at, bytes, [](uint64_t size) { return size; }) ||
         inside(mappings_, at, bytes,
                [](const Mapping& m) { return m.accessible ? m.bytes : uint64_t{0}; });
}

}  // namespace w4
