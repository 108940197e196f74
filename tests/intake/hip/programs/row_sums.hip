// A small HIP program as people write them; nothing in it knows of w4check. Sums the rows of a
// matrix [M,K] in LDS and prints them. The tests build it whole and with one defect each: DEFECT 1
// reads a row too many, 2 lacks a barrier, 3 does not copy the input, 4 looks at no error.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#ifndef DEFECT
#define DEFECT 0
#endif

#define CHECK(call)                                                              \
  do {                                                                           \
    const hipError_t e_ = (call);                                                \
    if (e_ != hipSuccess && DEFECT != 4) {                                       \
      std::printf("%s: %s (%s)\n", #call, hipGetErrorName(e_), hipGetErrorString(e_)); \
      return 1;                                                                  \
    }                                                                            \
  } while (0)

constexpr int kThreads = 128;

__global__ void row_sums(const float* in, float* out, int k) {
  __shared__ float part[kThreads];
  float sum = 0;
  const size_t row = blockIdx.x + (DEFECT == 1 ? 1 : 0);
  for (int i = threadIdx.x; i < k; i += kThreads) sum += in[row * k + i];
  part[threadIdx.x] = sum;
  if (DEFECT != 2) __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
  hipDeviceProp_t device;
  CHECK(hipGetDeviceProperties(&device, 0));
  std::printf("%s: %d multiprocessors, %zu bytes of LDS, wave%d\n", device.gcnArchName,
              device.multiProcessorCount, device.sharedMemPerBlock, device.warpSize);
  const int m = 3, k = 1000;
  std::vector<float> in(m * k), out(m);
  for (int i = 0; i < m * k; ++i) in[i] = static_cast<float>(i % 7 + i / k);
  float *in_d, *out_d;
  CHECK(hipMalloc(&in_d, in.size() * sizeof(float)));
  CHECK(hipMalloc(&out_d, out.size() * sizeof(float)));
  if (DEFECT != 3)
    CHECK(hipMemcpy(in_d, in.data(), in.size() * sizeof(float), hipMemcpyHostToDevice));
  row_sums<<<m, kThreads>>>(in_d, out_d, k);
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());
  CHECK(hipMemcpy(out.data(), out_d, out.size() * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipFree(in_d));
  CHECK(hipFree(out_d));
  for (const float x : out) std::printf("%g\n", x);
  return 0;
}
