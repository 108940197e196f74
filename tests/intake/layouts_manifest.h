// Manifests of layouts.hip: a GEMV that reads its operands in any layout.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/intake/written_module.h"

namespace w4::test {

inline void put_layouts_object(const WrittenModule& folder) {
  std::ifstream in(W4_LAYOUTS_OBJECT, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  folder.object("layouts.co", {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

// `wei`: a layout; `scale`: the arguments scale and zp; `zp`: choices of the enumerator's number.
inline std::string gemv_manifest(const std::string& wei, const std::string& scale,
                                 const std::string& zp) {
  return fmt::format(R"text({{
  "w4_manifest": 1, "objects": {{"gfx1151": "layouts.co"}},
  "kernels": [{{
    "name": "gemv",
    "symbol": {{"pattern": "layouts::gemv<{{T}}, (layouts::Wei){{WEI}}, (layouts::Zeros){{ZP}}, {{G}}>"}},
    "bind": {{
      "T": [{{"when": "act_bf16", "text": "w4::device::Bf16"}}, {{"text": "_Float16"}}],
      "WEI": [{{"text": "{0}"}}], "ZP": [{2}]
    }},
    "args": [
      {{"tensor": "act", "layout": "dense"}}, {{"tensor": "wei", "layout": "{3}"}},
      {1}
      {{"tensor": "bias", "layout": "dense"}}, {{"tensor": "out", "layout": "dense"}},
      {{"workspace": "4*M*N", "zeroed": true}}, {{"u32": "N"}}, {{"i32": "K"}}, {{"i32": "lda"}},
      {{"i32": "wei_stride"}}, {{"i32": "scale_stride"}}, {{"i32": "zp_stride"}}, {{"i32": "ldy"}},
      {{"i64": "bias_m_stride"}}, {{"i64": "bias_n_stride"}}, {{"f32": 1}}
    ],
    "grid": ["ceil_div(N, 64)", "M", 1], "block": [64, 1, 1],
    "clauses": ["align.scale", "align.out", "align.zp", "align.bias", "align.weight"],
    "numerics": {{"weight": "product_exact", "chain": "fma_f32", "store": "round_once"}}
  }}]
}})text",
                     wei == "sequential" ? 0
                     : wei == "awq"      ? 1
                     : wei == "gptq"     ? 2
                     : wei == "shuffled" ? 3
                                         : 4,
                     scale, zp, wei);
}

inline std::string scale_and_zp(const std::string& scale, const std::string& zp) {
  return fmt::format(R"({{"tensor": "scale", "layout": "{}"}}, {},)", scale, zp);
}
inline std::string zp_arg(const std::string& layout, bool optional = false) {
  return fmt::format(R"({{"tensor": "zp", "layout": "{}", "optional": {}}})", layout, optional);
}

}  // namespace w4::test
