#include "verify/module_numerics.h"

#include <fmt/format.h>

#include "intake/check_table.h"
#include "verify/materialise.h"

namespace w4 {

const w4_numerics& declared_numerics(const w4_kernel& kernel, const Problem& p) {
  if (kernel.numerics_of == nullptr) return *kernel.numerics;
  return *kernel.numerics_of(&kernel, p.experts > 0 ? p.blockm : p.m, p.n, p.k, p.g);
}

std::optional<std::string> wrong_numerics(const w4_kernel& kernel, const Problem& p, int64_t cus) {
  const int64_t m = p.experts > 0 ? p.blockm : p.m;
  if (m <= 0) return std::nullopt;
  const w4_numerics* declared = kernel.numerics;
  if (kernel.numerics_of != nullptr) {
    declared = kernel.numerics_of(&kernel, m, p.n, p.k, p.g);
    if (declared == nullptr) return "numerics_of() gave NULL";
    if (auto right = check_numerics(declared); !right) {
      return "numerics_of() gave numerics with " + right.error().text;
    }
  }
  const w4_chain c = declared->chain(to_module(p.act), m, p.n, p.k, p.g, cus);
  if (c.unit < W4_UNIT_FMA32 || c.unit > W4_UNIT_WMMA || c.steps < 0 || c.chunk < 0 ||
      c.chunks < 0) {
    return fmt::format(
        "chain() gave unit {}, steps {}, chunk {}, chunks {}; legal: a w4_unit and "
        "no negative number",
        static_cast<int>(c.unit), c.steps, c.chunk, c.chunks);
  }
  return std::nullopt;
}

ModuleNumerics::ModuleNumerics(const w4_numerics& declared, w4_dtype act, int64_t m, int64_t n,
                               int64_t k, int64_t g, int64_t cus)
    : declared_(declared), act_(act) {
  const w4_chain c = declared.chain(act, m, n, k, g, cus);
  chain_.unit = static_cast<Chain::Unit>(c.unit);
  chain_.steps = c.steps;
  chain_.chunk = c.chunk;
  chain_.chunks = c.chunks;
  chain_.offset_trick = c.offset_trick != 0;
}

void ModuleNumerics::weights(double z, double s, std::span<double, 16> out) const {
  for (int q = 0; q < 16; ++q) out[static_cast<size_t>(q)] = declared_.weight(act_, q, z, s);
}

uint16_t ModuleNumerics::store(double acc, double bias, bool has_bias) const {
  return declared_.store(act_, acc, bias, has_bias ? 1 : 0);
}

}  // namespace w4
