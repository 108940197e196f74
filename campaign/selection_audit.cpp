#include "campaign/selection_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "verify/materialise.h"
#include "verify/operands.h"

namespace w4 {
namespace {

// A device that answers properties, keeps the last refusal, and launches nothing.
struct Asked {
  Reported reported;
  std::string clause;
  w4_device table{};

  Asked(const char* arch, Reported r) : reported(r) {
    table.self = this;
    table.arch = arch;
    table.property = [](void* self, w4_property which) -> int64_t {
      const Asked& me = *static_cast<Asked*>(self);
      return which == W4_PROP_CU_COUNT        ? me.reported.cus
             : which == W4_PROP_LDS_PER_BLOCK ? me.reported.lds
                                              : 32;
    };
    table.host_alloc = [](void*, size_t) -> void* { return nullptr; };
    table.device_alloc = [](void*, size_t) -> uint64_t { return 0; };
    table.launch = [](void*, const w4_launch*) { return 1; };
    table.refuse = [](void* self, const char* clause, const char*) {
      static_cast<Asked*>(self)->clause = clause;
    };
    table.ran = [](void*, const char*) {};
  }
  Asked(const Asked&) = delete;
};

// What the layer's call of M rows breaks; empty: accepted.
std::string refused(const w4_kernel& kernel, const Layer& l, int64_t m, const GpuModel& gpu) {
  Problem p{.m = m, .n = l.n, .k = l.k, .g = l.g};
  p.act = l.act == "f16" ? DType::f16 : l.act == "bf16" ? DType::bf16 : DType::f32;
  p.zp = has_zero_points(l) ? ZpMode::packed : ZpMode::none;
  const Reported reported = resolve_reported(p, gpu);
  const Operands ops = plan_operands(p, kernel, nullptr);
  const w4_call call = ops.call(p, reported, "");
  Asked device(gpu.arch.data(), reported);
  return kernel.accept(&kernel, &call, &device.table) == 0 ? "" : device.clause;
}

// The clause by which preparation stops at act-order; empty: it does not.
std::string refuses_act_order(const w4_kernel& kernel) {
  Problem p{.m = 1, .n = 8, .k = 64, .g = 32};
  p.src = Source::gptq1;
  p.gidx = GroupIndex::act;
  const SourceTensors tensors = make_source(p, nullptr);
  w4_source source{};
  source.wei = &tensors.wei.desc, source.scale = &tensors.scale.desc;
  source.g_idx = &tensors.gidx->desc;
  source.n = p.n, source.k = p.k, source.group_size = p.g;
  source.symmetric = 1;
  Asked device("gfx1151", {20, 65536});
  w4_prepared out{};
  return kernel.prepare(&kernel, &source, &device.table, &out) == 0 ? "" : device.clause;
}

// Whether only rules of our own decline the layer.
bool only_ours(const Entry& e, const Layer& l) {
  Entry theirs = e;
  std::erase_if(theirs.rules, [](const Rule& r) { return r.ours; });
  return takes(theirs, l) && !takes(e, l);
}

}  // namespace

std::vector<Layer> selection_layers() {
  std::vector<Layer> out;
  for (const std::string_view arch : selection_archs()) {
    for (const char* type : {"uint4b8", "uint4", "uint8b128", "uint8"}) {
      for (const char* act : {"f16", "bf16", "f32"}) {
        for (const int64_t g : {-1, 16, 32, 48, 64, 128, 256}) {
          for (const int64_t k : {32, 48, 64, 96, 128, 192, 256, 512, 1000, 1024, 4864, 6528, 6656,
                                  8192, 18944, 32768, 32896}) {
            for (const int64_t n : {1, 4, 8, 12, 60, 64, 256, 1152}) {
              for (const bool g_idx : {false, true}) {
                out.push_back({std::string(arch), type, act, g, k, n, g_idx});
              }
            }
          }
        }
      }
    }
  }
  return out;
}

void audit_reach(const SelectionTable& table, const std::vector<Layer>& layers,
                 SelectionAudit& out) {
  std::map<std::string, std::map<std::string, int64_t>> shadows;  // entry -> winner -> layers
  out.layers = static_cast<int64_t>(layers.size());
  for (const Entry& e : table.entries) out.rows.push_back({e.name, 0, 0, "", e.inferred});
  for (const Layer& l : layers) {
    const Entry* winner = select(table, l);
    for (size_t i = 0; i < table.entries.size(); ++i) {
      const Entry& e = table.entries[i];
      SelectionAudit::Row& row = out.rows[i];
      if (!takes(e, l)) continue;
      ++row.takes;
      if (winner == &e) {
        if (row.wins++ == 0) row.first = to_string(l);
      } else if (winner != nullptr) {
        ++shadows[e.name][winner->name];
      }
    }
  }
  for (SelectionAudit::Row& row : out.rows) {
    if (row.wins > 0) continue;
    const bool disabled = std::ranges::find(table.disabled, row.entry) != table.disabled.end();
    std::string by;
    for (const auto& [name, count] : shadows[row.entry]) {
      by += fmt::format("{}{} ({} layers)", by.empty() ? "" : ", ", name, count);
    }
    row.first = disabled ? "disabled" : by.empty() ? "takes no layer" : "shadowed by " + by;
    const std::string text = fmt::format("{} wins no layer: {}", row.entry, row.first);
    (disabled ? out.notes : out.wrong).push_back(text);
  }
  for (const Golden& g : table.golden) {
    const Entry* winner = select(table, g.layer);
    const std::string got = winner == nullptr ? "" : winner->name;
    if (got == g.winner) continue;
    out.wrong.push_back(fmt::format("golden layer {}: {} wins, {} is expected", to_string(g.layer),
                                    got.empty() ? "none" : got,
                                    g.winner.empty() ? "none" : g.winner));
  }
}

void audit_launches(const SelectionTable& table, const w4_module& module,
                    const std::vector<Layer>& layers, SelectionAudit& out) {
  constexpr std::array<int64_t, 5> kM{0, 1, 5, 6, 300};
  for (const Entry& e : table.entries) {
    if (e.kernel.empty()) continue;
    const w4_kernel* kernel = find_kernel(module, e.kernel);
    if (kernel == nullptr) {
      out.wrong.push_back(fmt::format("{}: no kernel '{}' in the table", e.name, e.kernel));
      continue;
    }
    if (refuses_act_order(*kernel) != "act.order") {
      out.wrong.push_back(fmt::format(
          "{} declines act-order, but {} does not refuse it by act.order when it prepares weights",
          e.name, e.kernel));
    }
    int64_t asked = 0, differ = 0;
    std::map<std::string, int64_t> ours;  // clause by which the launch refuses -> layers
    for (const Layer& l : layers) {
      const GpuModel* gpu = find_gpu(l.arch);
      // 8-bit weights are another call; act-order stops in preparation, which has no tensors here.
      if (gpu == nullptr || !has_code(*kernel, l.arch) || !l.type.starts_with("uint4") || l.g_idx) {
        continue;
      }
      ++asked;
      const bool yes = takes(e, l);
      for (const int64_t m : kM) {
        const std::string clause = refused(*kernel, l, m, *gpu);
        if (only_ours(e, l)) ours[clause.empty() ? "nothing" : clause] += m == kM.front() ? 1 : 0;
        if (yes == clause.empty()) continue;
        if (differ++ > 0) continue;
        out.wrong.push_back(
            fmt::format("{} {} {}, but the launch of {} at M = {} {}", e.name,
                        yes ? "takes" : "declines", to_string(l), e.kernel, m,
                        clause.empty() ? "is accepted" : fmt::format("is refused by {}", clause)));
      }
    }
    if (differ > 1) out.wrong.push_back(fmt::format("{}: {} more such calls", e.name, differ - 1));
    out.notes.push_back(
        fmt::format("{} against the launches of {}: {} layers on archs with code, M of 0, 1, 5, 6, "
                    "300: {} differ",
                    e.name, e.kernel, asked, differ));
    for (const Rule& r : e.rules) {
      if (!r.ours) continue;
      std::string by;
      for (const auto& [clause, count] : ours) by += fmt::format(" {} ({} layers)", clause, count);
      out.notes.push_back(fmt::format(
          "{}: rule {} ({}) is ours; public can_implement has none, and the launch refuses by:{}",
          e.name, name_of(r.about), r.says, by));
    }
  }
}

}  // namespace w4
