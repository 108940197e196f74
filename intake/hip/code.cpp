#include "intake/hip/code.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "intake/fatbin.h"
#include "intake/hip/own_device.h"

namespace w4::hip {
namespace {

// One translation unit as its constructor registered it; unbundled when a kernel is first wanted.
struct FatBinary {
  const void* image = nullptr;
  std::map<std::string, Result<const Module*>, std::less<>> modules;  // by arch
};
struct Registered {
  FatBinary* in = nullptr;
  std::string name;
};

struct Registry {
  std::mutex mutex;
  std::list<std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, Registered> functions, variables;  // by host address
  std::list<Module> modules;
  std::map<std::pair<const Module*, const rdna::KernelInfo*>, std::unique_ptr<Kernel>> handles;
  std::map<const void*, const Module*> loaded;  // hipModule_t
};
Registry& registry() {
  static auto* r = new Registry;  // outlives every destructor of the program
  return *r;
}

// With the registry locked.
Result<const Module*> load_locked(const Result<std::vector<FatObject>>& objects,
                                  std::string_view arch) {
  if (!objects) return std::unexpected(objects.error());
  const auto object = object_for(*objects, arch);
  if (!object) return std::unexpected(object.error());
  for (const Module& m : registry().modules) {
    if (std::ranges::equal(m.bytes, object->bytes)) return &m;
  }
  auto loaded = rdna::CodeObject::load(object->bytes);
  if (!loaded) return std::unexpected(loaded.error());
  return &registry().modules.emplace_back(
      std::vector<std::byte>(object->bytes.begin(), object->bytes.end()), *loaded);
}

Result<const Module*> module_of(FatBinary& b, std::string_view arch) {
  if (const auto it = b.modules.find(arch); it != b.modules.end()) return it->second;
  return b.modules.emplace(std::string(arch), load_locked(read_image(b.image), arch)).first->second;
}

// A handle that stays the same for one kernel.
const Kernel* handle_of(const Module* m, const rdna::KernelInfo* info) {
  auto& k = registry().handles[{m, info}];
  if (!k) k = std::make_unique<Kernel>(m, info);
  return k.get();
}

}  // namespace

namespace {

Result<const Module*> load_module(const Result<std::vector<FatObject>>& objects,
                                  std::string_view arch) {
  const std::scoped_lock lock(registry().mutex);
  auto module = load_locked(objects, arch);
  if (module) registry().loaded[*module] = *module;
  return module;
}

}  // namespace

Result<const Module*> load_image(const void* image, std::string_view arch) {
  return load_module(read_image(image), arch);
}
Result<const Module*> load_image(std::span<const std::byte> image, std::string_view arch) {
  return load_module(read_bundle(image), arch);
}

Status kernel_of(const Call& c, const void* host_function, Kernel& out) {
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  const auto it = r.functions.find(host_function);
  if (it == r.functions.end()) {
    // Some runtimes take a hipFunction_t here.
    for (const auto& [key, kernel] : r.handles) {
      if (kernel.get() == host_function) {
        out = *kernel;
        return kSuccess;
      }
    }
    return c.bad(kInvalidDeviceFunction, "{} is no kernel that this process registered",
                 host_function);
  }
  const auto module = module_of(*it->second.in, c.device().arch);
  if (!module) return c.bad(kNoBinaryForGpu, "{}: {}", it->second.name, module.error().text);
  const rdna::KernelInfo* info = (*module)->object->find(it->second.name);
  if (!info)
    return c.bad(kInvalidDeviceFunction, "the code object for {} has no kernel {}", c.device().arch,
                 it->second.name);
  out = {*module, info};
  return kSuccess;
}

const Kernel* kernel_of_handle(const void* handle) {
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  for (const auto& [key, kernel] : r.handles) {
    if (kernel.get() == handle) return kernel.get();
  }
  return nullptr;
}

namespace {

Status find_variable(const Call& c, const Module& m, const std::string& name, uint64_t& at,
                     uint64_t& bytes) {
  if (!c.s.own)
    return c.bad(kNotSupported, "{}: a bound device has no access to variables of code objects",
                 name);
  const auto found = c.s.own->variable(m.bytes, name);
  if (!found) return c.bad(kInvalidSymbol, "{}", found.error().text);
  std::tie(at, bytes) = *found;
  c.s.live[at] = {bytes, true};
  return kSuccess;
}

}  // namespace

Status variable_of(const Call& c, const void* host_variable, uint64_t& at, uint64_t& bytes) {
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  const auto it = r.variables.find(host_variable);
  if (it == r.variables.end())
    return c.bad(kInvalidSymbol, "{} is no variable that this process registered", host_variable);
  const auto module = module_of(*it->second.in, c.device().arch);
  if (!module) return c.bad(kNoBinaryForGpu, "{}: {}", it->second.name, module.error().text);
  return find_variable(c, **module, it->second.name, at, bytes);
}

}  // namespace w4::hip

using namespace w4::hip;

W4HIP_API void** __hipRegisterFatBinary(const FatBinaryWrapper* wrapper) {
  if (!wrapper || wrapper->magic != FatBinaryWrapper::kMagic) {
    say("__hipRegisterFatBinary", "this is not what a HIP compiler writes (no HIPF)");
    return nullptr;
  }
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  r.binaries.push_back(std::make_unique<FatBinary>(wrapper->image));
  return reinterpret_cast<void**>(r.binaries.back().get());
}

W4HIP_API void __hipUnregisterFatBinary(void** handle) {
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  auto* b = reinterpret_cast<FatBinary*>(handle);
  std::erase_if(r.functions, [b](const auto& f) { return f.second.in == b; });
  std::erase_if(r.variables, [b](const auto& v) { return v.second.in == b; });
  std::erase_if(r.binaries, [b](const auto& p) { return p.get() == b; });
}

W4HIP_API void __hipRegisterFunction(void** handle, const void* host, char*, const char* name,
                                     unsigned, void*, void*, void*, void*, int*) {
  if (!handle) return;
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  r.functions[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

W4HIP_API void __hipRegisterVar(void** handle, void* host, char*, char* name, int, size_t, int,
                                int) {
  if (!handle) return;
  Registry& r = registry();
  const std::scoped_lock lock(r.mutex);
  r.variables[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

// A module is known by its address; loading equal bytes twice gives one module.
W4HIP_API Status hipModuleLoadData(void** module, const void* image) {
  return call("hipModuleLoadData", [&](Call& c) -> Status {
    if (!module || !image) return c.bad(kInvalidValue, "{} is null", module ? "image" : "module");
    const auto m = load_image(image, c.device().arch);
    if (!m) return c.bad(kInvalidImage, "{}", m.error().text);
    *module = const_cast<Module*>(*m);
    return kSuccess;
  });
}
W4HIP_API Status hipModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  return hipModuleLoadData(module, image);
}
W4HIP_API Status hipModuleLoadFatBinary(void** module, const void* image) {
  return hipModuleLoadData(module, image);
}
W4HIP_API Status hipModuleUnload(void* module) {
  return call("hipModuleUnload", [&](Call& c) -> Status {
    const std::scoped_lock lock(registry().mutex);
    if (registry().loaded.contains(module)) return kSuccess;
    return c.bad(kInvalidHandle, "{} is no module", module);
  });
}
W4HIP_API Status hipModuleGetFunction(void** function, void* module, const char* name) {
  return call("hipModuleGetFunction", [&](Call& c) -> Status {
    if (!function || !name)
      return c.bad(kInvalidValue, "{} is null", function ? "kname" : "function");
    const std::scoped_lock lock(registry().mutex);
    const auto it = registry().loaded.find(module);
    if (it == registry().loaded.end()) return c.bad(kInvalidHandle, "{} is no module", module);
    const auto* info = it->second->object->find(name);
    if (!info) return c.bad(kNotFound, "the module has no kernel {}", name);
    *function = const_cast<Kernel*>(handle_of(it->second, info));
    return kSuccess;
  });
}
W4HIP_API Status hipModuleGetGlobal(void** p, size_t* bytes, void* module, const char* name) {
  return call("hipModuleGetGlobal", [&](Call& c) -> Status {
    if (!name) return c.bad(kInvalidValue, "name is null");
    const std::scoped_lock lock(registry().mutex);
    const auto it = registry().loaded.find(module);
    if (it == registry().loaded.end()) return c.bad(kInvalidHandle, "{} is no module", module);
    uint64_t at = 0, n = 0;
    const Status s = find_variable(c, *it->second, name, at, n);
    if (s != kSuccess) return s == kInvalidSymbol ? kNotFound : s;
    if (p) *p = reinterpret_cast<void*>(at);
    if (bytes) *bytes = n;
    return kSuccess;
  });
}
W4HIP_API Status hipGetFuncBySymbol(void** function, const void* symbol) {
  return call("hipGetFuncBySymbol", [&](Call& c) -> Status {
    if (!function) return c.bad(kInvalidValue, "functionPtr is null");
    Kernel k;
    if (const Status s = kernel_of(c, symbol, k); s != kSuccess) return s;
    const std::scoped_lock lock(registry().mutex);
    *function = const_cast<Kernel*>(handle_of(k.in, k.info));
    return kSuccess;
  });
}
