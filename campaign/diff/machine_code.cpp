#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "campaign/diff/job.h"

namespace w4::diff {
namespace {

using nlohmann::json;

constexpr size_t kNamed = 3;

// A figure of one kernel that is not the same in both.
struct Changed {
  std::string symbol, device;
  int64_t a = 0, b = 0;
  Case first;
  int64_t by() const { return b - a; }
};

// The code of `symbol` among the answers to "code".
const json* find(const Reply& r, const std::string& symbol) {
  if (!r.ok()) return nullptr;
  for (const json& one : r.said.at("codes")) {
    if (one.at("symbol") == symbol) return &one;
  }
  return nullptr;
}

std::string how_far(const std::vector<Changed>& all) {
  const auto [least, most] = std::ranges::minmax_element(all, {}, &Changed::by);
  if (least->by() == most->by()) return fmt::format("{:+}", least->by());
  return fmt::format("{:+} to {:+}", least->by(), most->by());
}

}  // namespace

Section machine_code(Job& job) {
  Section s{.name = "code",
            .header = {"kernel", "figure", "kernels changed", "by", "most: A", "B", "in"},
            .unit = "kernels launched by both"};
  std::vector<std::pair<std::pair<std::string, std::string>, Case>> common;
  std::map<std::string, size_t> of_kernel;  // launched by both
  std::map<std::string, std::array<size_t, 2>> alone;
  for (const auto& [key, seen] : job.symbols[kA]) {
    if (!job.symbols[kB].contains(key)) {
      ++alone[seen.first.kernel][kA];
      continue;
    }
    common.emplace_back(key, seen.first);
    ++of_kernel[seen.first.kernel];
  }
  for (const auto& [key, seen] : job.symbols[kB]) {
    if (!job.symbols[kA].contains(key)) ++alone[seen.first.kernel][kB];
  }
  for (const auto& [kernel, n] : alone) {
    s.notes.push_back(
        fmt::format("{}: {} kernels only A launches, {} only B (see route)", kernel, n[kA], n[kB]));
  }
  s.planned = static_cast<int64_t>(common.size());
  std::map<std::pair<std::string, std::string>, std::vector<Changed>> changed;  // kernel, figure
  std::map<std::string, size_t> other_order;
  size_t same = 0;
  for (const auto& [key, first] : common) {
    const auto& [device, symbol] = key;
    if (job.symbols[kA].at(key).object == job.symbols[kB].at(key).object) {
      ++s.done, ++same;
      continue;
    }
    // A launches it for its call, B perhaps for another one.
    const Case& second = job.symbols[kB].at(key).first;
    const auto r = job.pair.both("code", first);
    if (!r) break;
    std::array<const json*, 2> code{find(r->at(kA), symbol), find(r->at(kB), symbol)};
    std::optional<std::array<Reply, 2>> again;
    if (code[kB] == nullptr) {
      again = job.pair.both("code", second);
      if (!again) break;
      code[kB] = find(again->at(kB), symbol);
    }
    ++s.done;
    job.progress(s);
    const bool read = code[kA] != nullptr && code[kB] != nullptr && code[kA]->contains("figures") &&
                      code[kB]->contains("figures");
    if (!read) {
      s.notes.push_back(fmt::format("{} on {}: its code cannot be read", symbol, device));
      continue;
    }
    if (code[kA]->at("text") == code[kB]->at("text")) {
      ++same;
      continue;
    }
    const auto a = code[kA]->at("figures").get<std::map<std::string, int64_t>>();
    const auto b = code[kB]->at("figures").get<std::map<std::string, int64_t>>();
    std::set<std::string> names;
    for (const auto* figures : {&a, &b}) {
      for (const auto& [name, value] : *figures) names.insert(name);
    }
    bool any = false;
    for (const std::string& name : names) {
      const auto value = [&](const auto& of) { return of.contains(name) ? of.at(name) : 0; };
      if (value(a) == value(b)) continue;
      any = true;
      changed[{first.kernel, name}].push_back({symbol, device, value(a), value(b), first});
    }
    if (any) continue;
    if (code[kA]->at("inventory") != code[kB]->at("inventory")) {
      changed[{first.kernel, "other instructions of the same classes"}].push_back(
          {symbol, device, 0, 0, first});
    } else {
      ++other_order[first.kernel];
    }
  }
  for (auto& [at, all] : changed) {
    const auto& [kernel, figure] = at;
    std::ranges::sort(all, {}, [](const Changed& c) {
      return std::tuple(-std::abs(c.by()), c.device, c.symbol);
    });
    const Changed& most = all.front();
    Row row;
    row.keys = {fmt::format("{}/{}", kernel, key_of(figure))};
    row.cells = {kernel,
                 figure,
                 fmt::format("{} of {}", all.size(), of_kernel[kernel]),
                 how_far(all),
                 std::to_string(most.a),
                 std::to_string(most.b),
                 fmt::format("{} on {}", most.symbol, most.device)};
    for (size_t i = 1; i < std::min(all.size(), kNamed); ++i) {
      row.below.push_back(
          fmt::format("{} on {}: {} and {}", all[i].symbol, all[i].device, all[i].a, all[i].b));
    }
    row.below.push_back("A: " + job.pair.rerun(kA, most.first));
    row.below.push_back("B: " + job.pair.rerun(kB, most.first));
    json each = json::array();
    for (const Changed& c : all)
      each.push_back({{"symbol", c.symbol}, {"device", c.device}, {"a", c.a}, {"b", c.b}});
    row.json = {{"kernels", std::move(each)}};
    job.add(s, std::move(row));
  }
  for (const auto& [kernel, n] : other_order) {
    s.notes.push_back(
        fmt::format("{}: {} kernels of the same instructions and figures in code that differs "
                    "(order, registers, constants, or another kernel of the object)",
                    kernel, n));
  }
  if (same > 0)
    s.notes.push_back(fmt::format("{} kernels stand in code that is byte for byte the same", same));
  return s;
}

}  // namespace w4::diff
