#include "intake/hip/session.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "intake/hip/own_device.h"
#include "intake/hip/w4hip.h"

namespace w4::hip {
namespace {

thread_local std::unique_ptr<Session> bound;
thread_local bool own_dry = false;

}  // namespace

std::recursive_mutex& own_mutex() {
  static std::recursive_mutex m;
  return m;
}

Session& session() {
  if (bound) return *bound;
  const std::scoped_lock lock(own_mutex());
  // Never destroyed: a program's own destructors may still call HIP.
  static auto* own = [] {
    auto* s = new Session;
    s->own = &OwnDevice::get();
    s->device = s->own->table();
    return s;
  }();
  own->dry = own_dry;
  return *own;
}

Status& last_error() {
  thread_local Status status = kSuccess;
  return status;
}

void say(const char* call, const std::string& text) {
  // What the program printed so far stands before it, where both go to one place.
  std::fflush(stdout);
  fmt::print(stderr, "w4hip: {}: {}\n", call, text);
}

bool does_something(std::string_view call) {
  constexpr std::string_view kCalls[] = {
      "hipMemcpy",       "hipMemset",          "hipFree",
      "hipHostFree",     "hipLaunch",          "hipExtLaunch",
      "hipModuleLaunch", "hipExtModuleLaunch", "hipHccModuleLaunch"};
  return std::ranges::any_of(kCalls, [&](std::string_view c) { return call.starts_with(c); });
}

Status check_range(const Call& c, const char* what, uint64_t at, uint64_t bytes) {
  const Session& s = c.s;
  auto it = s.live.upper_bound(at);
  if (it != s.live.begin()) {
    --it;
    const auto& [base, a] = *it;
    if (at - base < a.bytes || at == base) {
      if (bytes <= a.bytes - (at - base)) return kSuccess;
      return c.bad(kInvalidValue,
                   "{}: {} bytes at {:#x} run past the end of an allocation of {} bytes at {:#x}",
                   what, bytes, at, a.bytes, base);
    }
  }
  auto f = s.freed.upper_bound(at);
  if (f != s.freed.begin()) {
    --f;
    if (at - f->first < f->second)
      return c.bad(kInvalidValue, "{}: {:#x} is in memory that was freed ({} bytes at {:#x})", what,
                   at, f->second, f->first);
  }
  if (s.own)
    return c.bad(kInvalidValue, "{}: {} bytes at {:#x} are in no allocation", what, bytes, at);
  return kSuccess;
}

}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API void w4hip_bind(const w4_device* device) {
  bound.reset();
  last_error() = kSuccess;
  if (!device) return;
  bound = std::make_unique<Session>();
  bound->device = device;
}

W4HIP_API int w4hip_launch_result() { return session().launch_result; }

W4HIP_API const char* w4hip_first_error() {
  const std::string& text = session().first_error;
  return text.empty() ? nullptr : text.c_str();
}

W4HIP_API void w4hip_dry(int dry) {
  if (bound) {
    bound->dry = dry != 0;
  } else {
    own_dry = dry != 0;
  }
}
