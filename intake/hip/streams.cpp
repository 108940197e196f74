#include "intake/hip/streams.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

namespace w4::hip {
namespace {

using Clock = std::chrono::steady_clock;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
};
struct Event {
  std::optional<Clock::time_point> recorded;
};

// Handles, so that a stale one is told from a live one.
template <class T>
struct Handles {
  std::mutex mutex;
  std::map<void*, std::unique_ptr<T>> all;

  void* add(T value) {
    const std::scoped_lock lock(mutex);
    auto p = std::make_unique<T>(std::move(value));
    void* handle = p.get();
    all[handle] = std::move(p);
    return handle;
  }
  T* find(void* handle) {
    const std::scoped_lock lock(mutex);
    const auto it = all.find(handle);
    return it == all.end() ? nullptr : it->second.get();
  }
  bool erase(void* handle) {
    const std::scoped_lock lock(mutex);
    return all.erase(handle) != 0;
  }
};
Handles<Stream>& streams() {
  static auto* h = new Handles<Stream>;
  return *h;
}
Handles<Event>& events() {
  static auto* h = new Handles<Event>;
  return *h;
}

bool special(void* stream) { return address_of(stream) <= 2; }  // null, legacy, per thread

Status create_stream(const char* name, void** stream, unsigned flags, int priority) {
  return call(name, [&](Call& c) -> Status {
    if (!stream) return c.bad(kInvalidValue, "stream is null");
    *stream = streams().add({flags, priority});
    return kSuccess;
  });
}

// A call that only has to know its stream.
Status on_stream(const char* name, void* stream) {
  return call(name, [&](Call& c) { return known_stream(c, stream) ? kSuccess : kInvalidHandle; });
}

Event* known_event(const Call& c, void* event) {
  Event* e = events().find(event);
  if (!e) say(c.name, fmt::format("event {} was never created, or is destroyed", event));
  return e;
}

}  // namespace

bool known_stream(const Call& c, void* stream) {
  if (special(stream) || streams().find(stream)) return true;
  c.bad(kInvalidHandle, "stream {} was never created, or is destroyed", stream);
  return false;
}

}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status hipStreamCreate(void** stream) {
  return create_stream("hipStreamCreate", stream, 0, 0);
}
W4HIP_API Status hipStreamCreateWithFlags(void** stream, unsigned flags) {
  return create_stream("hipStreamCreateWithFlags", stream, flags, 0);
}
W4HIP_API Status hipStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return create_stream("hipStreamCreateWithPriority", stream, flags, priority);
}
W4HIP_API Status hipStreamDestroy(void* stream) {
  return call("hipStreamDestroy", [&](Call& c) -> Status {
    if (streams().erase(stream)) return kSuccess;
    return c.bad(kInvalidHandle, "stream {} was never created, or is destroyed", stream);
  });
}
W4HIP_API Status hipStreamSynchronize(void* stream) {
  return on_stream("hipStreamSynchronize", stream);
}
W4HIP_API Status hipStreamQuery(void* stream) { return on_stream("hipStreamQuery", stream); }
W4HIP_API Status hipStreamWaitEvent(void* stream, void* event, unsigned) {
  return call("hipStreamWaitEvent", [&](Call& c) {
    return known_stream(c, stream) && known_event(c, event) ? kSuccess : kInvalidHandle;
  });
}
W4HIP_API Status hipStreamGetFlags(void* stream, unsigned* flags) {
  return call("hipStreamGetFlags", [&](Call& c) -> Status {
    if (!flags) return c.bad(kInvalidValue, "flags is null");
    if (!known_stream(c, stream)) return kInvalidHandle;
    *flags = special(stream) ? 0 : streams().find(stream)->flags;
    return kSuccess;
  });
}
W4HIP_API Status hipStreamGetPriority(void* stream, int* priority) {
  return call("hipStreamGetPriority", [&](Call& c) -> Status {
    if (!priority) return c.bad(kInvalidValue, "priority is null");
    if (!known_stream(c, stream)) return kInvalidHandle;
    *priority = special(stream) ? 0 : streams().find(stream)->priority;
    return kSuccess;
  });
}
W4HIP_API Status hipStreamGetDevice(void* stream, int* device) {
  return call("hipStreamGetDevice", [&](Call& c) -> Status {
    if (!device) return c.bad(kInvalidValue, "device is null");
    *device = 0;
    return known_stream(c, stream) ? kSuccess : kInvalidHandle;
  });
}
W4HIP_API int hipGetStreamDeviceId(void*) { return 0; }
// Nothing is ever captured: hipStreamBeginCapture is not implemented.
W4HIP_API Status hipStreamIsCapturing(void* stream, int* status) {
  return call("hipStreamIsCapturing", [&](Call& c) -> Status {
    if (!status) return c.bad(kInvalidValue, "pCaptureStatus is null");
    *status = 0;
    return known_stream(c, stream) ? kSuccess : kInvalidHandle;
  });
}
W4HIP_API Status hipStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
  if (id) *id = 0;
  return hipStreamIsCapturing(stream, status);
}
W4HIP_API Status hipThreadExchangeStreamCaptureMode(int* mode) {
  thread_local int current = 0;
  if (mode) std::swap(*mode, current);
  return kSuccess;
}
W4HIP_API Status hipStreamAddCallback(void* stream, void (*f)(void*, Status, void*), void* data,
                                      unsigned) {
  const Status s = on_stream("hipStreamAddCallback", stream);
  if (s == kSuccess && f) f(stream, kSuccess, data);
  return s;
}
W4HIP_API Status hipLaunchHostFunc(void* stream, void (*f)(void*), void* data) {
  const Status s = on_stream("hipLaunchHostFunc", stream);
  if (s == kSuccess && f) f(data);
  return s;
}
W4HIP_API Status hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return kSuccess;
}

W4HIP_API Status hipEventCreateWithFlags(void** event, unsigned) {
  return call("hipEventCreateWithFlags", [&](Call& c) -> Status {
    if (!event) return c.bad(kInvalidValue, "event is null");
    *event = events().add({});
    return kSuccess;
  });
}
W4HIP_API Status hipEventCreate(void** event) { return hipEventCreateWithFlags(event, 0); }
W4HIP_API Status hipEventDestroy(void* event) {
  return call("hipEventDestroy", [&](Call& c) -> Status {
    if (events().erase(event)) return kSuccess;
    return c.bad(kInvalidHandle, "event {} was never created, or is destroyed", event);
  });
}
W4HIP_API Status hipEventRecord(void* event, void* stream) {
  return call("hipEventRecord", [&](Call& c) -> Status {
    Event* e = known_event(c, event);
    if (!e || !known_stream(c, stream)) return kInvalidHandle;
    e->recorded = Clock::now();
    return kSuccess;
  });
}
W4HIP_API Status hipEventRecordWithFlags(void* event, void* stream, unsigned) {
  return hipEventRecord(event, stream);
}
W4HIP_API Status hipEventSynchronize(void* event) {
  return call("hipEventSynchronize",
              [&](Call& c) { return known_event(c, event) ? kSuccess : kInvalidHandle; });
}
W4HIP_API Status hipEventQuery(void* event) {
  return call("hipEventQuery",
              [&](Call& c) { return known_event(c, event) ? kSuccess : kInvalidHandle; });
}
// The emulator's time, which says nothing about a GPU's.
W4HIP_API Status hipEventElapsedTime(float* ms, void* start, void* stop) {
  return call("hipEventElapsedTime", [&](Call& c) -> Status {
    if (!ms) return c.bad(kInvalidValue, "ms is null");
    const Event *from = known_event(c, start), *to = known_event(c, stop);
    if (!from || !to) return kInvalidHandle;
    if (!from->recorded || !to->recorded)
      return c.bad(kInvalidHandle, "the {} event was never recorded",
                   from->recorded ? "stop" : "start");
    *ms = std::chrono::duration<float, std::milli>(*to->recorded - *from->recorded).count();
    return kSuccess;
  });
}
