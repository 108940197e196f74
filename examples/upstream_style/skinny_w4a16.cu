// A skinny W4A16 GEMM as such files are written for PyTorch: a kernel template, a host launcher
// that checks, and a dispatch over dtype, group size and zero points. It knows nothing of w4check:
//   w4check intake skinny_w4a16.cu --manifest skinny_w4a16.json -o skinny_w4a16.w4m
//   w4check rerun 'skinny_w4a16 m=3 n=64 k=512 g=64 zp=packed module=skinny_w4a16.w4m'
//
// out[m,n] = sum over k of act[m,k] * (q[n,k] - z[n,k/G]) * scale[n,k/G], + bias, M 1 to 5.
//   wei    int32 [N,K/8]: nibbles of a word hold k 0 2 4 6 1 3 5 7
//   zp     none: z = 8; int32 [N/8,K/G]: row n at bits 4*(n mod 8); act dtype [N,K/G]: z itself
//   bias   none, [N], or [1 or M, 1 or N]
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <torch/all.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace {

constexpr int kMaxM = 5;
constexpr int kWave = 32;
constexpr int kWaves = 8;             // of a block, a row of weights each
constexpr int kLdsBytes = 64 * 1024;  // of activations that a block keeps

enum class Zeros { none, packed, unpacked };

int lds_elements() { return kLdsBytes / 2; }

template <typename scalar_t, Zeros kZeros>
__device__ float zero_point(const void* zp, int n, int group, int groups) {
  if constexpr (kZeros == Zeros::packed) {
    const uint32_t word = static_cast<const uint32_t*>(zp)[n / 8 * groups + group];
    return static_cast<float>(word >> 4 * (n % 8) & 15);
  } else if constexpr (kZeros == Zeros::unpacked) {
    return static_cast<float>(static_cast<const scalar_t*>(zp)[n * groups + group]);
  } else {
    return 8.0f;
  }
}

// kInLds: all of act fits into the array; otherwise it is read where it is.
template <typename scalar_t, int kGroup, Zeros kZeros, bool kInLds>
__global__ void __launch_bounds__(kWave* kWaves)
    skinny_w4a16_kernel(const uint32_t* __restrict__ wei, const scalar_t* __restrict__ act,
                        const scalar_t* __restrict__ scale, const void* __restrict__ zp,
                        const scalar_t* __restrict__ bias, scalar_t* __restrict__ out, const int M,
                        const int N, const int K, const int bias_row, const int bias_column) {
  constexpr int kElements = kLdsBytes / sizeof(scalar_t);
  __shared__ __attribute__((aligned(16))) scalar_t kept[kInLds ? kElements : 8];
  const int lane = threadIdx.x;
  if constexpr (kInLds) {
    const int thread = threadIdx.y * kWave + lane;
    for (int i = thread * 8; i < M * K && i < kElements; i += kWave * kWaves * 8) {
      *reinterpret_cast<uint4*>(kept + i) = *reinterpret_cast<const uint4*>(act + i);
    }
    __syncthreads();
  }
  const scalar_t* const a = kInLds ? kept : act;
  const int groups = K / kGroup;
  for (int n = blockIdx.x * kWaves + threadIdx.y; n < N; n += gridDim.x * kWaves) {
    float sum[kMaxM] = {};
    for (int k = lane * 8; k < K; k += kWave * 8) {
      const int group = k / kGroup;
      const float s = static_cast<float>(scale[n * groups + group]);
      const float z = zero_point<scalar_t, kZeros>(zp, n, group, groups);
      const uint32_t word = wei[n * (K / 8) + k / 8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int slot = i % 2 * 4 + i / 2;
        const float w = (static_cast<float>(word >> 4 * slot & 15) - z) * s;
#pragma unroll
        for (int m = 0; m < kMaxM; ++m) {
          if (m < M) sum[m] = fmaf(static_cast<float>(a[m * K + k + i]), w, sum[m]);
        }
      }
    }
#pragma unroll
    for (int m = 0; m < kMaxM; ++m) {
      for (int mask = kWave / 2; mask > 0; mask /= 2) sum[m] += __shfl_xor(sum[m], mask);
      if (lane == 0 && m < M) {
        if (bias != nullptr) sum[m] += static_cast<float>(bias[m * bias_row + n * bias_column]);
        out[m * N + n] = static_cast<scalar_t>(sum[m]);
      }
    }
  }
}

struct Call {
  at::Tensor wei, act, scale, out;
  const void* zp = nullptr;
  const void* bias = nullptr;
  int bias_row = 0, bias_column = 0;  // strides
  int blocks = 0;
};

template <typename scalar_t, int kGroup, Zeros kZeros, bool kInLds>
void launch(const Call& c) {
  const int M = c.act.size(0), K = c.act.size(1), N = c.wei.size(0);
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  skinny_w4a16_kernel<scalar_t, kGroup, kZeros, kInLds>
      <<<dim3(c.blocks), dim3(kWave, kWaves), 0, stream>>>(
          reinterpret_cast<const uint32_t*>(c.wei.data_ptr<int32_t>()), c.act.data_ptr<scalar_t>(),
          c.scale.data_ptr<scalar_t>(), c.zp, static_cast<const scalar_t*>(c.bias),
          c.out.data_ptr<scalar_t>(), M, N, K, c.bias_row, c.bias_column);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename scalar_t, int kGroup, Zeros kZeros>
void for_lds(const Call& c) {
  if (c.act.numel() <= lds_elements()) {
    launch<scalar_t, kGroup, kZeros, true>(c);
  } else {
    launch<scalar_t, kGroup, kZeros, false>(c);
  }
}

template <typename scalar_t, Zeros kZeros>
void for_group(const Call& c, int64_t group_size) {
  switch (group_size) {
    case 32:
      return for_lds<scalar_t, 32, kZeros>(c);
    case 64:
      return for_lds<scalar_t, 64, kZeros>(c);
    default:
      return for_lds<scalar_t, 128, kZeros>(c);
  }
}

// Which of the two contracts a tensor of zero points is written under shows in its dtype.
Zeros contract_of(const std::optional<at::Tensor>& zp, const at::Tensor& act, int64_t N,
                  int64_t groups) {
  if (!zp.has_value()) return Zeros::none;
  TORCH_CHECK(zp->dim() == 2 && zp->is_contiguous(), "zp must be 2-D and contiguous");
  if (zp->scalar_type() == at::kInt) {
    TORCH_CHECK(N % 8 == 0, "N must be divisible by 8 with packed zero points, got ", N);
    TORCH_CHECK(zp->size(0) == N / 8 && zp->size(1) == groups, "packed zp must be [", N / 8, ", ",
                groups, "], got ", zp->sizes());
    return Zeros::packed;
  }
  TORCH_CHECK(zp->dtype() == act.dtype(), "zp must be int32 or ", act.dtype(), ", got ",
              zp->dtype());
  TORCH_CHECK(zp->size(0) == N && zp->size(1) == groups, "zp must be [", N, ", ", groups, "], got ",
              zp->sizes());
  return Zeros::unpacked;
}

}  // namespace

torch::Tensor skinny_w4a16(const at::Tensor& wei, const at::Tensor& act, const at::Tensor& scale,
                           const std::optional<at::Tensor>& zp,
                           const std::optional<at::Tensor>& bias, const int64_t group_size,
                           const int64_t cu_count) {
  TORCH_CHECK(act.dim() == 2 && wei.dim() == 2 && scale.dim() == 2,
              "act, wei and scale must be 2-D");
  const int64_t M = act.size(0), K = act.size(1), N = wei.size(0);
  TORCH_CHECK(act.is_cuda() && wei.is_cuda(), "act and wei must be on the GPU");
  TORCH_CHECK(act.is_contiguous() && wei.is_contiguous() && scale.is_contiguous(),
              "act, wei and scale must be contiguous");
  TORCH_CHECK(M >= 1 && M <= kMaxM, "M must be 1 to ", kMaxM, ", got ", M);
  TORCH_CHECK(act.dtype() == torch::kFloat16 || act.dtype() == torch::kBFloat16,
              "act must be float16 or bfloat16, got ", act.dtype());
  TORCH_CHECK(scale.dtype() == act.dtype(), "scale must be ", act.dtype(), ", got ", scale.dtype());
  TORCH_CHECK(group_size == 32 || group_size == 64 || group_size == 128,
              "group_size must be 32, 64 or 128, got ", group_size);
  TORCH_CHECK(K % group_size == 0, "K must be divisible by group_size ", group_size, ", got ", K);
  const int64_t groups = K / group_size;
  TORCH_CHECK(wei.dtype() == torch::kInt32 && wei.size(1) == K / 8, "wei must be int32 [N, ", K / 8,
              "], got ", wei.sizes());
  TORCH_CHECK(scale.size(0) == N && scale.size(1) == groups, "scale must be [", N, ", ", groups,
              "], got ", scale.sizes());
  TORCH_CHECK(cu_count >= 1 && cu_count <= std::numeric_limits<int>::max(),
              "cu_count must be at least 1 and fit an int, got ", cu_count);
  const Zeros zeros = contract_of(zp, act, N, groups);

  const at::cuda::OptionalCUDAGuard device_guard(device_of(act));
  Call c{wei, act, scale, torch::empty({M, N}, act.options())};
  // No more blocks than have rows to work on.
  c.blocks = static_cast<int>(std::min(cu_count, (N + kWaves - 1) / kWaves));
  if (zp.has_value()) c.zp = zp->data_ptr();
  if (bias.has_value()) {
    TORCH_CHECK(bias->dtype() == act.dtype(), "bias must be ", act.dtype(), ", got ",
                bias->dtype());
    TORCH_CHECK(bias->is_contiguous() && (bias->dim() == 1 || bias->dim() == 2),
                "bias must be contiguous, 1-D or 2-D");
    const int64_t rows = bias->dim() == 2 ? bias->size(0) : 1;
    const int64_t columns = bias->size(-1);
    TORCH_CHECK((rows == 1 || rows == M) && (columns == N || (columns == 1 && bias->dim() == 2)),
                "bias must be [N], or [1 or M, 1 or N], got ", bias->sizes());
    c.bias = bias->data_ptr();
    c.bias_row = rows == 1 ? 0 : static_cast<int>(columns);
    c.bias_column = columns == 1 ? 0 : 1;
  }
  AT_DISPATCH_REDUCED_FLOATING_TYPES(act.scalar_type(), "skinny_w4a16", [&] {
    switch (zeros) {
      case Zeros::none:
        return for_group<scalar_t, Zeros::none>(c, group_size);
      case Zeros::packed:
        return for_group<scalar_t, Zeros::packed>(c, group_size);
      case Zeros::unpacked:
        return for_group<scalar_t, Zeros::unpacked>(c, group_size);
    }
  });
  return c.out;
}
