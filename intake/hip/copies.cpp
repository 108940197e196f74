// hipMemcpy, hipMemset and their kin. They are done when the call returns, in order with launches,
// whatever the stream.
#include <algorithm>
#include <cstring>
#include <vector>

#include "intake/hip/memory.h"
#include "intake/hip/streams.h"

namespace w4::hip {
namespace {

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

bool overlap(uint64_t a, uint64_t b, uint64_t n) { return a < b + n && b < a + n; }

}  // namespace

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
  } else if (!in_pinned(to, bytes)) {
    return c.bad(kInvalidValue, "{} bytes at dst {:#x}: neither device nor pinned memory", bytes,
                 to);
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
