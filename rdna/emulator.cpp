#include "rdna/emulator.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "rdna/checks/global_race.h"
#include "rdna/confirm.h"
#include "rdna/coverage.h"
#include "rdna/figures.h"
#include "rdna/grid.h"
#include "rdna/mutant.h"
#include "rdna/trace.h"

namespace w4::rdna {
namespace {

// Limits of the eight archs: 64 KiB of LDS for one workgroup, 1024 threads, 32-bit grid extents.
constexpr uint32_t kLdsPerWorkgroup = 65536;
constexpr uint32_t kThreads = 1024;
constexpr uint64_t kKernargCapacity = 65536 + 64;
// Our own: what an object asks for must not exhaust the host.
constexpr uint64_t kScratchPerWorkgroup = uint64_t{1} << 28;

// hsa_kernel_dispatch_packet_t, the fields that kernels read.
struct Packet {
  uint16_t header = 0, setup = 3;
  uint16_t block_x = 1, block_y = 1, block_z = 1, reserved0 = 0;
  uint32_t grid_x = 1, grid_y = 1, grid_z = 1;
  uint32_t scratch = 0, lds = 0;
  uint64_t object = 0, kernarg = 0, reserved1 = 0, signal = 0;
};
static_assert(sizeof(Packet) == 64);

}  // namespace

struct Emulator::Impl {
  std::string arch;
  Memory memory;
  Grid grid;
  Buffer* kernarg = nullptr;
  Buffer* packet = nullptr;
  std::span<uint8_t> edges;
  uint32_t launches = 0;
  uint32_t stretches = 0;  // numbered so far for the check `globalrace`

  // A code object as this emulator holds it: its image in memory and its kernels' programs.
  struct Loaded {
    std::weak_ptr<char> alive;
    Buffer* image = nullptr;
    Address base = 0;
    std::map<std::pair<size_t, bool>, std::unique_ptr<Program>> programs;  // with waits kept?
  };
  std::map<uint64_t, Loaded> loaded;

  Result<Loaded*> load(const CodeObject::Impl& code);
  Result<void> prepare_system_buffers();
};

Result<void> Emulator::Impl::prepare_system_buffers() {
  if (kernarg) return {};
  auto args =
      memory.impl().add({"kernel arguments", kKernargCapacity, 0, false, false, false}, true);
  if (!args) return std::unexpected(args.error());
  auto dispatch =
      memory.impl().add({"dispatch packet", sizeof(Packet), 0, false, true, false}, true);
  if (!dispatch) return std::unexpected(dispatch.error());
  kernarg = *args;
  packet = *dispatch;
  return {};
}

Result<Emulator::Impl::Loaded*> Emulator::Impl::load(const CodeObject::Impl& code) {
  if (auto it = loaded.find(code.id); it != loaded.end()) return &it->second;
  // Objects that are gone make room first.
  for (auto it = loaded.begin(); it != loaded.end();) {
    if (!it->second.alive.expired()) {
      ++it;
      continue;
    }
    while (Buffer* first = memory.impl().nearest(it->second.base)) memory.impl().drop(first);
    it = loaded.erase(it);
  }
  auto slot = memory.impl().reserve_slot();
  if (!slot) return std::unexpected(slot.error());
  Loaded l;
  l.alive = code.alive;
  l.base = (*slot << kSlotShift) + kBaseInSlot;
  for (const Segment& s : code.segments) {
    BufferSpec spec;
    spec.name = s.executable ? "code" : s.writable ? "device globals" : "device constants";
    spec.bytes = s.bytes;
    spec.writable = s.writable;
    auto b = memory.impl().add_at(l.image, l.base + s.address, spec);
    if (!b) return std::unexpected(b.error());
    (*b)->system = true;
    std::memcpy((*b)->data, s.contents.data(), s.contents.size());
    if (!l.image) {
      l.image = *b;
      memory.impl().slots[*slot] = *b;
    }
  }
  for (const Relocation& r : code.relocations) {
    Buffer* b = memory.impl().find(l.base + r.at, 8);
    if (!b) return fail("code object: a relocation at {:#x} lies outside its segments", r.at);
    const uint64_t value = l.base + r.value;
    std::memcpy(b->data + (l.base + r.at - b->base), &value, sizeof value);
  }
  return &loaded.emplace(code.id, std::move(l)).first->second;
}

Emulator::Emulator(std::string_view arch) : impl_(std::make_unique<Impl>()) { impl_->arch = arch; }
Emulator::~Emulator() = default;
std::string_view Emulator::arch() const { return impl_->arch; }
Memory& Emulator::memory() { return impl_->memory; }
void Emulator::set_edge_counters(std::span<uint8_t> counters) { impl_->edges = counters; }

Result<std::pair<Address, uint64_t>> Emulator::variable(const CodeObject& object,
                                                        std::string_view name) {
  const CodeObject::Impl& code = object.impl();
  const auto it = code.variables.find(name);
  if (it == code.variables.end()) return fail("the code object has no variable {}", name);
  const auto loaded = impl_->load(code);
  if (!loaded) return std::unexpected(loaded.error());
  const Address at = (*loaded)->base + it->second.address;
  if (!impl_->memory.impl().find(at, it->second.bytes))
    return fail("variable {}: its {} bytes lie outside the object's segments", name,
                it->second.bytes);
  return std::pair(at, it->second.bytes);
}

namespace {

// Bytes that the explicit arguments of k reach to.
uint32_t explicit_bytes(const KernelInfo& k) {
  uint32_t end = 0;
  for (const ArgInfo& a : k.args) {
    if (!a.value_kind.starts_with("hidden_")) end = std::max(end, a.offset + a.size);
  }
  return end;
}

// Of one lane.
uint32_t scratch_of(const KernelInfo& k, const LaunchConfig& c) {
  return k.dynamic_stack ? std::max(k.scratch_bytes, c.stack) : k.scratch_bytes;
}

// Why this launch is not possible at all; empty if it is.
std::string refusal(std::string_view arch, const CodeObject& object, const KernelInfo& k,
                    const LaunchConfig& c, size_t args) {
  if (object.arch() != arch)
    return fmt::format("the code object is for {}, the device is {}", object.arch(), arch);
  const Dim3 b = c.block, g = c.grid;
  if (!b.x || !b.y || !b.z || !g.x || !g.y || !g.z) return "a dimension of the launch is zero";
  if (b.x > kThreads || b.y > kThreads || b.z > kThreads || b.x * b.y > kThreads ||
      b.x * b.y * b.z > kThreads) {
    return fmt::format("block {}x{}x{} has more than {} threads", b.x, b.y, b.z, kThreads);
  }
  const uint32_t threads = b.x * b.y * b.z;
  if (k.max_workgroup && threads > k.max_workgroup) {
    return fmt::format("block of {} threads: the kernel was compiled for at most {}", threads,
                       k.max_workgroup);
  }
  if (g.y > 65535 || g.z > 65535 || g.x > 0x7fffffff)
    return fmt::format("grid {}x{}x{} is above 2147483647x65535x65535", g.x, g.y, g.z);
  const uint64_t lds = uint64_t{k.static_lds} + c.dynamic_lds;
  if (lds > kLdsPerWorkgroup)
    return fmt::format("{} bytes of LDS ({} static, {} dynamic) are more than the {} of {}", lds,
                       k.static_lds, c.dynamic_lds, kLdsPerWorkgroup, arch);
  const uint64_t waves = (uint64_t{threads} + kLanes - 1) / kLanes;
  if (const uint64_t scratch = waves * kLanes * scratch_of(k, c); scratch > kScratchPerWorkgroup)
    return fmt::format("{} bytes of scratch for one workgroup are more than the {} emulated",
                       scratch, kScratchPerWorkgroup);
  if (args > k.kernarg_bytes)
    return fmt::format("{} bytes of arguments: the kernel takes {}", args, k.kernarg_bytes);
  if (const uint32_t need = explicit_bytes(k); args < need)
    return fmt::format("{} bytes of arguments: the kernel's explicit ones take {}", args, need);
  return "";
}

}  // namespace

LaunchReport Emulator::launch(const CodeObject& object, std::string_view symbol,
                              const LaunchConfig& config, std::span<const std::byte> args) {
  LaunchReport report;
  const auto refuse = [&](std::string why) {
    report.end = LaunchReport::End::refused;
    report.why = std::move(why);
    return report;
  };
  const CodeObject::Impl& code = object.impl();
  const auto kernel = std::ranges::find(code.kernels, symbol, &KernelInfo::symbol);
  if (kernel == code.kernels.end())
    return refuse(fmt::format("the code object has no kernel {}", symbol));
  const auto index = static_cast<size_t>(kernel - code.kernels.begin());
  if (std::string why = refusal(impl_->arch, object, *kernel, config, args.size()); !why.empty()) {
    if (object.arch() == impl_->arch) {
      Finding f;
      f.kind = FindingKind::limit;
      f.kernel = kernel->demangled;
      f.detail = why;
      report.findings.push_back(std::move(f));
    }
    return refuse(why);
  }
  if (auto r = impl_->prepare_system_buffers(); !r) return refuse(r.error().text);
  auto loaded = impl_->load(code);
  if (!loaded) return refuse(loaded.error().text);
  const Descriptor& descriptor = code.descriptors[index];
  const bool waits = config.checks & kWaits;
  std::unique_ptr<Program>& program = (*loaded)->programs[{index, waits}];
  if (!program) program = std::make_unique<Program>(code, descriptor.vgprs(), waits);
  std::optional<Mutant> mutant;
  if (config.mutate && config.mutate->symbol == symbol) {
    if (std::string why = mutant.emplace().put_into(*program, *config.mutate); !why.empty())
      return refuse(std::move(why));
  }

  // Arguments: explicit ones as given, hidden ones from the launch, the rest undefined. Scalar
  // loads may read to the end of a 64-byte line, as the hardware lets them.
  Buffer& kernarg = *impl_->kernarg;
  kernarg.bytes = (uint64_t{kernel->kernarg_bytes} + 63) / 64 * 64;
  std::memset(kernarg.data, 0, kernarg.bytes);
  std::memset(kernarg.state, 0, kernarg.bytes);
  if (!args.empty()) {
    std::memcpy(kernarg.data, args.data(), args.size());
    std::memset(kernarg.state, kDefined, args.size());
  }
  fill_hidden_arguments(*kernel, config, {kernarg.data, kernarg.bytes},
                        {kernarg.state, kernarg.bytes});
  Packet packet;
  packet.block_x = static_cast<uint16_t>(config.block.x);
  packet.block_y = static_cast<uint16_t>(config.block.y);
  packet.block_z = static_cast<uint16_t>(config.block.z);
  packet.grid_x = config.grid.x * config.block.x;
  packet.grid_y = config.grid.y * config.block.y;
  packet.grid_z = config.grid.z * config.block.z;
  const uint32_t scratch = scratch_of(*kernel, config);
  packet.scratch = scratch;
  packet.lds = kernel->static_lds + config.dynamic_lds;
  packet.kernarg = kernarg.base;
  std::memcpy(impl_->packet->data, &packet, sizeof packet);

  Launch launch;
  launch.memory = &impl_->memory.impl();
  launch.config = &config;
  launch.kernel = &*kernel;
  launch.program = program.get();
  launch.report = &report;
  launch.image = (*loaded)->base;
  launch.checks = config.checks;
  launch.number = ++impl_->launches;
  launch.track = config.confirm || (config.checks & (kUninit | kLaneUse));
  launch.edges = impl_->edges;
  const CountLaunch count(object, index, config.confirm);
  std::optional<Confirm> confirm;
  if (config.confirm) launch.confirm = &confirm.emplace(launch);
  std::optional<Trace> trace;
  if (config.trace) launch.trace = &trace.emplace();
  if (config.figures && !config.confirm) {
    launch.figures = config.figures;
    ++launch.figures->launches;
  }
  Races races;
  if (config.checks & kGlobalRace) {
    if (impl_->stretches >> 31) {  // before numbers run out, all shadows start anew
      for (auto& b : impl_->memory.impl().buffers) b->races = nullptr;
      impl_->stretches = 0;
    }
    races.now = impl_->stretches;
    races.first = races.now + 1;
    launch.races = &races;
  }
  WaveStart start;
  start.descriptor = &descriptor;
  start.major = code.major;
  start.kernarg = kernarg.base;
  start.dispatch_packet = impl_->packet->base;
  start.block = config.block;
  start.scratch_bytes = scratch;
  if (mutant) launch.mutant = &*mutant;
  impl_->grid.run(launch, start);
  if (mutant) report.mutated = mutant->runs();
  if (launch.races) impl_->stretches = races.now;
  report.inexact = program->inexact();
  std::ranges::sort(report.inexact);
  return report;
}

}  // namespace w4::rdna
