#include "campaign/bench/plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "campaign/plan.h"
#include "core/contract.h"
#include "kernels/table.h"
#include "verify/cases/model_layers.h"

namespace w4::bench {
namespace {

constexpr int64_t kMost = 1 << 20;  // of M, N, K and G

struct Shape {
  std::string name;
  int64_t n = 0, k = 0;
};

std::optional<int64_t> number(std::string_view text) {
  int64_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong != std::errc() || end != text.data() + text.size() || out < 1 || out > kMost)
    return std::nullopt;
  return out;
}

Result<std::vector<Shape>> shapes_of(const Asked& asked) {
  std::vector<std::string> models;
  std::vector<Shape> layers;
  for (const ModelLayer& l : model_layers()) {
    if (l.tp != 1) continue;
    if (std::ranges::find(models, l.model) == models.end()) models.emplace_back(l.model);
    if (l.model == asked.model) layers.push_back({std::string(l.layer), l.n, l.k});
  }
  if (layers.empty())
    return fail("--model: there is no '{}'; legal: {}", asked.model, fmt::join(models, ", "));
  std::vector<Shape> out;
  for (const std::string& wanted : asked.shapes) {
    const auto layer = std::ranges::find(layers, wanted, &Shape::name);
    if (layer != layers.end()) {
      out.push_back(*layer);
      continue;
    }
    const size_t x = wanted.find('x');
    const auto n = number(wanted.substr(0, x));
    const auto k = x == std::string::npos ? std::nullopt : number(wanted.substr(x + 1));
    if (!n || !k) {
      std::vector<std::string> names;
      for (const Shape& s : layers) names.push_back(s.name);
      return fail("--shapes: '{}' is no shape; legal: layers of {} ({}), or NxK, each 1 to {}",
                  wanted, asked.model, fmt::join(names, ", "), kMost);
    }
    out.push_back({wanted, *n, *k});
  }
  return out;
}

const w4_kernel* built_in(std::string_view name) {
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    if (module.kernels[i].name == name) return &module.kernels[i];
  }
  return nullptr;
}

std::vector<int64_t> tokens_of(const Asked& asked, std::string_view kernel) {
  if (!asked.m.empty()) return asked.m;
  if (kernel.starts_with("prefill") || kernel == "moe_prefill" || kernel == "hybrid")
    return {64, 512};
  return {1, 2, 3, 4, 5};
}

// What the hybrid op's route takes; what it leaves to prefill because of its K, V3's op takes.
std::string routed(int64_t m, int64_t k) {
  if (m > kMaxDecodeM) return "prefill";
  return routes_to_decode(m, k) ? "decode" : "chunked";
}

Result<void> check(const Asked& asked) {
  for (const std::string& kernel : asked.kernels) {
    if (built_in(kernel) != nullptr) continue;
    std::vector<std::string> names;
    for (int32_t i = 0; i < builtin_module().kernel_count; ++i)
      names.emplace_back(builtin_module().kernels[i].name);
    return fail("--kernel: there is no '{}'; legal: {}", kernel, fmt::join(names, ", "));
  }
  for (const auto& [option, key, values] :
       {std::tuple{"--act", "act", &asked.act}, std::tuple{"--zp", "zp", &asked.zp}}) {
    for (const std::string& value : *values) {
      if (auto ok = check_key_value(option, key, value); !ok) return ok;
    }
  }
  for (const int64_t m : asked.m) {
    if (m < 1 || m > kMost) return fail("--m: {}; legal: 1 to {}", m, kMost);
  }
  if (asked.g < 1 || asked.g > kMost) return fail("--g: {}; legal: 1 to {}", asked.g, kMost);
  if (asked.experts < 1 || asked.experts > 1024)
    return fail("--experts: {}; legal: 1 to 1024", asked.experts);
  if (asked.topk < 1 || asked.topk > asked.experts)
    return fail("--topk: {}; legal: 1 to {}, the experts", asked.topk, asked.experts);
  return {};
}

Case case_of(const Asked& asked, const std::string& kernel, const Shape& shape, int64_t m,
             const std::string& act, const std::string& zp) {
  Case c = *parse_case(fmt::format("decode act={} zp={}", act, zp));
  c.kernel = kernel;
  c.device = asked.device;
  c.problem.m = m;
  c.problem.n = shape.n;
  c.problem.k = shape.k;
  c.problem.g = asked.g;
  if (built_in(kernel)->moe != 0) {
    c.problem.experts = asked.experts;
    c.problem.topk = asked.topk;
    c.problem.blockm = kernel == "moe_prefill" ? 16 : 1;
  }
  return c;
}

Result<std::vector<Wanted>> lines_of(const Asked& asked) {
  std::vector<Wanted> out;
  for (const std::string& line : asked.lines) {
    auto read = parse_case(line);
    if (!read) return fail("--case: '{}': {}", line, read.error().text);
    if (!read->module.empty() || !read->prep.empty() || !read->mutate.none() ||
        read->law != Law::reference || built_in(read->kernel) == nullptr) {
      return fail("--case: '{}': legal: a built-in kernel, without module=, prep=, law=, mutate=",
                  line);
    }
    read->device = asked.device;
    const Problem& p = read->problem;
    out.push_back({*read, fmt::format("{}x{}", p.n, p.k)});
  }
  return out;
}

}  // namespace

Result<std::vector<Wanted>> plan(const Asked& asked) {
  if (!asked.lines.empty()) return lines_of(asked);
  if (auto ok = check(asked); !ok) return std::unexpected(ok.error());
  const auto shapes = shapes_of(asked);
  if (!shapes) return std::unexpected(shapes.error());
  std::vector<Wanted> out;
  std::set<std::string> seen;
  const std::vector<std::string> by_route{""};
  for (const std::string& kernel : asked.kernels.empty() ? by_route : asked.kernels) {
    for (const std::string& act : asked.act) {
      for (const std::string& zp : asked.zp) {
        for (const Shape& shape : *shapes) {
          for (const int64_t m : tokens_of(asked, kernel)) {
            const std::string which = kernel.empty() ? routed(m, shape.k) : kernel;
            Case c = case_of(asked, which, shape, m, act, zp);
            if (seen.insert(to_string(c)).second) out.push_back({std::move(c), shape.name});
          }
        }
      }
    }
  }
  return out;
}

std::string to_string(const Asked& a) {
  if (!a.lines.empty()) return fmt::format("{} on {}", fmt::join(a.lines, "; "), a.device);
  const auto sizes = [](const std::string& s) { return s[0] >= '0' && s[0] <= '9'; };
  std::string out = fmt::format("{}", fmt::join(a.shapes, ", "));
  if (!std::ranges::all_of(a.shapes, sizes)) out += " of " + a.model;
  out += " on " + a.device;
  if (!a.kernels.empty()) out = fmt::format("{}: {}", fmt::join(a.kernels, ", "), out);
  if (!a.m.empty()) out += fmt::format(", m {}", fmt::join(a.m, " "));
  return out + fmt::format(", g {}, {}, zp {}", a.g, fmt::join(a.act, " "), fmt::join(a.zp, " "));
}

}  // namespace w4::bench
