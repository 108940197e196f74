// Which calls a kernel is probed with.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "verify/probe/probe.h"
#include "verify/probe/rig.h"

namespace w4::probe {
namespace {

// Small, with four groups: enough to see a group size that is half or twice the declared one.
constexpr int64_t kColumns = 16, kGroups = 4;

struct Choice {
  DType act;
  ZpMode zp;
  int64_t g;
};

// The first number of rows that the kernel takes.
std::optional<Case> first_legal(const Case& base, const Choice& what,
                                std::initializer_list<int64_t> rows, bool moe, Context& context,
                                std::string& why) {
  for (const int64_t m : rows) {
    Case c = base;
    c.fp = "ieee";
    Problem& p = c.problem;
    p.m = m, p.n = kColumns, p.g = what.g, p.k = kGroups * what.g;
    p.act = what.act;
    p.zp = what.zp;
    p.cus = 2;
    p.experts = moe ? 1 : 0;
    for (const int64_t block : {1, 16}) {
      p.blockm = block;
      const auto rig = Rig::make(c, context);
      if (rig) return c;
      why = rig.error().text;
      if (!moe) break;
    }
  }
  return std::nullopt;
}

bool has_experts(const Case& base, Context& context) {
  const auto module = context.module(base.module);
  if (!module) return false;
  const std::span kernels((*module)->kernels, static_cast<size_t>((*module)->kernel_count));
  return std::ranges::any_of(
      kernels, [&](const w4_kernel& k) { return base.kernel == k.name && k.moe != 0; });
}

}  // namespace

std::vector<Case> calls_of(const Case& base, Context& context, std::vector<std::string>& left_out) {
  std::vector<Case> calls;
  const bool moe = has_experts(base, context);
  std::set<std::string> seen;
  for (const DType act : {DType::f16, DType::bf16}) {
    for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
      for (const int64_t g : {32, 64, 128}) {
        std::string why;
        bool any = false;
        for (const auto& rows : {std::initializer_list<int64_t>{4, 3, 2, 1}, {32, 16}}) {
          const auto c = first_legal(base, {act, zp, g}, rows, moe, context, why);
          if (!c || !seen.insert(to_string(*c)).second) continue;
          calls.push_back(*c);
          any = true;
        }
        if (!any) {
          left_out.push_back(
              fmt::format("act={} zp={} g={}: {}", name_of(act), name_of(zp), g, why));
        }
      }
    }
  }
  return calls;
}

}  // namespace w4::probe
