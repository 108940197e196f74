#include "kernels/expectations.h"

namespace w4 {

std::span<const Expectation> expectations() {
  static const Expectation all[] = {decode_expectation(), chunked_expectation(),
                                    prefill_expectation(), moe_expectation(),
                                    moe_prefill_expectation()};
  return all;
}

void needs_dot2(ExpectedKernel& k, std::string_view act) {
  const std::string_view f16 = "v_dot2_f32_f16|v_dot2acc_f32_f16", bf16 = "v_dot2_f32_bf16";
  k.needs.push_back(act == "f16" ? f16 : bf16);
  k.never.push_back(act == "f16" ? bf16 : f16);
}

}  // namespace w4
