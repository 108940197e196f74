// What a kernel would do with a call, found out without running anything: preparation on a
// checkpoint of zeros, accept(), the shape-only form, and run() on a device that keeps launches
// instead of carrying them out. Host code alone is asked, so a call costs microseconds, whatever
// its shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "kernels/module.h"

namespace w4::diff {

// Sees each launch while its code object and arguments are there.
struct Launched {
  std::string symbol;
  std::string grid;        // "20x1x1" workgroups
  std::string block;       // "512x1x1, 0 bytes of dynamic LDS"
  uint64_t object = 0;     // hash of its bytes
  uint64_t args = 0;       // hash of its arguments: the same call has the same addresses
  const void* bytes = {};  // of the code object; the module owns them
  size_t size = 0;
};

struct Asked {
  // What the kernel says to the call: empty where it takes it, otherwise the clause, or "unnamed".
  std::string prepare, call;
  std::string message;        // of the refusal
  std::string shape;          // of the shape-only form: "f16 [5,64]"; "" where not promised
  std::string instantiation;  // what run() says that ran
  std::vector<Launched> launches;
};

// `prepare`: ask preparation too, which wants memory of the size of the weights (not where that is
// over kCaseBytes).
// Errors: the kernel has no code for the device, or the device is not emulated.
Result<Asked> ask(const w4_kernel& kernel, const Case& c, bool prepare);

}  // namespace w4::diff
