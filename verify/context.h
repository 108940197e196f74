// What cases share within one thread: devices (with their decoded code objects), open modules, and
// the last weights, so that a sweep over M pays for them once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "devices/device.h"
#include "kernels/module.h"
#include "reference/arrays.h"
#include "verify/materialise.h"
#include "verify/witness.h"

namespace w4 {

class Context {
 public:
  explicit Context(uint32_t threads = 1);  // that a large launch may use
  ~Context();
  Context(const Context&) = delete;

  uint32_t threads() const { return threads_; }
  // What the launches of cases ask of the machine is added to it from now on; nullptr: nothing.
  void set_figures(rdna::Figures* figures) { figures_ = figures; }
  rdna::Figures* figures() const { return figures_; }
  // Of the case that runs, where it is mutated or outputs are witnessed.
  Witness& witness() { return witness_; }
  void witness_outputs() { witness_outputs_ = true; }
  bool witnesses_outputs() const { return witness_outputs_; }
  Result<Device*> device(std::string_view name);
  // Whether one of the devices serves this process no more (Device::lost()).
  bool lost() const;
  Result<const w4_module*> module(const std::string& path);

  // Stand-ins for tests: take the place of the device or module of that name.
  void put_device(std::string name, std::unique_ptr<Device> device);
  void put_module(std::string path, const w4_module* module);

  // The weights and checkpoint tensors of a case with a meaning; made again only when fill, seed,
  // N, K, G, type, zero points, source, shard or experts differ from the last call's.
  struct Material {
    std::shared_ptr<const Weights> weights;
    SourceTensors source;
  };
  std::shared_ptr<const Material> material(const Case& c);
  void forget_material();  // a module may have written into it

 private:
  uint32_t threads_;
  rdna::Figures* figures_ = nullptr;
  Witness witness_;
  bool witness_outputs_ = false;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace w4
