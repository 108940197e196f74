// The function table through which a module sees a device during one case: it records what was
// refused, what ran, and every launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu.h"
#include "devices/device.h"
#include "kernels/module.h"

namespace w4 {

struct Refusal {
  std::string clause, message;
};

class DeviceTable {
 public:
  // `device` must outlive this. `reported`: what host code is told, whatever the device has.
  DeviceTable(Device& device, Reported reported, LaunchOptions options);
  DeviceTable(const DeviceTable&) = delete;

  const w4_device* table() const { return &table_; }
  LaunchOptions& options() { return options_; }

  // Forgets refusals, launches and instantiations; host allocations stay.
  void begin();
  const std::optional<Refusal>& refusal() const { return refusal_; }   // the first
  const std::string& instantiation() const { return instantiation_; }  // joined by "; "
  const std::vector<LaunchResult>& launches() const { return launches_; }
  const std::vector<std::string>& symbols() const { return symbols_; }  // of the launches
  // A failed allocation or a device error that is nobody's finding.
  const std::string& trouble() const { return trouble_; }
  // Whether the bytes lie in one piece of memory that host_alloc gave.
  bool owns(std::span<const std::byte> bytes) const;

 private:
  static DeviceTable& of(void* self) { return *static_cast<DeviceTable*>(self); }
  int launch(const w4_launch& what);
  void* host_alloc(size_t bytes);
  int ends(const Result<void>& done);  // what the module is told

  Device& device_;
  Reported reported_;
  LaunchOptions options_;
  std::string arch_;
  w4_device table_;
  std::optional<Refusal> refusal_;
  std::string instantiation_, trouble_;
  std::vector<LaunchResult> launches_;
  std::vector<std::string> symbols_;
  struct HostMemory {
    std::unique_ptr<std::byte[]> at;
    size_t bytes = 0;
  };
  std::vector<HostMemory> host_;
};

}  // namespace w4
