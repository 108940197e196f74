#include "verify/cases/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/classes.h"
#include "kernels/sorted_ids.h"
#include "verify/cases/memory.h"
#include "verify/cases/shapes.h"
#include "verify/experts.h"

namespace w4 {
namespace {

std::string_view side_of(int64_t value, int64_t edge, const std::array<std::string_view, 3>& text) {
  return text[value < edge ? 0 : value == edge ? 1 : 2];
}

constexpr int64_t kShortK = 1024;

std::string_view name_of(ModelShape s) {
  switch (s) {
    case ModelShape::layer:
      return "layer";
    case ModelShape::neighbour:
      return "neighbour";
    case ModelShape::other:
      break;
  }
  return "other";
}

}  // namespace

void Coverage::count(std::string_view name, std::string_view value) {
  auto values = counts_.find(name);
  if (values == counts_.end()) values = counts_.emplace(name, decltype(values->second){}).first;
  auto found = values->second.find(value);
  if (found == values->second.end()) found = values->second.emplace(value, 0).first;
  ++found->second;
}

void Coverage::count_shape(const Case& c) {
  const Problem& p = c.problem;
  const bool experts = p.experts > 0;
  count(experts ? "tokens" : "m", std::to_string(p.m));
  count("m range", p.m <= 5 ? "1-5" : p.m <= 16 ? "6-16" : p.m <= 64 ? "17-64" : "65 and more");
  count("g", std::to_string(p.g));
  count("dtype", w4::name_of(p.act));
  count("zp", w4::name_of(p.zp));
  count("bias", to_string(p.bias));
  count("k range", p.k < 512 ? "below 512" : p.k < 2048 ? "512 to 2047" : "2048 and more");
  count("k*m", fmt::format("{} {}", w4::name_of(lds_side(p)), kLdsElements));
  if (experts) {
    count("k*block_m", fmt::format("{} {}", w4::name_of(lds_side(p, kMoeElements)), kMoeElements));
  }
  count("k tail", ragged_k(p) ? "ragged" : "whole steps");
  count("n tail", ragged_n(p) ? "ragged" : "whole tiles");
  count("octet", p.n % 8 == 0   ? "whole"
                 : p.n % 8 == 1 ? "one more"
                 : p.n % 8 == 7 ? "one short"
                                : "other");
  count("n range", p.n < 8 ? "below 8" : p.n <= 64 ? "8 to 64" : "65 and more");
  count("group", groups(p) == 1 ? "one" : groups(p) == 2 ? "two" : "many");
  // Where a group stands in its row.
  if (groups(p) >= 1) count("group position", "first");
  if (groups(p) >= 3) count("group position", "middle");
  if (groups(p) >= 2) count("group position", "last");
  count("k/g", side_of(groups(p), p.g, {"below g", "g", "above g"}));
  if (has_square_zero_points(p)) count("zero points", "square");
  // Short K are many a layer's, too.
  if (p.k > kShortK) count("model", name_of(model_shape(p)));
  count("model n", is_model_n(p.n) ? "layer" : "other");
}

void Coverage::count_memory(const Case& c) {
  const Problem& p = c.problem;
  count("pad", p.wpad || p.spad ? "by number" : w4::name_of(p.pad));
  if (resolved_wpad(p) > 0) count("pad", "weight rows");
  if (resolved_spad(p) > 0) count("pad", "scale rows");
  const std::array<std::pair<std::string_view, int64_t>, 7> offsets{{{"act", p.aoff},
                                                                     {"wei", p.woff},
                                                                     {"scale", p.soff},
                                                                     {"zp", p.zoff},
                                                                     {"bias", p.boff},
                                                                     {"out", p.yoff},
                                                                     {"carrier", p.coff}}};
  for (const auto& [tensor, offset] : offsets) {
    if (offset != 0) count("offset", tensor);
  }
  count("act rows", resolved_lda(p) == act_columns(p) ? "contiguous" : "apart");
  if (resolved_lda(p) >= kFarApart) count("act rows", "far apart");
  if (p.lead) count("act rows", "leading dimension");
  if (p.cpad.value_or(0) > 0) count("pad", "carrier rows");
  count("src", w4::name_of(p.src));
  count("shard", p.n0 != 0 && p.k0 != 0 ? "both"
                 : p.n0 != 0            ? "of n"
                 : p.k0 != 0            ? "of k"
                                        : "whole");
  if (p.qzeros) count("checkpoint", "zero points unused");
  if (p.gidx != GroupIndex::none) count("checkpoint", fmt::format("gidx {}", w4::name_of(p.gidx)));
  count("cus", p.cus ? "given" : "auto");
  count("lds", p.lds ? "given" : "auto");
}

void Coverage::count_experts(const Case& c) {
  const Problem& p = c.problem;
  if (p.experts <= 0) return;
  count("block_m", std::to_string(p.blockm));
  count("route", w4::name_of(p.route));
  count("rows", w4::name_of(p.rows));
  count("silu", p.silu ? "fused" : "none");
  // A line may say less than its kernel needs: a store of another build holds what it holds.
  if (p.blockm <= 0) return;
  const SortedIds ids = sort_slots(route_slots(p, c.seed), p.experts, p.blockm);
  count("padding", std::ranges::find(ids.sorted, slots(p)) != ids.sorted.end() ? "some" : "none");
}

// Codes and zero points of the first elements: enough to tell a fill that never shows some value
// from one that does, at a cost that does not depend on the shape.
void Coverage::count_values(const Case& c) {
  const Problem& p = c.problem;
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g);
  uint32_t codes = 0, zeros = 0;
  std::array<uint8_t, 64> row{};
  const std::span<uint8_t> some(row.data(), static_cast<size_t>(std::clamp<int64_t>(p.k, 0, 64)));
  for (int64_t n = 0; n < std::min<int64_t>(p.n, 4); ++n) {
    fill.code_row(n, some);
    for (const uint8_t q : some) codes |= 1u << q;
  }
  if (p.zp != ZpMode::none) {
    for (int64_t n = 0; n < std::min<int64_t>(p.n, 16); ++n) {
      for (int64_t g = 0; g < std::min<int64_t>(groups(p), 4); ++g) zeros |= 1u << fill.zero(n, g);
    }
  }
  for (int v = 0; v < 16; ++v) {
    if ((codes >> v & 1) != 0) count("code", std::to_string(v));
    if ((zeros >> v & 1) != 0) count("zero", std::to_string(v));
  }
}

void Coverage::add(const Case& c) {
  ++cases_;
  count("kernel", c.kernel);
  count_shape(c);
  count_memory(c);
  count("tile", c.problem.tile ? "forced" : "auto");
  count("fill", w4::name_of(c.fill));
  count("device", c.device);
  count("fp", c.fp);
  count("sched",
        fmt::format("{}{}", w4::name_of(c.sched.order),
                    c.sched.quantum != Schedule::kQuantum || c.sched.changes != Schedule::kChanges
                        ? " with turns"
                        : ""));
  count_experts(c);
  count_values(c);
}

void Coverage::add(const Case& c, const Verdict& v) {
  count("verdict", w4::name_of(v.kind()));
  if (v.kind() == VerdictKind::refused || v.kind() == VerdictKind::skipped) {
    ++cases_;
    return;
  }
  add(c);
  count("fp ran", v.ran.fp);
  count("instantiation", v.ran.instantiation);
  count("form", v.ran.instantiation.substr(0, v.ran.instantiation.find(' ')));
}

int64_t Coverage::of(std::string_view name, std::string_view value) const {
  const auto values = counts_.find(name);
  if (values == counts_.end()) return 0;
  const auto found = values->second.find(value);
  return found == values->second.end() ? 0 : found->second;
}

int64_t Coverage::least(const Floor& f) const {
  return std::max<int64_t>(1, static_cast<int64_t>(f.share * static_cast<double>(cases_)));
}

std::vector<std::string> Coverage::below(const std::vector<Floor>& floors) const {
  std::vector<std::string> out;
  for (const Floor& f : floors) {
    const int64_t got = of(f.name, f.value), floor = least(f);
    if (got < floor) {
      out.push_back(fmt::format("{} = {} in {} of {} cases, its floor is {}", f.name, f.value, got,
                                cases_, floor));
    }
  }
  return out;
}

std::string Coverage::text() const {
  std::string out = fmt::format("{} cases\n", cases_);
  for (const auto& [name, values] : counts_) {
    if (name == "instantiation") {
      out += fmt::format("  {}: {} different\n", name, values.size());
      continue;
    }
    out += fmt::format("  {}:", name);
    for (const auto& [value, count] : values) {
      // A value of several words in quotes.
      const bool words = value.find(' ') != std::string::npos;
      out += fmt::format(" {}{}{}={}", words ? "'" : "", value, words ? "'" : "", count);
    }
    out += "\n";
  }
  return out;
}

}  // namespace w4
