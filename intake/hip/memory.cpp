// hipMalloc, hipHostMalloc and their kin.
#include "intake/hip/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "intake/hip/streams.h"

namespace w4::hip {
namespace {

constexpr uint64_t kTotalMemory = uint64_t{32} << 30;  // what the device says it has
constexpr uint64_t kPitch = 256;

struct HostBlock {
  uint64_t bytes;
  unsigned flags;
  bool registered;  // the program's own memory: not ours to free
};
std::map<uint64_t, HostBlock>& host_blocks() {
  static auto* blocks = new std::map<uint64_t, HostBlock>;
  return *blocks;
}
std::mutex& host_mutex() {
  static auto* m = new std::mutex;
  return *m;
}

Status allocate_host(const char* name, void** p, size_t bytes, unsigned flags) {
  return call(name, [&](Call& c) -> Status {
    if (!p) return c.bad(kInvalidValue, "ptr is null");
    *p = nullptr;
    // Aligned as pinned pages are; zeroed, so that a run repeats.
    constexpr size_t kPage = 4096;
    void* block =
        bytes > kTotalMemory
            ? nullptr
            : std::aligned_alloc(kPage, std::max<size_t>(1, (bytes + kPage - 1) / kPage) * kPage);
    if (!block) return c.bad(kOutOfMemory, "the host has no {} bytes", bytes);
    std::memset(block, 0, bytes);
    const std::scoped_lock lock(host_mutex());
    host_blocks()[address_of(block)] = {bytes, flags, false};
    *p = block;
    return kSuccess;
  });
}

Status free_host(const char* name, void* p) {
  return call(name, [&](Call& c) -> Status {
    if (!p) return kSuccess;
    const std::scoped_lock lock(host_mutex());
    const auto it = host_blocks().find(address_of(p));
    if (it == host_blocks().end() || it->second.registered)
      return c.bad(kInvalidValue, "{} is not from hipHostMalloc, or freed already", p);
    host_blocks().erase(it);
    std::free(p);
    return kSuccess;
  });
}

const HostBlock* host_block_of(uint64_t at) {
  auto it = host_blocks().upper_bound(at);
  if (it == host_blocks().begin()) return nullptr;
  --it;
  return at - it->first < it->second.bytes ? &it->second : nullptr;
}

}  // namespace

bool in_pinned(uint64_t at, uint64_t bytes) {
  const std::scoped_lock lock(host_mutex());
  auto it = host_blocks().upper_bound(at);
  if (it == host_blocks().begin()) return false;
  --it;
  const uint64_t offset = at - it->first;
  return offset < it->second.bytes && bytes <= it->second.bytes - offset;
}

Status allocate(const Call& c, void** p, size_t bytes) {
  if (!p) return c.bad(kInvalidValue, "ptr is null");
  *p = nullptr;
  if (bytes == 0) return kSuccess;
  const uint64_t at = c.device().device_alloc(c.device().self, bytes);
  if (at == 0) return c.bad(kOutOfMemory, "{} bytes", bytes);
  if (!is_device_address(at)) {
    c.device().device_free(c.device().self, at);
    return c.bad(kOutOfMemory,
                 "more allocations are alive than this library tells from host memory");
  }
  c.s.live[at] = {bytes, false};
  c.s.used += bytes;
  // Addresses are used again: what was freed there is so no more.
  std::erase_if(c.s.freed,
                [&](const auto& f) { return f.first < at + bytes && at < f.first + f.second; });
  *p = reinterpret_cast<void*>(at);
  return kSuccess;
}

Status release(const Call& c, void* p) {
  if (!p) return kSuccess;
  const uint64_t at = address_of(p);
  const auto it = c.s.live.find(at);
  if (it == c.s.live.end()) {
    if (const auto f = c.s.freed.find(at); f != c.s.freed.end())
      return c.bad(kInvalidValue, "{:#x} was freed already ({} bytes)", at, f->second);
    return c.bad(kInvalidValue, "{:#x} is not the start of an allocation", at);
  }
  if (it->second.global) return c.bad(kInvalidValue, "{:#x} is a variable of a code object", at);
  c.device().device_free(c.device().self, at);
  c.s.used -= it->second.bytes;
  c.s.freed[at] = it->second.bytes;
  c.s.live.erase(it);
  return kSuccess;
}

}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipMalloc(void** p, size_t bytes) {
  return call("hipMalloc", [&](Call& c) { return allocate(c, p, bytes); });
}
W4HIP_API Status hipExtMallocWithFlags(void** p, size_t bytes, unsigned) {
  return call("hipExtMallocWithFlags", [&](Call& c) { return allocate(c, p, bytes); });
}
W4HIP_API Status hipMallocAsync(void** p, size_t bytes, void* stream) {
  return call("hipMallocAsync", [&](Call& c) {
    return known_stream(c, stream) ? allocate(c, p, bytes) : kInvalidHandle;
  });
}
W4HIP_API Status hipMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  return call("hipMallocPitch", [&](Call& c) -> Status {
    if (!pitch) return c.bad(kInvalidValue, "pitch is null");
    if (width > kTotalMemory || (width != 0 && height > kTotalMemory / width))
      return c.bad(kOutOfMemory, "{} rows of {} bytes", height, width);
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return allocate(c, p, *pitch * height);
  });
}
W4HIP_API Status hipMemAllocPitch(void** p, size_t* pitch, size_t width, size_t height, unsigned) {
  return hipMallocPitch(p, pitch, width, height);
}
W4HIP_API Status hipFree(void* p) {
  return call("hipFree", [&](Call& c) { return release(c, p); });
}
W4HIP_API Status hipFreeAsync(void* p, void* stream) {
  return call("hipFreeAsync",
              [&](Call& c) { return known_stream(c, stream) ? release(c, p) : kInvalidHandle; });
}

// Pinned memory is host memory that copies take; a kernel that is handed its address reads outside
// every buffer, which is a finding.
W4HIP_API Status hipHostMalloc(void** p, size_t bytes, unsigned flags) {
  return allocate_host("hipHostMalloc", p, bytes, flags);
}
W4HIP_API Status hipHostAlloc(void** p, size_t bytes, unsigned flags) {
  return allocate_host("hipHostAlloc", p, bytes, flags);
}
W4HIP_API Status hipMallocHost(void** p, size_t bytes) {
  return allocate_host("hipMallocHost", p, bytes, 0);
}
W4HIP_API Status hipMemAllocHost(void** p, size_t bytes) {
  return allocate_host("hipMemAllocHost", p, bytes, 0);
}
W4HIP_API Status hipHostFree(void* p) { return free_host("hipHostFree", p); }
W4HIP_API Status hipFreeHost(void* p) { return free_host("hipFreeHost", p); }
W4HIP_API Status hipHostRegister(void* p, size_t bytes, unsigned flags) {
  return call("hipHostRegister", [&](Call& c) -> Status {
    if (!p || bytes == 0) return c.bad(kInvalidValue, "{} bytes at {}", bytes, p);
    const std::scoped_lock lock(host_mutex());
    if (!host_blocks().try_emplace(address_of(p), HostBlock{bytes, flags, true}).second)
      return c.bad(kInvalidValue, "{} is registered already", p);
    return kSuccess;
  });
}
W4HIP_API Status hipHostUnregister(void* p) {
  return call("hipHostUnregister", [&](Call& c) -> Status {
    const std::scoped_lock lock(host_mutex());
    const auto it = host_blocks().find(address_of(p));
    if (it == host_blocks().end() || !it->second.registered)
      return c.bad(kInvalidValue, "{} is not registered", p);
    host_blocks().erase(it);
    return kSuccess;
  });
}
W4HIP_API Status hipHostGetFlags(unsigned* flags, void* p) {
  return call("hipHostGetFlags", [&](Call& c) -> Status {
    const std::scoped_lock lock(host_mutex());
    const HostBlock* block = host_block_of(address_of(p));
    if (!flags || !block) return c.bad(kInvalidValue, "{} is not pinned memory", p);
    *flags = block->flags;
    return kSuccess;
  });
}

W4HIP_API Status hipMemGetInfo(size_t* free, size_t* total) {
  return call("hipMemGetInfo", [&](Call& c) -> Status {
    if (free) *free = kTotalMemory - std::min(kTotalMemory, c.s.used);
    if (total) *total = kTotalMemory;
    return kSuccess;
  });
}
W4HIP_API Status hipMemGetAddressRange(void** base, size_t* bytes, void* p) {
  return call("hipMemGetAddressRange", [&](Call& c) -> Status {
    auto it = c.s.live.upper_bound(address_of(p));
    if (it == c.s.live.begin() ||
        address_of(p) - std::prev(it)->first >= std::prev(it)->second.bytes)
      return c.bad(kNotFound, "{} is in no allocation", p);
    --it;
    if (base) *base = reinterpret_cast<void*>(it->first);
    if (bytes) *bytes = it->second.bytes;
    return kSuccess;
  });
}
W4HIP_API Status hipMemPtrGetInfo(void* p, size_t* bytes) {
  return hipMemGetAddressRange(nullptr, bytes, p);
}
W4HIP_API Status hipPointerGetAttributes(PointerAttributes* out, const void* p) {
  return call("hipPointerGetAttributes", [&](Call& c) -> Status {
    if (!out) return c.bad(kInvalidValue, "attributes is null");
    const bool six = rocm_version() >= 6;
    *out = {};
    if (is_device_address(address_of(p)) && check_range(c, "ptr", address_of(p), 1) == kSuccess) {
      out->type = six ? 2 : 1;
      out->devicePointer = const_cast<void*>(p);
      return kSuccess;
    }
    const std::scoped_lock lock(host_mutex());
    if (const HostBlock* block = host_block_of(address_of(p))) {
      out->type = six ? 1 : 0;
      out->hostPointer = const_cast<void*>(p);
      out->allocationFlags = block->flags;
      return kSuccess;
    }
    // Memory that HIP never saw: an error of its own up to ROCm 5, a type from 6 on. Programs
    // probe.
    out->device = -2;
    return six ? kSuccess : kInvalidValue;
  });
}
