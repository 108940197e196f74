#include "verify/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "intake/open_module.h"

namespace w4 {

struct Context::Impl {
  std::map<std::string, std::unique_ptr<Device>, std::less<>> devices;
  std::map<std::string, Error, std::less<>> no_devices;  // looking for a GPU takes its time
  std::map<std::string, const w4_module*> modules;
  std::map<std::string, OpenModule> opened;
  std::string material_key;
  std::shared_ptr<const Material> material;
};

Context::Context(uint32_t threads) : threads_(threads), impl_(std::make_unique<Impl>()) {}
Context::~Context() = default;

Result<Device*> Context::device(std::string_view name) {
  if (const auto it = impl_->devices.find(name); it != impl_->devices.end()) {
    return it->second.get();
  }
  if (const auto it = impl_->no_devices.find(name); it != impl_->no_devices.end()) {
    return std::unexpected(it->second);
  }
  auto made = make_device(name);
  if (!made) {
    impl_->no_devices.emplace(name, made.error());
    return std::unexpected(made.error());
  }
  return impl_->devices.emplace(std::string(name), std::move(*made)).first->second.get();
}

bool Context::lost() const {
  return std::ranges::any_of(impl_->devices, [](const auto& d) { return d.second->lost(); });
}

Result<const w4_module*> Context::module(const std::string& path) {
  if (const auto it = impl_->modules.find(path); it != impl_->modules.end()) return it->second;
  auto opened = open_module(path);
  if (!opened) return std::unexpected(opened.error());
  const w4_module* table = opened->table;
  impl_->opened[path] = std::move(*opened);
  impl_->modules[path] = table;
  return table;
}

void Context::put_device(std::string name, std::unique_ptr<Device> device) {
  impl_->devices[std::move(name)] = std::move(device);
}

void Context::put_module(std::string path, const w4_module* module) {
  impl_->modules[std::move(path)] = module;
}

void Context::forget_material() { impl_->material.reset(); }

std::shared_ptr<const Context::Material> Context::material(const Case& c) {
  const Problem& p = c.problem;
  std::string key =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", name_of(c.fill), c.seed, p.n,
                  p.experts, p.k, p.g, name_of(p.act), name_of(p.zp), name_of(p.src), p.n0, p.k0,
                  p.qzeros, name_of(p.gidx), to_string(Only{{}, c.only.n, {}}));
  if (key != impl_->material_key || !impl_->material) {
    impl_->material.reset();  // before the next one is made: both may be large
    auto made = std::make_shared<Material>();
    made->weights = make_weights(c);
    const auto checkpoint = sharded(p) ? make_checkpoint(c) : made->weights;
    made->source = make_source(p, checkpoint.get());
    impl_->material = std::move(made);
    impl_->material_key = std::move(key);
  }
  return impl_->material;
}

}  // namespace w4
