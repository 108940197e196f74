// Stand-in for vLLM's header of this name; the environment does not reach a case.
#pragma once

namespace vllm {
inline bool vllm_is_batch_invariant() { return false; }
}  // namespace vllm
