#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "campaign/selection_audit.h"
#include "core/case.h"
#include "kernels/chunked_tile.h"
#include "kernels/decode_tile.h"
#include "kernels/prefill_tile.h"
#include "rdna/emulator.h"
#include "verify/operands.h"

namespace w4 {
namespace {

constexpr size_t kNamed = 3;  // culprits of one kernel that are written out

// The kernels of a code object, read once.
struct Object {
  std::string arch, trouble;
  std::set<std::string, std::less<>> symbols;
};
class Objects {
 public:
  const Object& of(const w4_launch& launch) {
    auto [at, fresh] = all_.try_emplace(launch.object);
    if (!fresh) return at->second;
    const auto loaded =
        rdna::CodeObject::load({static_cast<const std::byte*>(launch.object), launch.object_bytes});
    if (!loaded) {
      at->second.trouble = loaded.error().text;
      return at->second;
    }
    at->second.arch = std::string((*loaded)->arch());
    for (const auto& k : (*loaded)->kernels()) at->second.symbols.insert(k.symbol);
    return at->second;
  }

 private:
  std::map<const void*, Object> all_;
};

// A device that keeps what would have been launched.
struct Recording {
  Reported reported;
  w4_device table{};
  Objects& objects;
  int launches = 0;
  std::string symbol, text, wrong;
  const Object* object = nullptr;  // of the last launch

  Recording(const GpuModel& gpu, Reported r, Objects& o) : reported(r), objects(o) {
    table.self = this;
    table.arch = gpu.arch.data();
    table.property = [](void* self, w4_property which) -> int64_t {
      const Recording& me = of(self);
      return which == W4_PROP_CU_COUNT        ? me.reported.cus
             : which == W4_PROP_LDS_PER_BLOCK ? me.reported.lds
                                              : 32;
    };
    table.host_alloc = [](void*, size_t) -> void* { return nullptr; };
    table.device_alloc = [](void*, size_t) -> uint64_t { return 0; };
    table.launch = [](void* self, const w4_launch* what) {
      of(self).take(*what);
      return 0;
    };
    table.refuse = [](void*, const char*, const char*) {};
    table.ran = [](void* self, const char* text) { of(self).text = text; };
  }
  Recording(const Recording&) = delete;

  static Recording& of(void* self) { return *static_cast<Recording*>(self); }

  void take(const w4_launch& what) {
    ++launches;
    symbol = what.symbol == nullptr ? "" : what.symbol;
    object = &objects.of(what);
    if (!object->trouble.empty()) {
      wrong = "its code object cannot be read: " + object->trouble;
    } else if (object->arch != table.arch) {
      wrong = fmt::format("its code object is for {}", object->arch);
    } else if (!object->symbols.contains(symbol)) {
      wrong = fmt::format("its code object has no kernel {}", symbol);
    }
  }
};

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

std::string_view zp_word(ZpMode zp) {
  return zp == ZpMode::none ? "symmetric" : zp == ZpMode::packed ? "packed" : "unpacked";
}

// What the recorded instantiation should say and does not.
std::string not_wanted(const Problem& p, const std::string& ran) {
  std::vector<std::string> wanted{fmt::format("m{}", p.m), fmt::format("g{}", p.g),
                                  std::string(name_of(p.act))};
  if (p.tile) wanted.push_back(to_string(*p.tile));
  for (const std::string& word : wanted) {
    if (!has_word(ran, word)) return fmt::format("it says that '{}' ran, without '{}'", ran, word);
  }
  for (const ZpMode other : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
    if (other != p.zp && has_word(ran, zp_word(other))) {
      return fmt::format("it says that '{}' ran, for zero points {}", ran, name_of(p.zp));
    }
  }
  return "";
}

// Every tile of any table: a kernel refuses those that are not its own.
std::vector<std::optional<Tile>> all_tiles() {
  std::vector<std::optional<Tile>> out{std::nullopt};
  const auto add = [&](const std::vector<Tile>& tiles) {
    for (const Tile& t : tiles) {
      if (std::ranges::find(out, std::optional(t)) == out.end()) out.emplace_back(t);
    }
  };
  for (int64_t m = 1; m <= 5; ++m) {
    add(decode_tiles(m));
    for (const bool symmetric : {true, false}) {
      add(chunked_tiles(m, 256, symmetric));
      add(chunked_tiles(m, 40960, symmetric));
    }
  }
  add(prefill_tiles(PrefillWeights::packed));
  add(prefill_tiles(PrefillWeights::dense));
  return out;
}

struct Shape {
  int64_t n, k;
};

}  // namespace

void audit_instantiations(const w4_module& module, SelectionAudit& out) {
  // Where the tile tables change: rows per WGP, K past the LDS array, tall and wide, M.
  constexpr std::array<Shape, 9> kShapes{{{64, 256},
                                          {2048, 2048},
                                          {4096, 4096},
                                          {24576, 4096},
                                          {4096, 12288},
                                          {1024, 8192},
                                          {100000, 512},
                                          {2048, 40960},
                                          {16, 384}}};
  constexpr std::array<int64_t, 14> kM{1, 2, 3, 4, 5, 6, 32, 33, 64, 65, 129, 257, 1025, 4096};
  const std::vector<std::optional<Tile>> tiles = all_tiles();
  Objects objects;
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    const w4_kernel& kernel = module.kernels[i];
    if (kernel.moe != 0) {
      out.notes.push_back(
          fmt::format("{}: calls with experts have instantiations of their own, not looked at here",
                      kernel.name));
      continue;
    }
    int64_t calls = 0;
    size_t bad = 0;
    std::set<std::string> seen;
    std::set<const Object*> used;
    const auto ask = [&](const Problem& p, const GpuModel& gpu) {
      const Reported reported = resolve_reported(p, gpu);
      const Operands ops = plan_operands(p, kernel, nullptr);
      const std::string tile = p.tile ? to_string(*p.tile) : "";
      const w4_call call = ops.call(p, reported, tile);
      Recording device(gpu, reported, objects);
      if (kernel.accept(&kernel, &call, &device.table) != 0) return;
      ++calls;
      const int returned = kernel.run(&kernel, &call, &device.table);
      std::string why = device.wrong;
      if (why.empty() && device.launches == 0) {
        why = fmt::format("it launches nothing and returns {}", returned);
      }
      if (why.empty()) why = not_wanted(p, device.text);
      if (why.empty()) {
        seen.insert(fmt::format("{} {}", gpu.arch, device.symbol));
        used.insert(device.object);
        return;
      }
      if (bad++ >= kNamed) return;
      Case c;
      c.kernel = kernel.name, c.problem = p, c.device = std::string(gpu.arch);
      out.wrong.push_back(fmt::format("{}: {}", to_string(c), why));
    };
    for (const GpuModel& gpu : gpu_models()) {
      const char* const* arch = kernel.archs;
      while (*arch != nullptr && gpu.arch != *arch) ++arch;
      if (*arch == nullptr) continue;
      for (const DType act : {DType::f16, DType::bf16}) {
        for (const int64_t g : {32, 64, 128}) {
          for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
            for (const int64_t m : kM) {
              Problem p{.m = m, .g = g, .act = act, .zp = zp};
              for (const auto& [n, k] : kShapes) {
                p.n = n, p.k = k;
                ask(p, gpu);
              }
              for (const std::optional<Tile>& tile : tiles) {
                if (!tile) continue;
                p.tile = tile;
                // Inside, in and past the gap between the array and the decode op's limit; and an N
                // that no tile divides.
                for (const int64_t k : {int64_t{256}, 36864 / m / 128 * 128, int64_t{40960}}) {
                  for (const int64_t n : {64, 63}) {
                    p.n = n, p.k = k;
                    ask(p, gpu);
                  }
                }
              }
            }
          }
        }
      }
    }
    if (bad > kNamed) {
      out.wrong.push_back(fmt::format("{}: {} more such calls", kernel.name, bad - kNamed));
    }
    if (calls == 0) out.wrong.push_back(fmt::format("{}: accepts no call", kernel.name));
    size_t compiled = 0;
    for (const Object* o : used) compiled += o->symbols.size();
    out.notes.push_back(
        fmt::format("{}: {} calls run {} instantiations of {} in their code objects{}", kernel.name,
                    calls, seen.size(), compiled, bad == 0 ? "" : ", and some that are not there"));
  }
}

}  // namespace w4
