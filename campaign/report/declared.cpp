#include "campaign/report/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "campaign/report/roundings.h"
#include "core/contract.h"
#include "core/law.h"
#include "kernels/lookup.h"
#include "kernels/objects.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using nlohmann::json;

// What a clause is about, by the word before its point.
struct Topic {
  std::string_view says;
  std::vector<std::string_view> of;
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all{
      {"M, N and K", {"m", "n", "k", "act.leading", "out.leading", "act.rank"}},
      {"Groups and scales", {"group", "scale"}},
      {"Types", {"act.dtype", "act.f16", "ids"}},
      {"Zero points", {"zp"}},
      {"Bias", {"bias"}},
      {"Experts", {"experts", "topk", "tokens", "blockm", "silu"}},
      {"Strides", {"act", "weight", "out", "carrier"}},
      {"Alignment", {"align"}},
      {"LDS, grid and indices", {"lds", "cus", "index"}},
      {"Forced tiles", {"tile"}},
      {"Checkpoint and shards", {"source", "shard", "act.order"}},
  };
  return all;
}

// A whole name before the word it begins with.
std::string_view topic_of(std::string_view clause) {
  for (const std::string_view key : {clause, clause.substr(0, clause.find('.'))}) {
    for (const Topic& t : topics()) {
      if (std::ranges::find(t.of, key) != t.of.end()) return t.says;
    }
  }
  return "Other";
}

json rules_of(const std::vector<std::string>& clauses) {
  std::map<std::string_view, json> by_topic;
  for (size_t i = 0; i < clauses.size(); ++i) {
    const RoutedName name = routed_name(clauses[i]);
    const Clause* c = find_clause(clauses[i]);
    json only;
    if (name.route != Route::any) only = name.route == Route::decode ? "decode" : "prefill";
    by_topic[topic_of(name.clause)].push_back({{"name", name.clause},
                                               {"says", c == nullptr ? "" : c->says},
                                               {"checked_by", c == nullptr ? "" : c->versions},
                                               {"route", only},
                                               {"order", i + 1}});
  }
  json out = json::array();
  const auto add = [&](std::string_view topic) {
    if (const auto at = by_topic.find(topic); at != by_topic.end())
      out.push_back({{"topic", topic}, {"clauses", at->second}});
  };
  for (const Topic& t : topics()) add(t.says);
  add("Other");
  return out;
}

const char* name_of_unit(w4_unit u) {
  switch (u) {
    case W4_UNIT_FMA32:
      return "fma";
    case W4_UNIT_DOT2:
      return "dot2";
    case W4_UNIT_WMMA:
      return "WMMA";
  }
  return "?";
}

// Whether the kernel's rules of M, or of block_m where there are experts, let these rows pass.
bool takes_rows(const std::vector<std::string>& clauses, int64_t m) {
  Problem p;
  p.m = p.blockm = m;
  return std::ranges::all_of(clauses, [&](const std::string& name) {
    const bool of_rows = name == "m.range" || name == "blockm.range" || name == "blockm.tile";
    const Clause* c = of_rows ? find_clause(name) : nullptr;
    return c == nullptr || !c->broken(p, {});
  });
}

// At an ordinary layer: the sums of a longer K are longer, the way is the same.
json numerics_of(const w4_kernel& k, const std::vector<std::string>& clauses) {
  constexpr int64_t kN = 1024, kK = 4096, kG = 128, kCus = 20;
  struct Act {
    w4_dtype type;
    DType dtype;
  };
  json out = json::array();
  std::map<const w4_numerics*, size_t> seen;
  for (const int64_t m : {1, 5, 16, 64}) {
    if (!takes_rows(clauses, m)) continue;
    const w4_numerics* n = k.numerics_of == nullptr ? k.numerics : k.numerics_of(&k, m, kN, kK, kG);
    if (n == nullptr) continue;
    if (!seen.contains(n)) {
      seen[n] = out.size();
      json acts = json::array();
      for (const Act a : {Act{W4_F16, DType::f16}, Act{W4_BF16, DType::bf16}}) {
        acts.push_back({{"act", name_of(a.dtype)},
                        {"weight", weight_rounding(*n, a.type, a.dtype)},
                        {"store", store_rounding(*n, a.type, a.dtype)}});
      }
      out.push_back({{"text", n->text == nullptr ? "" : n->text},
                     {"rounded", acts},
                     {"gate", n->gate != nullptr},
                     {"chains", json::array()}});
    }
    for (const Act a : {Act{W4_F16, DType::f16}, Act{W4_BF16, DType::bf16}}) {
      const w4_chain c = n->chain(a.type, m, kN, kK, kG, kCus);
      out.at(seen[n]).at("chains").push_back({{"act", name_of(a.dtype)},
                                              {"m", m},
                                              {"n", kN},
                                              {"k", kK},
                                              {"g", kG},
                                              {"unit", name_of_unit(c.unit)},
                                              {"roundings", c.steps},
                                              {"chunk", c.chunk},
                                              {"chunks", c.chunks},
                                              {"offset_trick", c.offset_trick != 0}});
    }
  }
  return out;
}

json laws_of(const w4_kernel& k) {
  json out = json::array();
  for (const std::string& name : names_in(k.laws)) {
    const auto law = std::ranges::find_if(all_laws(), [&](Law l) { return name_of(l) == name; });
    out.push_back({{"name", name}, {"says", law == all_laws().end() ? "" : says_of(*law)}});
  }
  return out;
}

// The code objects of the kernel's own source file: rows on top of another kernel have none.
json objects_of(std::string_view kernel) {
  struct Built {
    std::set<std::string_view> acts;
    std::set<int> groups;
    int64_t objects = 0, bytes = 0;
  };
  std::map<std::string_view, Built> by_arch;
  for (const KernelObject& o : kernel_objects()) {
    if (o.kernel != kernel || find_gpu(o.arch) == nullptr) continue;
    Built& b = by_arch[o.arch];
    b.acts.insert(o.act);
    b.groups.insert(o.group_size);
    ++b.objects;
    b.bytes += static_cast<int64_t>(o.bytes());
  }
  json out = json::array();
  for (const auto& [arch, b] : by_arch) {
    out.push_back({{"arch", arch},
                   {"acts", b.acts},
                   {"groups", b.groups},
                   {"objects", b.objects},
                   {"bytes", b.bytes}});
  }
  return out;
}

json zero_points_of(const w4_kernel& k) {
  json out = json::array();
  for (const w4_layout l : std::span(k.zp_layouts, static_cast<size_t>(k.zp_layout_count))) {
    out.push_back(l == W4_ZP_PACKED     ? "packed: int32 [N/8,K/G], eight rows of N a word"
                  : l == W4_ZP_UNPACKED ? "unpacked: activation type [N,K/G], as numbers"
                                        : fmt::format("layout {}", static_cast<int>(l)));
  }
  return out;
}

}  // namespace

json declared_kernels() {
  const w4_module& module = builtin_module();
  json out = json::array();
  for (const w4_kernel& k : std::span(module.kernels, static_cast<size_t>(module.kernel_count))) {
    const std::vector<std::string> clauses = names_in(k.clauses);
    out.push_back({{"name", k.name},
                   {"says", k.says},
                   {"weights", k.dense_weights != 0 ? "dense: activation type [N,K], dequantised "
                                                      "when they were prepared"
                                                    : "4 bits, shuffled: [N,K/2] bytes"},
                   {"zero_points", zero_points_of(k)},
                   {"carrier", k.reads_carrier != 0},
                   {"experts", k.moe != 0},
                   {"shape_form", k.shape != nullptr},
                   {"archs", names_in(k.archs)},
                   {"rules", rules_of(clauses)},
                   {"numerics", numerics_of(k, clauses)},
                   {"laws", laws_of(k)},
                   {"objects", objects_of(k.name)}});
  }
  return out;
}

}  // namespace w4
