// The tests that vLLM has for its hybrid W4A16 kernel, as data: 83 of them, in the order of their
// file (contract.md 17). Shapes and tolerances are theirs; nothing of them is chosen here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"

namespace w4 {

struct UpstreamTest {
  enum class What : uint8_t {
    apply,          // the hybrid op, out close to the reference
    layout,         // the shuffled order of packed weights
    weights,        // weight processing of a compressed-tensors checkpoint
    can_implement,  // whether the layer takes this group size
    direct,         // the decode op called by itself
  } what = What::apply;
  std::string name;  // "apply f16 g32 symmetric m1"
  Problem problem{};
  double rtol = 0, atol = 0;  // of apply and direct
  bool legal = true;          // of can_implement: what it has to answer
};

// `zp`: the encoding of zero points: `packed` in the op's contract, `unpacked` in the file as it
// was merged with these 83 tests (contract.md 5). On input: not `none`.
std::vector<UpstreamTest> upstream_tests(ZpMode zp);

}  // namespace w4
