#include "verify/diff/ask.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>

#include "core/gpu.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4::diff {
namespace {

// Addresses of nothing: apart by more than any tensor here has.
constexpr uint64_t kFirstAddress = uint64_t{1} << 40, kApart = uint64_t{1} << 40;

uint64_t hash_of(std::span<const std::byte> bytes) {
  uint64_t h = 0xcbf29ce484222325;
  for (const std::byte b : bytes) h = (h ^ static_cast<uint64_t>(b)) * 0x100000001b3;
  return h;
}

struct Recording {
  Reported reported;
  const GpuModel& gpu;
  std::string arch;
  w4_device table{};
  Asked said;
  std::string clause;  // of the first refusal since it was emptied
  bool refused = false;
  uint64_t next = kFirstAddress;
  std::vector<std::unique_ptr<std::byte[]>> host;

  Recording(const GpuModel& g, Reported r) : reported(r), gpu(g), arch(g.arch) {
    table.version = W4_MODULE_VERSION;
    table.self = this;
    table.arch = arch.c_str();
    table.property = [](void* self, w4_property which) -> int64_t {
      const Recording& me = of(self);
      return which == W4_PROP_CU_COUNT        ? me.reported.cus
             : which == W4_PROP_LDS_PER_BLOCK ? me.reported.lds
             : which == W4_PROP_WAVE          ? me.gpu.wave
                                              : me.gpu.max_threads_per_block;
    };
    table.host_alloc = [](void* self, size_t bytes) -> void* {
      return of(self).host.emplace_back(std::make_unique<std::byte[]>(bytes + 1)).get();
    };
    table.device_alloc = [](void* self, size_t) -> uint64_t { return of(self).address(); };
    table.device_free = [](void*, uint64_t) {};
    table.read = [](void*, uint64_t, void* to, size_t bytes) -> int {
      std::memset(to, 0, bytes);
      return 0;
    };
    table.write = [](void*, uint64_t, const void*, size_t) -> int { return 0; };
    table.copy = [](void*, uint64_t, uint64_t, size_t) -> int { return 0; };
    table.launch = [](void* self, const w4_launch* what) {
      of(self).keep(*what);
      return 0;
    };
    table.refuse = [](void* self, const char* name, const char* message) {
      Recording& me = of(self);
      if (me.refused) return;
      me.refused = true;
      me.clause = name == nullptr ? "" : name;
      if (message != nullptr) me.said.message = message;
    };
    table.ran = [](void* self, const char* text) {
      std::string& all = of(self).said.instantiation;
      all += (all.empty() ? "" : "; ") + std::string(text == nullptr ? "" : text);
    };
  }
  Recording(const Recording&) = delete;
  static Recording& of(void* self) { return *static_cast<Recording*>(self); }

  uint64_t address() {
    next += kApart;
    return next - kApart;
  }

  void keep(const w4_launch& what) {
    Launched l;
    l.symbol = what.symbol == nullptr ? "" : what.symbol;
    l.grid = fmt::format("{}", fmt::join(what.grid, "x"));
    l.block =
        fmt::format("{}, {} bytes of dynamic LDS", fmt::join(what.block, "x"), what.dynamic_lds);
    if (what.args != nullptr)
      l.args = hash_of({static_cast<const std::byte*>(what.args), what.arg_bytes});
    l.bytes = what.object;
    l.size = what.object == nullptr ? 0 : what.object_bytes;
    // Objects live as long as their module: one hash each.
    static thread_local std::map<std::pair<const void*, size_t>, uint64_t> known;
    auto [at, fresh] = known.try_emplace({l.bytes, l.size});
    if (fresh) at->second = hash_of({static_cast<const std::byte*>(l.bytes), l.size});
    l.object = at->second;
    said.launches.push_back(std::move(l));
  }

  // The clause of the step that has just returned, and a clean slate for the next.
  std::string step(int returned) {
    std::string out;
    if (refused || returned != 0) out = clause.empty() ? "unnamed" : clause;
    refused = false;
    clause.clear();
    return out;
  }
};

// Where the tensors would be: as far from a 256-byte boundary as the case says.
void put_somewhere(Recording& device, Operand& o) {
  if (o.desc.bytes == 0) return;
  o.desc.device = device.address() + static_cast<uint64_t>((o.offset % 256 + 256) % 256);
}

std::string shape_text(const w4_tensor& t) {
  constexpr std::array kNames{"f16", "bf16", "f32", "f64", "i8", "u8", "i32", "u32", "i64"};
  const auto type = static_cast<size_t>(t.dtype);
  return fmt::format(
      "{} [{}]", type < kNames.size() ? kNames[type] : "no dtype",
      fmt::join(std::span(t.dim, static_cast<size_t>(std::clamp(t.rank, 0, 3))), ","));
}

std::string ask_prepare(const w4_kernel& kernel, const Problem& p, Recording& device) {
  const SourceTensors source = make_source(p, nullptr);
  const w4_source from = source_of(p, source);
  w4_prepared out{};
  return device.step(kernel.prepare(&kernel, &from, &device.table, &out));
}

}  // namespace

Result<Asked> ask(const w4_kernel& kernel, const Case& c, bool prepare) {
  const GpuModel* gpu = find_gpu(c.device);
  if (gpu == nullptr) return fail("device '{}' is not an emulated one", c.device);
  const char* const* arch = kernel.archs;
  while (*arch != nullptr && gpu->arch != *arch) ++arch;
  if (*arch == nullptr) return fail("kernel '{}' has no code for {}", kernel.name, gpu->arch);
  const Reported reported = resolve_reported(c.problem, *gpu);
  Recording device(*gpu, reported);
  if (prepare && !too_large(c.problem))
    device.said.prepare = ask_prepare(kernel, c.problem, device);
  Operands ops = plan_operands(c.problem, kernel, nullptr);
  for (Operand* o : {&ops.act, &ops.wei, &ops.scale, &ops.out}) put_somewhere(device, *o);
  for (auto* o : {&ops.zp, &ops.bias, &ops.carrier, &ops.expert_ids, &ops.sorted_ids}) {
    if (*o) put_somewhere(device, **o);
  }
  const std::string tile = c.problem.tile ? to_string(*c.problem.tile) : "";
  const w4_call call = ops.call(c.problem, reported, tile);
  device.said.call = device.step(kernel.accept(&kernel, &call, &device.table));
  if (!device.said.call.empty()) return std::move(device.said);
  if (kernel.shape != nullptr) {
    w4_tensor out{};
    const std::string refused = device.step(kernel.shape(&kernel, &call, &device.table, &out));
    device.said.shape = refused.empty() ? shape_text(out) : "refused: " + refused;
  }
  const std::string refused = device.step(kernel.run(&kernel, &call, &device.table));
  // accept() took it: whoever runs it is refused all the same.
  if (!refused.empty()) device.said.call = refused + " (not by accept(), in run())";
  return std::move(device.said);
}

}  // namespace w4::diff
