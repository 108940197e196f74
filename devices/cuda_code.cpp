#include "devices/cuda_code.h"

#include <algorithm>
#include <array>
#include <utility>

namespace w4 {
namespace {

constexpr size_t kLogBytes = 16 * 1024;
constexpr std::string_view kElf =
    "\x7f"
    "ELF";

}  // namespace

Result<std::unique_ptr<CudaCodeObject>> CudaCodeObject::make(const CudaDriver& driver,
                                                             std::span<const std::byte> object) {
  std::string bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto code = std::make_unique<CudaCodeObject>(driver);
  if (bytes.starts_with(kElf)) {
    code->machine_code_ = std::move(bytes);
    return code;
  }
  bytes.resize(std::min(bytes.find('\0'), bytes.size()));
  auto ptx = Ptx::parse(std::move(bytes));
  if (!ptx) return std::unexpected(ptx.error());
  code->ptx_ = std::move(*ptx);
  return code;
}

CudaCodeObject::~CudaCodeObject() {
  for (CudaModule* m : modules_) driver_.unload(m);
}

Result<CudaModule*> CudaCodeObject::load(const void* image, std::string_view what) {
  std::string log(kLogBytes, '\0');
  std::array<int, 2> options{kCudaJitErrorLog, kCudaJitErrorLogBytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  CudaModule* module = nullptr;
  const CudaCode code = driver_.load(&module, image, 2, options.data(), values.data());
  if (code != 0) {
    log.resize(std::min(log.find('\0'), log.size()));
    return fail("cuModuleLoadDataEx of {}: {}{}{}", what, driver_.text_of(code),
                log.empty() ? "" : "; ", log);
  }
  modules_.push_back(module);
  return module;
}

Result<CudaKernel*> CudaCodeObject::find(const char* symbol) {
  if (const auto at = kernels_.find(symbol); at != kernels_.end()) return &at->second;
  CudaKernel k;
  CudaModule* module = whole_;
  if (ptx_) {
    const PtxKernel* kernel = ptx_->find(symbol);
    if (kernel == nullptr) return fail("no kernel {} in the code", symbol);
    k.argument_bytes = kernel->argument_bytes;
    k.shared = kernel->shared_bytes;
    if (module == nullptr) {
      auto loaded = load(ptx_->for_driver(*kernel).c_str(), symbol);
      if (!loaded) return std::unexpected(loaded.error());
      module = *loaded;
      if (!ptx_->separable()) whole_ = module;
    }
  } else if (module == nullptr) {
    auto loaded = load(machine_code_.data(), "machine code");
    if (!loaded) return std::unexpected(loaded.error());
    module = whole_ = *loaded;
  }
  if (const CudaCode c = driver_.function(&k.function, module, symbol); c != 0) {
    return fail("no kernel {} in the code: {}", symbol, driver_.text_of(c));
  }
  return &kernels_.emplace(symbol, k).first->second;
}

}  // namespace w4
