// Code of NVIDIA GPUs as w4_launch::object has it: PTX, of which the driver translates one kernel
// at its first launch, or machine code (ELF, of ptxas), whose kernels take as much shared memory as
// w4_launch::dynamic_lds says and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/cuda_driver.h"
#include "devices/gpu_api.h"
#include "devices/ptx.h"

namespace w4 {

struct CudaKernel {
  // Launches may ask for so much shared memory without being allowed to first.
  static constexpr uint64_t kOrdinaryShared = 48 * 1024;
  CudaFunction* function = nullptr;
  std::optional<uint64_t> argument_bytes;  // of PTX
  uint64_t shared = 0;                     // besides dynamic_lds
  uint64_t allowed = kOrdinaryShared;      // dynamic shared memory, so far
};

class CudaCodeObject final : public GpuCode {
 public:
  // Error: it is PTX that makes no sense. `driver` outlives it.
  static Result<std::unique_ptr<CudaCodeObject>> make(const CudaDriver& driver,
                                                      std::span<const std::byte> object);
  explicit CudaCodeObject(const CudaDriver& driver) : driver_(driver) {}
  ~CudaCodeObject() override;
  CudaCodeObject(const CudaCodeObject&) = delete;

  // Errors: there is none, or the driver does not take its code, and says why.
  Result<CudaKernel*> find(const char* symbol);

 private:
  Result<CudaModule*> load(const void* image, std::string_view what);

  const CudaDriver& driver_;
  std::vector<CudaModule*> modules_;
  std::optional<Ptx> ptx_;
  std::string machine_code_;
  std::map<std::string, CudaKernel, std::less<>> kernels_;  // that have been asked for
  CudaModule* whole_ = nullptr;  // where kernels are not loaded one by one
};

}  // namespace w4
