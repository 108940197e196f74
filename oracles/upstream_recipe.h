// What the tests that vLLM has for its hybrid W4A16 kernel (oracles/upstream_tests.h) say of a
// module, run for real: its own preparation, its own host code, its machine code on the emulated
// device; of what happens, only what such a test sees counts: the numbers that come back, a
// refusal, a launch that fails or never ends. The emulator's checks are off, the output lies on
// fresh pages (zeros), a read outside of every buffer gives zeros.
//
// The reference is theirs: (q - z) s in fp32, an fp32 product, bias added in fp32, one rounding to
// T (eigen_reference); close is torch.testing.assert_close.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/case.h"
#include "kernels/selection.h"
#include "oracles/upstream_tests.h"
#include "verify/context.h"

namespace w4 {

struct RecipeOptions {
  std::string device = "gfx1151";
  uint64_t seed = 0;
  std::string apply = "hybrid", direct = "decode";  // kernels that stand for the two ops
  // Encoding of zero points; where the kernel does not declare it, the other one.
  ZpMode zp = ZpMode::packed;
  // Who gets the layer: the entry for `apply` has to say of group sizes what the kernel says; null:
  // the kernel is asked alone.
  const SelectionTable* selection = nullptr;
  bool fail_fast = false;
  std::function<bool()> stop{};  // asked between tests
};

struct RecipeTest {
  // not_run: there is no such kernel, the kernel refuses the call as its own clauses say, or the
  // emulator lacks an instruction.
  enum class Status : uint8_t { passed, failed, not_run } status = Status::passed;
  std::string name;
  std::string why;  // of failed and not_run
  Case line;        // the call; its fill is not the test's data
};

struct RecipeResult {
  std::vector<RecipeTest> tests;
  int64_t count(RecipeTest::Status s) const;
  bool caught() const { return count(RecipeTest::Status::failed) > 0; }
};

// `module`: as Case has it. Errors: no such module or device.
Result<RecipeResult> run_upstream_recipe(const std::string& module, Context& context,
                                         const RecipeOptions& options = {});

}  // namespace w4
