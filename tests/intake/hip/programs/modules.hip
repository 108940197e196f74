// Launches through hipModuleLoad: argv[1] is the file, argv[2] the form of the arguments.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

int main(int, char** argv) {
  hipModule_t module;
  hipFunction_t function;
  if (const hipError_t e = hipModuleLoad(&module, argv[1]); e != hipSuccess) {
    std::printf("%s\n", hipGetErrorName(e));
    return 1;
  }
  if (hipModuleGetFunction(&function, module, "nothing") != hipErrorNotFound) return 2;
  if (hipModuleGetFunction(&function, module, "vector_add") != hipSuccess) return 2;
  float host[64], *a, *b, *c;
  for (int i = 0; i < 64; ++i) host[i] = static_cast<float>(i);
  for (float** p : {&a, &b, &c}) {
    if (hipMalloc(p, sizeof host) != hipSuccess) return 3;
    if (hipMemcpy(*p, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 3;
  }
  int n = 60;
  void* params[] = {&a, &b, &c, &n};
  struct {
    float *a, *b, *c;
    int n;
  } args{a, b, c, n};
  size_t bytes = sizeof args;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &args, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  hipError_t e = hipErrorUnknown;
  if (!std::strcmp(argv[2], "params"))
    e = hipModuleLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr);
  if (!std::strcmp(argv[2], "extra"))
    e = hipModuleLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra);
  if (!std::strcmp(argv[2], "items"))
    e = hipExtModuleLaunchKernel(function, 64, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr);
  if (!std::strcmp(argv[2], "part"))
    e = hipExtModuleLaunchKernel(function, 60, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr);
  (void)hipMemcpy(host, c, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%s %g %g %g\n", hipGetErrorName(e), host[1], host[59], host[60]);
  return hipModuleUnload(module) != hipSuccess;
}
