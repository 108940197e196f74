#include "verify/device_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/materialise.h"

namespace w4 {

DeviceTable::DeviceTable(Device& device, Reported reported, LaunchOptions options)
    : device_(device), reported_(reported), options_(std::move(options)), arch_(device.gpu().arch) {
  table_ = {
      .version = W4_MODULE_VERSION,
      .self = this,
      .arch = arch_.c_str(),
      .property = [](void* self, w4_property which) -> int64_t {
        switch (which) {
          case W4_PROP_CU_COUNT:
            return of(self).reported_.cus;
          case W4_PROP_LDS_PER_BLOCK:
            return of(self).reported_.lds;
          case W4_PROP_WAVE:
            return of(self).device_.gpu().wave;
          case W4_PROP_MAX_THREADS:
            return of(self).device_.gpu().max_threads_per_block;
        }
        return -1;
      },
      .host_alloc = [](void* self, size_t bytes) -> void* { return of(self).host_alloc(bytes); },
      .device_alloc = [](void* self, size_t bytes) -> uint64_t {
        const auto base = of(self).device_.allocate({.name = "workspace",
                                                     .bytes = bytes,
                                                     .writable = true,
                                                     .initialised = false,
                                                     .placement = of(self).options_.placement});
        if (!base) of(self).trouble_ = base.error().text;
        return base.value_or(0);
      },
      .device_free = [](void* self, uint64_t address) { of(self).device_.release(address); },
      .read = [](void* self, uint64_t from, void* to, size_t bytes) -> int {
        return of(self).ends(of(self).device_.read(from, {static_cast<std::byte*>(to), bytes}));
      },
      .write = [](void* self, uint64_t to, const void* from, size_t bytes) -> int {
        auto done = of(self).device_.write(to, {static_cast<const std::byte*>(from), bytes});
        if (done) done = of(self).device_.note_written(to, bytes);
        return of(self).ends(done);
      },
      .copy = [](void* self, uint64_t to, uint64_t from, size_t bytes) -> int {
        return of(self).ends(of(self).device_.copy(to, from, bytes));
      },
      .launch = [](void* self, const w4_launch* what) { return of(self).launch(*what); },
      .refuse =
          [](void* self, const char* clause, const char* message) {
            if (of(self).refusal_) return;
            of(self).refusal_ = {clause == nullptr ? "" : clause,
                                 message == nullptr ? "" : message};
          },
      .ran =
          [](void* self, const char* instantiation) {
            if (instantiation == nullptr) return;
            std::string& all = of(self).instantiation_;
            all += (all.empty() ? "" : "; ") + std::string(instantiation);
          },
  };
}

void DeviceTable::begin() {
  refusal_.reset();
  instantiation_.clear();
  trouble_.clear();
  launches_.clear();
  symbols_.clear();
}

int DeviceTable::ends(const Result<void>& done) {
  if (done) return 0;
  if (trouble_.empty()) trouble_ = done.error().text;
  return 1;
}

// Past what a case may take there is no memory: a size that went wrong.
void* DeviceTable::host_alloc(size_t bytes) {
  if (bytes > kCaseBytes) {
    if (trouble_.empty()) {
      trouble_ = fmt::format("host_alloc of {} bytes; legal: at most {}", bytes, kCaseBytes);
    }
    return nullptr;
  }
  host_.push_back({std::make_unique<std::byte[]>(bytes + 1), bytes});
  return host_.back().at.get();
}

bool DeviceTable::owns(std::span<const std::byte> bytes) const {
  return std::ranges::any_of(host_, [&](const HostMemory& h) {
    return bytes.data() >= h.at.get() && bytes.data() + bytes.size() <= h.at.get() + h.bytes;
  });
}

int DeviceTable::launch(const w4_launch& what) {
  if (what.symbol == nullptr || what.object == nullptr ||
      (what.args == nullptr && what.arg_bytes > 0)) {
    if (trouble_.empty()) {
      trouble_ = fmt::format("launch() with {} NULL", what.symbol == nullptr   ? "symbol"
                                                      : what.object == nullptr ? "object"
                                                                               : "args");
    }
    return 1;
  }
  symbols_.emplace_back(what.symbol);
  launches_.push_back(device_.launch(what, options_));
  return launches_.back().end == LaunchResult::End::completed ? 0 : 1;
}

}  // namespace w4
