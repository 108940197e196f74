// The built-in decode kernel's code under a manifest: templates in all but name, strides passed,
// three zero-point forms, an LDS array of a fixed size. One object holds one group size.
#pragma once

#include <string>

namespace w4::test {

inline std::string decode_manifest() {
  return R"text({
  "w4_manifest": 1,
  "objects": {"gfx1151": "decode.co"},
  "kernels": [{
    "name": "w4_decode",
    "symbol": [
      {"pattern": "w4_decode_{FORM}_m{M}_y{M == 1 ? 1 : 2}_u{M == 1 ? 4 : 2}_g{G}_f16_{ZP}"}
    ],
    "bind": {
      "FORM": [{"when": "K*M <= 32768 && N % (M == 1 ? 1 : 2) == 0", "text": "small"},
               {"text": "medium"}],
      "ZP": [{"when": "zp_packed", "text": "packed"}, {"when": "has_zp", "text": "unpacked"},
             {"text": "symmetric"}]
    },
    "args": [
      {"tensor": "act", "layout": "dense"},
      {"tensor": "wei", "layout": "shuffled"},
      {"tensor": "scale", "layout": "dense"},
      {"tensor": "zp", "layout": ["packed", "unpacked"], "optional": true},
      {"tensor": "bias", "layout": "dense"},
      {"tensor": "out", "layout": "dense"},
      {"i64": "wei_stride"}, {"i64": "scale_stride"},
      {"i64": "bias_n_stride"}, {"i64": "bias_m_stride"}, {"i64": "ldy"},
      {"u32": "N"}, {"u32": "K"}, {"u32": 16},
      {"u32": "CUS * 16 * (M == 1 ? 1 : 2)"}, {"u32": "N - min(N, M == 1 ? 1 : 2)"}
    ],
    "grid": ["CUS", 1, 1], "block": [32, 16, 1],
    "clauses": ["m.range", "k.step", "cus.positive", "lds.device", "align.act", "align.weight",
                "align.scale", "align.zp", "align.bias", "align.out"],
    "numerics": {"of": "decode"},
    "laws": ["permute_n", "repeat"]
}]
})text";
}

}  // namespace w4::test
