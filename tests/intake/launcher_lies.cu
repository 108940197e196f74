// Launchers around one right kernel, out = act * wei^T for dense fp16 weights: some return what the
// kernel computed, the others something that looks like it. What becomes of each is in
// launcher_lies_test.cpp, their manifest too.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <torch/all.h>

__global__ void gemm(const _Float16* wei, const _Float16* act, _Float16* out, int M, int N, int K) {
  const int n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y;
  if (n >= N || m >= M) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) {
    sum =
        __builtin_fmaf(static_cast<float>(act[m * K + k]), static_cast<float>(wei[n * K + k]), sum);
  }
  out[m * N + n] = static_cast<_Float16>(sum);
}

// The first `rows` rows of the output.
static void compute(const at::Tensor& wei, const at::Tensor& act, const at::Tensor& out, int rows) {
  const auto at = [](const at::Tensor& t) { return static_cast<_Float16*>(t.data_ptr()); };
  const int K = act.size(1), N = wei.size(0);
  gemm<<<dim3((N + 31) / 32, act.size(0)), 32>>>(at(wei), at(act), at(out), rows, N, K);
}
static void compute(const at::Tensor& wei, const at::Tensor& act, const at::Tensor& out) {
  compute(wei, act, out, act.size(0));
}
static at::Tensor output(const at::Tensor& wei, const at::Tensor& act) {
  return torch::empty({act.size(0), wei.size(0)}, act.options());
}

#define OPERATOR(NAME) at::Tensor NAME(const at::Tensor& wei, const at::Tensor& act)

OPERATOR(plain) {
  auto out = output(wei, act);
  compute(wei, act, out);
  return out;
}
OPERATOR(second_tensor) {
  auto scratch = output(wei, act), out = output(wei, act);
  compute(wei, act, out);
  return out;
}
OPERATOR(recycled) {
  {
    auto scratch = output(wei, act);
    compute(wei, act, scratch);
  }
  return plain(wei, act);
}
OPERATOR(looks_at_result) {
  auto out = plain(wei, act);
  const auto first = static_cast<float>(out.select(0, 0).narrow(0, 0, 1).item<c10::Half>());
  TORCH_CHECK(first == first, "the result is not a number");
  return out;
}

// A workspace that lives from call to call.
OPERATOR(keeps_workspace) {
  static at::Tensor kept;
  if (!kept.defined() || kept.size(0) < act.size(0))
    kept = torch::zeros({act.size(0), wei.size(0)}, act.options());
  auto out = output(wei, act);
  compute(wei, act, kept);
  hipMemcpy(out.data_ptr(), kept.data_ptr(), out.nbytes(), hipMemcpyDeviceToDevice);
  return out;
}

// Memory of the output's size held the right values when it was freed.
OPERATOR(recycled_last_row) {
  {
    auto scratch = output(wei, act);
    compute(wei, act, scratch);
  }
  auto out = output(wei, act);
  compute(wei, act, out, act.size(0) - 1);
  return out;
}
OPERATOR(recycled_only) {
  {
    auto scratch = output(wei, act);
    compute(wei, act, scratch);
  }
  return output(wei, act);
}
OPERATOR(second_tensor_last_row) {
  auto scratch = output(wei, act), out = output(wei, act);
  compute(wei, act, scratch);
  compute(wei, act, out, act.size(0) - 1);
  return out;
}
OPERATOR(frees_result) {
  auto out = plain(wei, act);
  hipFree(out.data_ptr());
  return out;
}
OPERATOR(writes_weights) {
  auto out = plain(wei, act);
  hipMemset(wei.data_ptr(), 0, 16);
  return out;
}
OPERATOR(frees_weights) {
  auto out = plain(wei, act);
  hipFree(wei.data_ptr());
  return out;
}
OPERATOR(ignores_failed_copy) {
  auto out = plain(wei, act);
  hipMemcpy(out.data_ptr(), act.data_ptr(), out.nbytes(), hipMemcpyHostToDevice);
  return out;
}
OPERATOR(ignores_failed_launch) {
  auto out = plain(wei, act);
  gemm<<<dim3(0), 32>>>(nullptr, nullptr, nullptr, 0, 0, 0);
  return out;
}

void writes_argument(const at::Tensor& wei, const at::Tensor& act, at::Tensor& out) {
  compute(wei, act, out);
}
at::Tensor returns_another(const at::Tensor& wei, const at::Tensor& act, at::Tensor& out) {
  return plain(wei, act);
}
