// Launches: arguments are laid out as the code object's metadata says, then the device runs them
// before the call returns.
#include <cstring>
#include <vector>

#include "intake/hip/code.h"
#include "intake/hip/own_device.h"
#include "intake/hip/streams.h"

namespace w4::hip {
namespace {

// Where clang's kernel stubs leave the launch configuration between <<<>>> and hipLaunchKernel.
struct Configuration {
  Dim3 grid, block;
  size_t lds;
  void* stream;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

bool is_explicit(const rdna::ArgInfo& a) { return !a.value_kind.starts_with("hidden_"); }

// The kernel's explicit arguments, each from the address that `args` holds for it.
std::vector<std::byte> gather(const rdna::KernelInfo& k, void* const* args) {
  std::vector<std::byte> out;
  size_t i = 0;
  for (const rdna::ArgInfo& a : k.args) {
    if (!is_explicit(a)) continue;
    if (out.size() < a.offset + a.size) out.resize(a.offset + a.size);
    std::memcpy(out.data() + a.offset, args[i++], a.size);
  }
  return out;
}

size_t explicit_count(const rdna::KernelInfo& k) {
  size_t n = 0;
  for (const rdna::ArgInfo& a : k.args) n += is_explicit(a);
  return n;
}

Status launch(const Call& c, const Kernel& k, Dim3 grid, Dim3 block, size_t lds,
              std::span<const std::byte> args, void* stream) {
  if (!known_stream(c, stream)) return kInvalidHandle;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
    return c.bad(kInvalidConfiguration, "{}: grid {}x{}x{}, block {}x{}x{}: a dimension is zero",
                 k.info->demangled, grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if (lds > UINT32_MAX)
    return c.bad(kInvalidConfiguration, "{}: {} bytes of dynamic LDS", k.info->demangled, lds);
  if (c.s.dry) return kSuccess;
  const w4_launch what{.object = k.in->bytes.data(),
                       .object_bytes = k.in->bytes.size(),
                       .symbol = k.info->symbol.c_str(),
                       .grid = {grid.x, grid.y, grid.z},
                       .block = {block.x, block.y, block.z},
                       .dynamic_lds = static_cast<uint32_t>(lds),
                       .args = args.data(),
                       .arg_bytes = args.size()};
  const int result = c.device().launch(c.device().self, &what);
  if (result == 0) return kSuccess;
  if (c.s.launch_result == 0) c.s.launch_result = result;
  c.s.failed = !(c.s.own && c.s.own->goes_on());
  return kLaunchFailure;
}

Status launch_host_function(const char* name, const void* function, Dim3 grid, Dim3 block,
                            void* const* args, size_t lds, void* stream) {
  return call(name, [&](Call& c) -> Status {
    Kernel k;
    if (const Status s = kernel_of(c, function, k); s != kSuccess) {
      // Nothing ran, and a program that does not look at errors ends as if it had.
      if (c.s.own) c.s.own->failed(3);
      return s;
    }
    if (!args && explicit_count(*k.info) != 0)
      return c.bad(kInvalidValue, "{}: args is null", k.info->demangled);
    return launch(c, k, grid, block, lds, gather(*k.info, args), stream);
  });
}

// `extra`: HIP_LAUNCH_PARAM_BUFFER_POINTER (1), a pointer, HIP_LAUNCH_PARAM_BUFFER_SIZE (2), a
// pointer to the size, HIP_LAUNCH_PARAM_END (3).
Status launch_handle(const Call& c, const void* handle, Dim3 grid, Dim3 block, size_t lds,
                     void* stream, void* const* params, void* const* extra) {
  const Kernel* k = kernel_of_handle(handle);
  if (!k) return c.bad(kInvalidHandle, "{} is no function of a module", handle);
  if (params && extra)
    return c.bad(kInvalidValue, "{}: kernelParams and extra are both given", k->info->demangled);
  if (params) return launch(c, *k, grid, block, lds, gather(*k->info, params), stream);
  std::span<const std::byte> buffer;
  if (extra) {
    const void* at = nullptr;
    size_t bytes = 0;
    for (size_t i = 0; address_of(extra[i]) != 3; i += 2) {
      if (address_of(extra[i]) == 1) {
        at = extra[i + 1];
      } else if (address_of(extra[i]) == 2) {
        bytes = *static_cast<const size_t*>(extra[i + 1]);
      } else {
        return c.bad(kInvalidValue, "{}: extra[{}] is {}; legal: HIP_LAUNCH_PARAM_*",
                     k->info->demangled, i, extra[i]);
      }
    }
    buffer = {static_cast<const std::byte*>(at), at ? bytes : 0};
  } else if (explicit_count(*k->info) != 0) {
    return c.bad(kInvalidValue, "{}: neither kernelParams nor extra is given", k->info->demangled);
  }
  // A struct that ends in padding is longer than its arguments; what it has beyond is not theirs.
  if (buffer.size() > k->info->kernarg_bytes) buffer = buffer.first(k->info->kernarg_bytes);
  return launch(c, *k, grid, block, lds, buffer, stream);
}

// Grid in work-items, as the oldest launch calls have it.
Status launch_items(const char* name, const void* handle, Dim3 items, Dim3 block, size_t lds,
                    void* stream, void* const* params, void* const* extra) {
  return call(name, [&](Call& c) -> Status {
    if (!block.x || !block.y || !block.z || items.x % block.x || items.y % block.y ||
        items.z % block.z)
      return c.bad(kInvalidConfiguration,
                   "{}x{}x{} work-items are not whole blocks of {}x{}x{}: partial blocks are not "
                   "emulated",
                   items.x, items.y, items.z, block.x, block.y, block.z);
    const Dim3 grid{items.x / block.x, items.y / block.y, items.z / block.z};
    return launch_handle(c, handle, grid, block, lds, stream, params, extra);
  });
}

}  // namespace
}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API Status __hipPushCallConfiguration(Dim3 grid, Dim3 block, size_t lds, void* stream) {
  configurations().push_back({grid, block, lds, stream});
  return kSuccess;
}
W4HIP_API Status __hipPopCallConfiguration(Dim3* grid, Dim3* block, size_t* lds, void** stream) {
  if (configurations().empty()) {
    say("__hipPopCallConfiguration", "no launch configuration was pushed");
    return kUnknown;
  }
  const Configuration& c = configurations().back();
  *grid = c.grid;
  *block = c.block;
  *lds = c.lds;
  *stream = c.stream;
  configurations().pop_back();
  return kSuccess;
}

W4HIP_API Status hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** args,
                                 size_t lds, void* stream) {
  return launch_host_function("hipLaunchKernel", function, grid, block, args, lds, stream);
}
W4HIP_API Status hipExtLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** args,
                                    size_t lds, void* stream, void*, void*, int) {
  return launch_host_function("hipExtLaunchKernel", function, grid, block, args, lds, stream);
}
W4HIP_API Status hipLaunchKernelExC(const LaunchConfig* config, const void* function, void** args) {
  if (!config || config->numAttrs != 0) {
    return call("hipLaunchKernelExC", [&](Call& c) {
      return config ? c.bad(kNotSupported, "{} launch attributes; legal: none", config->numAttrs)
                    : c.bad(kInvalidValue, "config is null");
    });
  }
  return launch_host_function("hipLaunchKernelExC", function, config->gridDim, config->blockDim,
                              args, config->dynamicSmemBytes, config->stream);
}
W4HIP_API Status hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz,
                                       unsigned bx, unsigned by, unsigned bz, unsigned lds,
                                       void* stream, void** params, void** extra) {
  return call("hipModuleLaunchKernel", [&](Call& c) {
    return launch_handle(c, function, {gx, gy, gz}, {bx, by, bz}, lds, stream, params, extra);
  });
}
W4HIP_API Status hipExtModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz,
                                          unsigned bx, unsigned by, unsigned bz, size_t lds,
                                          void* stream, void** params, void** extra, void*, void*,
                                          unsigned) {
  return launch_items("hipExtModuleLaunchKernel", function, {gx, gy, gz}, {bx, by, bz}, lds, stream,
                      params, extra);
}
W4HIP_API Status hipHccModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz,
                                          unsigned bx, unsigned by, unsigned bz, size_t lds,
                                          void* stream, void** params, void** extra, void*, void*) {
  return launch_items("hipHccModuleLaunchKernel", function, {gx, gy, gz}, {bx, by, bz}, lds, stream,
                      params, extra);
}

// hip/hip_ext.h declares these two outside extern "C".
namespace {
using Ext = Status(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, size_t, void*,
                   void**, void**, void*, void*, unsigned);
using Hcc = Status(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, size_t, void*,
                   void**, void**, void*, void*);
}  // namespace
W4HIP_API [[gnu::alias("hipExtModuleLaunchKernel")]] Ext ext_module_launch_kernel __asm__(
    "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_"
    "j");
W4HIP_API [[gnu::alias("hipHccModuleLaunchKernel")]] Hcc hcc_module_launch_kernel __asm__(
    "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_"
    "tS6_");
