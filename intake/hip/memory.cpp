// hipMalloc and its kin. Copies are done when the call returns, in order with launches, whatever
// the stream.
#include "intake/hip/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "intake/hip/own_device.h"
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

const char* name_of(CopyKind kind) {
  switch (kind) {
    case kHostToHost:
      return "hipMemcpyHostToHost";
    case kHostToDevice:
      return "hipMemcpyHostToDevice";
    case kDeviceToHost:
      return "hipMemcpyDeviceToHost";
    case kDeviceToDevice:
    case kDeviceToDeviceNoCU:
      return "hipMemcpyDeviceToDevice";
    case kDefault:
      return "hipMemcpyDefault";
  }
  return "?";
}

Status allocate_host(const char* name, void** p, size_t bytes, unsigned flags) {
  return call(name, [&](Call& c) -> Status {
    if (!p) return c.bad(kInvalidValue, "ptr is null");
    *p = nullptr;
    // Aligned as pinned pages are; zeroed, so that a run repeats.
    void* block = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096 + (bytes == 0 ? 4096 : 0));
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

bool overlap(uint64_t a, uint64_t b, uint64_t n) { return a < b + n && b < a + n; }

}  // namespace

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

Status copy(const Call& c, void* dst, const void* src, size_t n, CopyKind kind) {
  const uint64_t to = address_of(dst), from = address_of(src);
  if (kind != kDeviceToDeviceNoCU && (kind < kHostToHost || kind > kDefault))
    return c.bad(kInvalidValue, "kind {} is none of hipMemcpyKind", static_cast<int>(kind));
  if (n == 0) return kSuccess;
  if (!dst || !src) return c.bad(kInvalidValue, "{} is null", dst ? "src" : "dst");
  const bool to_device = is_device_address(to), from_device = is_device_address(from);
  if (kind != kDefault) {
    const bool want_to = kind != kDeviceToHost && kind != kHostToHost;
    const bool want_from = kind != kHostToDevice && kind != kHostToHost;
    if (to_device != want_to)
      return c.bad(kInvalidValue, "{}: dst {:#x} is {} memory", name_of(kind), to,
                   to_device ? "device" : "host");
    if (from_device != want_from)
      return c.bad(kInvalidValue, "{}: src {:#x} is {} memory", name_of(kind), from,
                   from_device ? "device" : "host");
  }
  if (overlap(to, from, n))
    return c.bad(kInvalidValue, "{} bytes from {:#x} to {:#x} overlap", n, from, to);
  if (to_device) {
    if (const Status s = check_range(c, "dst", to, n); s != kSuccess) return s;
  }
  if (from_device) {
    if (const Status s = check_range(c, "src", from, n); s != kSuccess) return s;
  }
  const w4_device& d = c.device();
  int wrong = 0;
  if (to_device && from_device) {
    wrong = d.copy(d.self, to, from, n);
  } else if (to_device) {
    wrong = d.write(d.self, to, src, n);
  } else if (from_device) {
    wrong = d.read(d.self, from, dst, n);
  } else {
    std::memcpy(dst, src, n);
  }
  if (wrong)
    return c.bad(kInvalidValue, "{} bytes from {:#x} to {:#x}: not inside one buffer", n, from, to);
  return kSuccess;
}

Status copy_rows(const Call& c, void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                 size_t width, size_t height, CopyKind kind) {
  if (width > dst_pitch || width > src_pitch)
    return c.bad(kInvalidValue, "width {} is above the pitch {} of {}", width,
                 width > dst_pitch ? dst_pitch : src_pitch, width > dst_pitch ? "dst" : "src");
  for (size_t y = 0; y < height; ++y) {
    const Status s = copy(c, static_cast<char*>(dst) + y * dst_pitch,
                          static_cast<const char*>(src) + y * src_pitch, width, kind);
    if (s != kSuccess) return s;
  }
  return kSuccess;
}

Status fill(const Call& c, void* dst, uint32_t value, size_t element, size_t count) {
  const size_t bytes = element * count;
  if (count != 0 && bytes / count != element)
    return c.bad(kInvalidValue, "{} elements are too many", count);
  if (bytes == 0) return kSuccess;
  if (!dst) return c.bad(kInvalidValue, "dst is null");
  const uint64_t to = address_of(dst);
  if (is_device_address(to)) {
    if (const Status s = check_range(c, "dst", to, bytes); s != kSuccess) return s;
  } else {
    const std::scoped_lock lock(host_mutex());
    const HostBlock* block = host_block_of(to);
    if (!block) return c.bad(kInvalidValue, "dst {:#x} is neither device nor pinned memory", to);
  }
  std::vector<std::byte> piece(std::min<size_t>(bytes, (size_t{1} << 20) / element * element));
  for (size_t i = 0; i < piece.size(); i += element) std::memcpy(&piece[i], &value, element);
  const w4_device& d = c.device();
  for (size_t at = 0; at < bytes; at += piece.size()) {
    const size_t n = std::min(piece.size(), bytes - at);
    if (!is_device_address(to)) {
      std::memcpy(static_cast<char*>(dst) + at, piece.data(), n);
    } else if (d.write(d.self, to + at, piece.data(), n) != 0) {
      return c.bad(kInvalidValue, "{} bytes at {:#x}: not inside one buffer", n, to + at);
    }
  }
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

W4HIP_API Status hipMemcpy(void* dst, const void* src, size_t n, CopyKind kind) {
  return call("hipMemcpy", [&](Call& c) { return copy(c, dst, src, n, kind); });
}
W4HIP_API Status hipMemcpyAsync(void* dst, const void* src, size_t n, CopyKind kind, void* stream) {
  return call("hipMemcpyAsync", [&](Call& c) {
    return known_stream(c, stream) ? copy(c, dst, src, n, kind) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemcpyWithStream(void* dst, const void* src, size_t n, CopyKind kind,
                                     void* stream) {
  return call("hipMemcpyWithStream", [&](Call& c) {
    return known_stream(c, stream) ? copy(c, dst, src, n, kind) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemcpyHtoD(void* dst, const void* src, size_t n) {
  return call("hipMemcpyHtoD", [&](Call& c) { return copy(c, dst, src, n, kHostToDevice); });
}
W4HIP_API Status hipMemcpyDtoH(void* dst, const void* src, size_t n) {
  return call("hipMemcpyDtoH", [&](Call& c) { return copy(c, dst, src, n, kDeviceToHost); });
}
W4HIP_API Status hipMemcpyDtoD(void* dst, const void* src, size_t n) {
  return call("hipMemcpyDtoD", [&](Call& c) { return copy(c, dst, src, n, kDeviceToDevice); });
}
W4HIP_API Status hipMemcpyHtoDAsync(void* dst, const void* src, size_t n, void* stream) {
  return hipMemcpyAsync(dst, src, n, kHostToDevice, stream);
}
W4HIP_API Status hipMemcpyDtoHAsync(void* dst, const void* src, size_t n, void* stream) {
  return hipMemcpyAsync(dst, src, n, kDeviceToHost, stream);
}
W4HIP_API Status hipMemcpyDtoDAsync(void* dst, const void* src, size_t n, void* stream) {
  return hipMemcpyAsync(dst, src, n, kDeviceToDevice, stream);
}
W4HIP_API Status hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                             size_t height, CopyKind kind) {
  return call("hipMemcpy2D",
              [&](Call& c) { return copy_rows(c, dst, dpitch, src, spitch, width, height, kind); });
}
W4HIP_API Status hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                  size_t width, size_t height, CopyKind kind, void* stream) {
  return call("hipMemcpy2DAsync", [&](Call& c) {
    return known_stream(c, stream) ? copy_rows(c, dst, dpitch, src, spitch, width, height, kind)
                                   : kInvalidHandle;
  });
}

W4HIP_API Status hipMemset(void* dst, int value, size_t n) {
  return call("hipMemset", [&](Call& c) { return fill(c, dst, value & 0xff, 1, n); });
}
W4HIP_API Status hipMemsetAsync(void* dst, int value, size_t n, void* stream) {
  return call("hipMemsetAsync", [&](Call& c) {
    return known_stream(c, stream) ? fill(c, dst, value & 0xff, 1, n) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemsetD8(void* dst, unsigned char value, size_t n) {
  return call("hipMemsetD8", [&](Call& c) { return fill(c, dst, value, 1, n); });
}
W4HIP_API Status hipMemsetD16(void* dst, unsigned short value, size_t n) {
  return call("hipMemsetD16", [&](Call& c) { return fill(c, dst, value, 2, n); });
}
W4HIP_API Status hipMemsetD32(void* dst, int value, size_t n) {
  return call("hipMemsetD32",
              [&](Call& c) { return fill(c, dst, static_cast<uint32_t>(value), 4, n); });
}
W4HIP_API Status hipMemsetD8Async(void* dst, unsigned char value, size_t n, void* stream) {
  return call("hipMemsetD8Async", [&](Call& c) {
    return known_stream(c, stream) ? fill(c, dst, value, 1, n) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemsetD16Async(void* dst, unsigned short value, size_t n, void* stream) {
  return call("hipMemsetD16Async", [&](Call& c) {
    return known_stream(c, stream) ? fill(c, dst, value, 2, n) : kInvalidHandle;
  });
}
W4HIP_API Status hipMemsetD32Async(void* dst, int value, size_t n, void* stream) {
  return call("hipMemsetD32Async", [&](Call& c) {
    return known_stream(c, stream) ? fill(c, dst, static_cast<uint32_t>(value), 4, n)
                                   : kInvalidHandle;
  });
}
W4HIP_API Status hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return call("hipMemset2D", [&](Call& c) -> Status {
    for (size_t y = 0; y < height; ++y) {
      const Status s = fill(c, static_cast<char*>(dst) + y * pitch, value & 0xff, 1, width);
      if (s != kSuccess) return s;
    }
    return kSuccess;
  });
}
