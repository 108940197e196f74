// A device as the HIP calls of a thread see it: bound by w4hip_bind, or the process's own. Holds
// what HIP knows beyond the device: allocations, the failure after which every call fails.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "intake/hip/abi.h"
#include "kernels/module.h"

namespace w4::hip {

class OwnDevice;

struct Allocation {
  uint64_t bytes = 0;
  bool global = false;  // a variable of a code object: hipFree refuses it
};

struct Session {
  const w4_device* device = nullptr;
  OwnDevice* own = nullptr;             // null: bound
  std::map<uint64_t, Allocation> live;  // by address
  std::map<uint64_t, uint64_t> freed;   // address: bytes, until the address is used again
  uint64_t used = 0;                    // bytes allocated
  bool failed = false;                  // a launch failed: so does every later call
  bool dry = false;
  int launch_result = 0;
  std::string first_error;  // of a copy, a fill, a release or a launch: what it said
};

// The calling thread's.
Session& session();
// Held by every call on the process's own device, which several threads may use.
std::recursive_mutex& own_mutex();
// Calls returned this last, in this thread (hipGetLastError).
Status& last_error();

// "w4hip: hipMemcpy: …" on stderr.
void say(const char* call, const std::string& text);

// Whether a HIP call changes memory or launches, other than those that programs ask with and take
// no for an answer.
bool does_something(std::string_view call);

// One HIP call while it runs.
struct Call {
  const char* name;
  Session& s;
  const w4_device& device() const { return *s.device; }
  template <class... A>
  Status bad(Status status, fmt::format_string<A...> f, A&&... a) const {
    const std::string text = fmt::format(f, std::forward<A>(a)...);
    say(name, text);
    if (s.first_error.empty() && does_something(name)) {
      s.first_error = fmt::format("{}: {}", name, text);
    }
    return status;
  }
};

// Runs `body(Call&)` as the HIP call `name`.
template <class F>
Status call(const char* name, F&& body) {
  Session& s = session();
  std::unique_lock<std::recursive_mutex> lock(own_mutex(), std::defer_lock);
  if (s.own) lock.lock();
  Status status = kUnknown;
  try {
    Call c{name, s};
    status = s.failed ? kLaunchFailure : body(c);
  } catch (const std::exception& e) {
    say(name, e.what());
  }
  if (status != kSuccess) last_error() = status;
  return status;
}

// Emulated addresses are below the program and its libraries: buffers have slots of 64 GiB, taken
// from the lowest. 1279 of them may be alive.
inline constexpr uint64_t kFirstDeviceAddress = uint64_t{1} << 36;
inline constexpr uint64_t kEndOfDeviceAddresses = 0x5000'0000'0000;
inline bool is_device_address(uint64_t a) {
  return a >= kFirstDeviceAddress && a < kEndOfDeviceAddresses;
}
inline uint64_t address_of(const void* p) { return reinterpret_cast<uint64_t>(p); }

// Whether [at, at+bytes) lies in one allocation, or may, for all that is known here: the buffers of
// a bound device are not all from hipMalloc. Otherwise says why and returns what the call returns.
Status check_range(const Call& c, const char* what, uint64_t at, uint64_t bytes);

}  // namespace w4::hip
