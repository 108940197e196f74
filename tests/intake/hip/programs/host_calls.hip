// What a program may ask of the runtime besides launches, one question a name: the argument says
// which. Prints the name of the error, or what came out.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__constant__ int scale[4];
__device__ int counter = 5;

__global__ void masked(const int* in, int* out, int mask) {
  out[threadIdx.x] += (in[threadIdx.x] & mask) + 1;
}
__global__ void top_byte(const unsigned* in, volatile int* out) {
  out[threadIdx.x + 32] += 1;
  out[threadIdx.x] += static_cast<int>(in[threadIdx.x] >> 24) + 1;
}
__global__ void count(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = scale[2] * 10 + atomicAdd(&counter, 1);
}
__global__ void uses_dynamic(int* out) {
  extern __shared__ int part[];
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

static const char* name(hipError_t e) { return hipGetErrorName(e); }

int main(int, char** argv) {
  const std::string what = argv[1];
  int *a, *b, host[64] = {};
  if (hipMalloc(&a, 256) != hipSuccess || hipMalloc(&b, 256) != hipSuccess) return 9;
  const auto zero = [](int* p) { (void)hipMemset(p, 0, 256); };
  hipError_t e = hipSuccess;
  if (what == "past_end") {
    e = hipMemcpy(host, a + 1, 256, hipMemcpyDeviceToHost);
  } else if (what == "overlap") {
    e = hipMemcpy(a, a + 8, 64, hipMemcpyDeviceToDevice);
  } else if (what == "wrong_kind") {
    e = hipMemcpy(a, host, 256, hipMemcpyDeviceToHost);
  } else if (what == "freed") {
    (void)hipFree(b);
    e = hipMemcpy(host, b, 4, hipMemcpyDeviceToHost);
  } else if (what == "freed_twice") {
    (void)hipFree(b);
    e = hipFree(b);
  } else if (what == "default_kind") {
    host[3] = 7;
    e = hipMemcpy(a, host, 256, hipMemcpyDefault);
    std::memset(host, 0, sizeof host);
    if (e == hipSuccess) e = hipMemcpy(b, a, 256, hipMemcpyDefault);
    if (e == hipSuccess) e = hipMemcpy(host, b, 256, hipMemcpyDefault);
    std::printf("%d\n", host[3]);
  } else if (what == "rows") {
    zero(a);
    for (int i = 0; i < 64; ++i) host[i] = i;
    e = hipMemcpy2D(a, 32, host, 64, 8, 4, hipMemcpyHostToDevice);
    int back[64];
    (void)hipMemcpy(back, a, 256, hipMemcpyDeviceToHost);
    std::printf("%d %d %d %d\n", back[0], back[1], back[2], back[9]);
  } else if (what == "huge_pinned") {
    e = hipHostMalloc(reinterpret_cast<void**>(&b), ~size_t{0}, 0);
  } else if (what == "huge_pitch") {
    size_t pitch;
    e = hipMallocPitch(reinterpret_cast<void**>(&b), &pitch, ~size_t{0}, 2);
    if (e == hipErrorOutOfMemory)
      e = hipMallocPitch(reinterpret_cast<void**>(&b), &pitch, 1 << 20, size_t{1} << 44);
  } else if (what == "past_pinned") {
    (void)hipHostMalloc(reinterpret_cast<void**>(&b), 16, 0);
    e = hipMemset(b, 0, 16);
    if (e == hipSuccess) e = hipMemset(b + 2, 0, 9);
  } else if (what == "managed") {
    e = hipMallocManaged(&b, 64);
  } else if (what == "missing") {
    (void)hipDeviceReset();
  } else if (what == "stale_stream") {
    hipStream_t s;
    (void)hipStreamCreate(&s);
    (void)hipStreamDestroy(s);
    e = hipMemsetAsync(a, 0, 4, s);
  } else if (what == "top_byte") {  // all that is written of each word
    zero(b);
    (void)hipMemcpy2D(reinterpret_cast<char*>(a) + 3, 4, host, 4, 1, 64, hipMemcpyHostToDevice);
    top_byte<<<1, 32>>>(reinterpret_cast<unsigned*>(a), b);
    e = hipMemcpy(host, b, 256, hipMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[63]);
  } else if (what == "variables") {
    const int values[4] = {1, 2, 3, 4};
    e = hipMemcpyToSymbol(HIP_SYMBOL(scale), values, sizeof values);
    count<<<2, 32>>>(a);
    (void)hipMemcpy(host, a, 8, hipMemcpyDeviceToHost);
    int now = 0;
    (void)hipMemcpyFromSymbol(&now, HIP_SYMBOL(counter), sizeof now);
    std::printf("%d, %d\n", now, host[0] + host[1]);
    if (e == hipSuccess) e = hipMemcpyToSymbol(HIP_SYMBOL(scale), values, sizeof values, 4);
  } else if (what == "dynamic") {
    uses_dynamic<<<1, 64, 256>>>(a);
    e = hipMemcpy(host, a, 256, hipMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[63]);
  } else if (what == "dynamic_short") {
    uses_dynamic<<<1, 64, 128>>>(a);  // and nobody looks at any error
    return 0;
  } else if (what == "own_status") {
    uses_dynamic<<<1, 64, 128>>>(a);
    return 7;
  } else if (what == "after_failure") {
    uses_dynamic<<<1, 64, 128>>>(a);
    std::printf("%s\n", name(hipGetLastError()));
    e = hipMalloc(&b, 4);
  } else if (what == "host_pointer") {
    int* pinned;
    (void)hipHostMalloc(&pinned, 256, 0);
    masked<<<1, 64>>>(pinned, a, 0);
    e = hipGetLastError();
  } else if (what == "zero_grid") {
    zero(a);
    masked<<<0, 64>>>(a, a, 0);
    e = hipGetLastError();
    if (hipMalloc(&b, 4) != hipSuccess) std::printf("sticky\n");
  } else if (what == "occupancy") {
    int blocks = 0;
    e = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, uses_dynamic, 1024, 60000);
    std::printf("%d\n", blocks);
    e = hipFuncSetAttribute(reinterpret_cast<const void*>(uses_dynamic),
                            hipFuncAttributeMaxDynamicSharedMemorySize, 70000);
  } else {
    return 8;
  }
  std::printf("%s\n", name(e));
  return 0;
}
