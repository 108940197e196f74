// PTX text by kernels, so that the driver translates the one that is launched and not its seventy
// neighbours: a kernel alone is what stands before the first one, and its own text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct PtxKernel {
  std::string name;
  uint64_t argument_bytes = 0;  // to the end of the last one; each at its natural alignment
  uint64_t shared_bytes = 0;    // "// w4.shared BYTES" (kernels/device_cuda.h), the largest
  size_t begin = 0, end = 0;    // in the text
};

class Ptx {
 public:
  // On input: the text, without a NUL. Errors: no kernel in it, one that does not end, a parameter
  // of no type that PTX has.
  static Result<Ptx> parse(std::string text);

  const std::vector<PtxKernel>& kernels() const { return kernels_; }
  const PtxKernel* find(std::string_view name) const;
  // False: something that is no kernel stands behind one, so that a part may need another.
  bool separable() const { return separable_; }
  // What the driver gets: the kernel alone where that is possible, otherwise the whole text.
  std::string for_driver(const PtxKernel& kernel) const;

 private:
  std::string text_;
  std::vector<PtxKernel> kernels_;
  bool separable_ = true;
};

}  // namespace w4
