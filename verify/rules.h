// Rules of kernels/module.h that host code of a module can break, as far as they show: each breach
// as one sentence, for a HarnessError, or for what a refusal is told with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/device_table.h"
#include "verify/materialise.h"

namespace w4 {

// What a function of `kernel` that returned `returned` has refused with. A clause that the kernel
// does not declare, a refusal without a clause, and a launch all the same are said in the message.
std::optional<Refusal> refusal_of(const DeviceTable& table, const w4_kernel& kernel,
                                  std::string_view function, int returned);

// Of prepare() and accept(): a refusal that returns 0, a launch. Empty: none.
std::string breach_of(const DeviceTable& table, std::string_view function, int returned);

// Tensors that lie neither in memory of host_alloc nor in the source. Empty: none.
std::string stray_tensors(const DeviceTable& table, const w4_source& source,
                          const w4_prepared& prepared);

// Descriptors and memory that a module may only read, remembered to be compared later.
class ReadOnly {
 public:
  // Of a checkpoint: descriptors, and the bytes too where `bytes` (a checksum of all of them).
  ReadOnly(const w4_source& source, bool bytes);
  // Of a call: descriptors.
  explicit ReadOnly(const w4_call& call);
  // "the checkpoint's wei"; empty: nothing has changed.
  std::string changed() const;

 private:
  struct One {
    const char* name;
    const w4_tensor* at;
    w4_tensor was;
    uint64_t sum;
  };
  void keep(const char* name, const w4_tensor* t);
  bool bytes_ = false;
  std::vector<One> all_;
};

}  // namespace w4
