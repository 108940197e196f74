#include "verify/diff/declared.h"

#include <fmt/ranges.h>

#include <array>

#include "core/problem.h"
#include "kernels/lookup.h"

namespace w4::diff {
namespace {

std::string name_of_zp(w4_layout layout) {
  switch (layout) {
    case W4_ZP_PACKED:
      return "packed";
    case W4_ZP_UNPACKED:
      return "unpacked";
    default:
      return fmt::format("layout {}", static_cast<int>(layout));
  }
}

const w4_numerics* numerics_at(const w4_kernel& kernel, const Problem& p) {
  if (kernel.numerics_of == nullptr) return kernel.numerics;
  return kernel.numerics_of(&kernel, p.m, p.n, p.k, p.g);
}

// Of an ordinary layer: the points are as good as any where a declaration changed.
void add_numerics(const w4_kernel& kernel, Declared& out) {
  constexpr int64_t kN = 1024, kK = 4096, kG = 128, kCus = 20;
  struct Act {
    w4_dtype type;
    const char* name;
  };
  for (const int64_t m : {1, 3, 5, 64}) {
    const Problem p{.m = m, .n = kN, .k = kK, .g = kG};
    const w4_numerics* n = numerics_at(kernel, p);
    if (n == nullptr) continue;
    if (m == 1) out.texts["numerics.text"] = n->text == nullptr ? "" : n->text;
    for (const auto& [type, name] : {Act{W4_F16, "f16"}, Act{W4_BF16, "bf16"}}) {
      const w4_chain c = n->chain(type, m, kN, kK, kG, kCus);
      out.texts[fmt::format("numerics.chain {} m{}", name, m)] =
          fmt::format("unit {} steps {} chunk {} chunks {} offset {}", static_cast<int>(c.unit),
                      c.steps, c.chunk, c.chunks, c.offset_trick);
      if (m != 1) continue;
      // 0.3 and 1/3 are no numbers of either type: what is rounded shows.
      std::vector<double> weights;
      for (const double q : {0.0, 7.0, 15.0}) weights.push_back(n->weight(type, q, 5, 0.3));
      out.texts[fmt::format("numerics.weight {}", name)] =
          fmt::format("{}", fmt::join(weights, " "));
      std::vector<unsigned> stored;
      for (const double acc : {1.0 / 3, 2049.5, 70000.0}) {
        for (const int bias : {0, 1}) stored.push_back(n->store(type, acc, 0.3, bias));
      }
      out.texts[fmt::format("numerics.store {}", name)] =
          fmt::format("{:04x}", fmt::join(stored, " "));
      out.texts[fmt::format("numerics.gate {}", name)] =
          n->gate == nullptr ? "none" : fmt::format("{:04x}", n->gate(type, 0x3E00, 0x3D55));
    }
  }
}

}  // namespace

Declared declared_by(const w4_kernel& kernel) {
  Declared out;
  out.lists["clause"] = names_in(kernel.clauses);
  out.lists["arch"] = names_in(kernel.archs);
  out.lists["law"] = names_in(kernel.laws);
  std::vector<std::string>& zp = out.lists["zp"];
  for (int32_t i = 0; i < kernel.zp_layout_count; ++i)
    zp.push_back(name_of_zp(kernel.zp_layouts[i]));
  const auto flag = [&](const char* name, bool set, const char* yes, const char* no) {
    out.texts[name] = set ? yes : no;
  };
  flag("weights", kernel.dense_weights != 0, "dense [N,K]", "4-bit, shuffled");
  flag("carrier", kernel.reads_carrier != 0, "read", "none");
  flag("experts", kernel.moe != 0, "a layer of experts", "none");
  flag("assembly", kernel.inline_assembly != 0, "inline, its waits are checked", "none");
  flag("shape", kernel.shape != nullptr, "promised", "not promised");
  add_numerics(kernel, out);
  return out;
}

}  // namespace w4::diff
