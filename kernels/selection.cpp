#include "kernels/selection.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/gpu.h"

namespace w4 {
namespace {

using About = Rule::About;

constexpr std::array<std::pair<About, std::string_view>, 10> kNames{
    {{About::arch, "arch"},
     {About::type, "type"},
     {About::act, "act"},
     {About::g_idx, "g_idx"},
     {About::group, "group"},
     {About::k_multiple, "k_multiple"},
     {About::k_group, "k_group"},
     {About::n_multiple, "n_multiple"},
     {About::n_octets, "n_octets"},
     {About::never, "never"}}};

bool listed(const std::vector<std::string>& names, std::string_view value) {
  return std::ranges::any_of(names, [&](const std::string& n) {
    return n.ends_with('*') ? value.starts_with(std::string_view(n).substr(0, n.size() - 1))
                            : n == value;
  });
}

// Of zero: nothing is refused for a rule that a table left without its number.
bool multiple(int64_t value, const std::vector<int64_t>& of) {
  return of.empty() || of.front() <= 0 || value % of.front() == 0;
}

std::optional<std::string> broken(const Rule& r, const Layer& l) {
  const auto say = [&](std::string_view what, const auto& value, std::string legal) {
    return fmt::format("{}: {} is {}; legal: {}", r.says, what, value, legal);
  };
  const auto number = [&] { return r.numbers.empty() ? 0 : r.numbers.front(); };
  switch (r.about) {
    case About::arch:
      if (listed(r.names, l.arch)) return {};
      return say("arch", l.arch, fmt::format("{}", fmt::join(r.names, ", ")));
    case About::type:
      if (listed(r.names, l.type)) return {};
      return say("quant type", l.type, fmt::format("{}", fmt::join(r.names, ", ")));
    case About::act:
      if (listed(r.names, l.act)) return {};
      return say("activation dtype", l.act, fmt::format("{}", fmt::join(r.names, ", ")));
    case About::g_idx:
      if (!l.g_idx) return {};
      return say("g_idx", "in act-order", "none");
    case About::group:
      if (std::ranges::find(r.numbers, l.g) != r.numbers.end()) return {};
      return say("group size", l.g, fmt::format("{}", fmt::join(r.numbers, ", ")));
    case About::k_multiple:
      if (multiple(l.k, r.numbers)) return {};
      return say("K", l.k, fmt::format("multiples of {}", number()));
    case About::k_group:
      if (l.g == -1 || (l.g > 0 && l.k % l.g == 0)) return {};
      return say("K", l.k, fmt::format("multiples of the group size {}", l.g));
    case About::n_multiple:
      if (multiple(l.n, r.numbers)) return {};
      return say("N", l.n, fmt::format("multiples of {}", number()));
    case About::n_octets:
      if (!has_zero_points(l) || multiple(l.n, r.numbers)) return {};
      return say("N with zero points", l.n, fmt::format("multiples of {}", number()));
    case About::never:
      break;
  }
  return r.says;
}

Rule rule(About about, std::vector<std::string> names, std::vector<int64_t> numbers,
          std::string says, bool ours = false) {
  return {about, std::move(names), std::move(numbers), std::move(says), ours};
}

const std::vector<std::string> kFloats{"f16", "bf16"};

Entry rdna3() {
  return {"RDNA3W4A16",
          110,
          {rule(About::arch, {"gfx1100"}, {}, "written for gfx1100"),
           rule(About::type, {"uint4b8"}, {}, "symmetric only"),
           rule(About::act, kFloats, {}, "16-bit activations"),
           rule(About::g_idx, {}, {}, "no act-order"),
           rule(About::group, {}, {32, 64, 128}, "group sizes that have code"),
           rule(About::k_group, {}, {}, "whole groups")},
          "",
          true};
}

// The order of can_implement. For its group sizes whole groups imply multiples of 16: that rule
// only decides the message.
Entry hybrid() {
  return {"RDNAHybridW4A16",
          0,
          {rule(About::arch, {"gfx11*", "gfx12*"}, {}, "wave32 dot products of gfx11 and gfx12"),
           rule(About::type, {"uint4b8", "uint4"}, {}, "4-bit weights"),
           rule(About::act, kFloats, {}, "16-bit activations"),
           rule(About::g_idx, {}, {}, "no act-order"),
           rule(About::group, {}, {32, 64, 128}, "group sizes that have code"),
           rule(About::k_multiple, {}, {16}, "whole steps of a lane"),
           rule(About::k_group, {}, {}, "whole groups"),
           rule(About::n_octets, {}, {8}, "zero points are packed eight to a word", true)},
          "hybrid",
          false};
}

Entry triton() {
  return {"TritonW4A16",
          0,
          {rule(About::arch, {"gfx*"}, {}, "ROCm"),
           rule(About::type, {"uint4b8", "uint4"}, {}, "4-bit weights"),
           rule(About::act, kFloats, {}, "16-bit activations"),
           rule(About::g_idx, {}, {}, "no act-order"),
           rule(About::group, {}, {-1, 32, 64, 128, 256}, "group sizes of its tiles"),
           rule(About::k_group, {}, {}, "whole groups"),
           rule(About::n_multiple, {}, {8}, "output columns are packed eight to a word")},
          "",
          true};
}

Entry conch() {
  return {"Conch",
          80,
          {rule(About::arch, {"gfx*"}, {}, "any GPU that Triton compiles for"),
           rule(About::type, {"uint4b8", "uint4", "uint8b128", "uint8"}, {}, "4 or 8 bits"),
           rule(About::act, kFloats, {}, "16-bit activations"),
           rule(About::g_idx, {}, {}, "no act-order"),
           rule(About::group, {}, {-1, 128}, "channels or groups of 128"),
           rule(About::k_group, {}, {}, "whole groups")},
          "",
          true};
}

Entry exllama() {
  return {"Exllama",
          60,
          {rule(About::arch, {"gfx*"}, {}, "CUDA and ROCm"),
           rule(About::type, {"uint4b8", "uint8b128"}, {}, "symmetric only"),
           rule(About::act, {"f16"}, {}, "fp16 only"), rule(About::k_group, {}, {}, "whole groups"),
           rule(About::n_multiple, {}, {8}, "output columns are packed eight to a word")},
          "",
          true};
}

// The upstream selection test's two layers, on archs of each kind; K35; act-order.
std::vector<Golden> golden() {
  const auto symmetric = [](std::string arch) {
    return Layer{std::move(arch), "uint4b8", "f16", 128, 1024, 256, false};
  };
  const auto asymmetric = [](std::string arch) {
    return Layer{std::move(arch), "uint4", "bf16", 64, 512, 512, false};
  };
  std::vector<Golden> out{{symmetric("gfx1100"), "RDNA3W4A16"},
                          {asymmetric("gfx1100"), "RDNAHybridW4A16"},
                          {symmetric("gfx942"), "TritonW4A16"},
                          {asymmetric("gfx942"), "TritonW4A16"}};
  for (const GpuModel& gpu : gpu_models()) {
    const std::string arch(gpu.arch);
    if (arch != "gfx1100") out.push_back({symmetric(arch), "RDNAHybridW4A16"});
    out.push_back({asymmetric(arch), "RDNAHybridW4A16"});
    Layer wide = symmetric(arch);
    wide.g = 256;
    out.push_back({wide, "TritonW4A16"});
    Layer ordered = symmetric(arch);
    ordered.g_idx = true;
    out.push_back({ordered, "Exllama"});
  }
  return out;
}

}  // namespace

std::string_view name_of(About a) {
  return std::ranges::find(kNames, a, &std::pair<About, std::string_view>::first)->second;
}

std::optional<About> rule_from(std::string_view name) {
  const auto* at = std::ranges::find(kNames, name, &std::pair<About, std::string_view>::second);
  return at == kNames.end() ? std::nullopt : std::optional(at->first);
}

bool wants_names(About a) { return a == About::arch || a == About::type || a == About::act; }

bool wants_numbers(About a) {
  return a == About::group || a == About::k_multiple || a == About::n_multiple ||
         a == About::n_octets;
}

std::string to_string(const Layer& l) {
  return fmt::format("{} {} {} g={} k={} n={}{}", l.arch, l.type, l.act, l.g, l.k, l.n,
                     l.g_idx ? " g_idx" : "");
}

bool has_zero_points(const Layer& l) { return l.type == "uint4" || l.type == "uint8"; }

std::optional<std::string> declined(const Entry& e, const Layer& l) {
  for (const Rule& r : e.rules) {
    if (auto why = broken(r, l)) return why;
  }
  return {};
}

bool takes(const Entry& e, const Layer& l) {
  return capability(l.arch) >= e.min_capability && !declined(e, l);
}

const Entry* select(const SelectionTable& table, const Layer& l,
                    std::span<const std::string> disabled) {
  for (const Entry& e : table.entries) {
    if (std::ranges::find(disabled, e.name) == disabled.end() && takes(e, l)) return &e;
  }
  return nullptr;
}

const Entry* select(const SelectionTable& table, const Layer& l) {
  return select(table, l, table.disabled);
}

// gfx1151: major 11, minor 5, stepping 1. gfx90a: 9, 0, 10.
int64_t capability(std::string_view arch) {
  if (!arch.starts_with("gfx") || arch.size() < 6 || arch.size() > 7) return 0;
  int64_t value = 0;
  for (const char c : arch.substr(3, arch.size() - 4)) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::span<const std::string_view> selection_archs() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> out{"gfx90a", "gfx942"};
    for (const GpuModel& gpu : gpu_models()) out.push_back(gpu.arch);
    return out;
  }();
  return all;
}

const SelectionTable& builtin_selection() {
  static const SelectionTable table{
      {rdna3(), hybrid(), triton(), conch(), exllama()}, {}, golden()};
  return table;
}

}  // namespace w4
