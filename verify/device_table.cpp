#include "verify/device_table.h"

namespace w4 {

DeviceTable::DeviceTable(Device& device, Reported reported, LaunchOptions options)
    : device_(device), reported_(reported), options_(std::move(options)), arch_(device.gpu().arch) {
  table_ = {
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
        }
        return -1;
      },
      .host_alloc = [](void* self, size_t bytes) -> void* {
        return of(self).host_.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
      },
      .device_alloc = [](void* self, size_t bytes) -> uint64_t {
        const auto base = of(self).device_.allocate(
            {.name = "workspace", .bytes = bytes, .writable = true, .initialised = false});
        if (!base) of(self).trouble_ = base.error().text;
        return base.value_or(0);
      },
      .launch = [](void* self, const w4_launch* what) { return of(self).launch(*what); },
      .refuse =
          [](void* self, const char* clause, const char* message) {
            if (!of(self).refusal_) of(self).refusal_ = {clause, message};
          },
      .ran =
          [](void* self, const char* instantiation) {
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

int DeviceTable::launch(const w4_launch& what) {
  symbols_.emplace_back(what.symbol);
  launches_.push_back(device_.launch(what, options_));
  return launches_.back().end == LaunchResult::End::completed ? 0 : 1;
}

}  // namespace w4
