// A launcher that asks the device how much LDS there is, and a kernel whose array is 64 KiB all the
// same: the defect this project was founded on, as host code does it.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kArray = 16384;  // floats, 64 KiB

__global__ void sum_in_lds(const float* in, float* out, int k) {
  __shared__ float row[kArray];
  for (int i = threadIdx.x; i < k; i += blockDim.x) row[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < k; i += 512) sum += row[i];
    out[0] = sum;
  }
}

int main() {
  hipDeviceProp_t device;
  if (hipGetDeviceProperties(&device, 0) != hipSuccess) return 2;
  const int k = 18432;
  if (k * sizeof(float) > device.sharedMemPerBlock) {
    std::printf("too long for LDS\n");
    return 0;
  }
  std::vector<float> in(k, 1.0f);
  float *in_d, *out_d, out = 0;
  if (hipMalloc(&in_d, k * sizeof(float)) != hipSuccess || hipMalloc(&out_d, 4) != hipSuccess)
    return 2;
  if (hipMemcpy(in_d, in.data(), k * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) return 2;
  sum_in_lds<<<1, 256>>>(in_d, out_d, k);
  (void)hipMemcpy(&out, out_d, 4, hipMemcpyDeviceToHost);
  std::printf("%g\n", out);
  return 0;
}
