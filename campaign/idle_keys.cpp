#include "campaign/idle_keys.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <sstream>
#include <string_view>

#include "kernels/table.h"

namespace w4 {
namespace {

bool reads_carrier(const Case& c) {
  if (!c.module.empty()) return true;
  const w4_module& builtin = builtin_module();
  for (int32_t i = 0; i < builtin.kernel_count; ++i) {
    if (c.kernel == builtin.kernels[i].name) return builtin.kernels[i].reads_carrier != 0;
  }
  return true;
}

}  // namespace

std::vector<std::string> idle_keys(const Case& c) {
  const Problem& p = c.problem;
  const bool gptq = p.src == Source::gptq1 || p.src == Source::gptq2;
  struct Rule {
    bool idle;
    std::set<std::string_view> keys;
    std::string_view without;
  };
  const bool gpu = c.device == "hip" || c.device == "cuda";
  const std::array<Rule, 8> rules{{
      {!p.lead, {"ldl"}, "without lead"},
      {p.experts == 0, {"route", "rows", "idt"}, "without experts"},
      {!reads_carrier(c), {"cpad", "coff"}, "to a kernel that reads no carrier"},
      {p.zp == ZpMode::none, {"zdt", "zoff"}, "without zero points"},
      {p.bias.rank == 0, {"bdt", "boff", "ldb"}, "without a bias"},
      {p.zp != ZpMode::none || gptq, {"qzeros"}, "where the checkpoint has zero points anyway"},
      {p.wpad && p.spad, {"pad"}, "where wpad and spad are given"},
      {!gpu, {"place"}, "where device is not hip or cuda"},
  }};
  // The line has the keys that are not at their defaults.
  std::vector<std::string> out;
  std::istringstream line(to_string(c));
  for (std::string word; line >> word;) {
    const std::string key = word.substr(0, word.find('='));
    for (const Rule& r : rules) {
      if (r.idle && r.keys.contains(key)) {
        out.push_back(fmt::format("{} says nothing {}", word, r.without));
      }
    }
  }
  return out;
}

}  // namespace w4
