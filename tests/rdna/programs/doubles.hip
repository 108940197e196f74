// fp64 arithmetic and conversions. Answers: doubles.cpp.
#include "tests/rdna/programs/elementwise.h"

MAP2(add_multiply_f64, double, double, double, (a + b) * (a - b) + a * b)
MAP2(divide_f64, double, double, double, a / b)
MAP1(root_f64, double, double, __builtin_sqrt(a))
MAP3(fused_f64, double, double, double, double, __builtin_fma(a, -b, c))
MAP1(roundings_f64, double, double, __builtin_floor(a) + __builtin_ceil(a) * 3.0 + __builtin_trunc(a) * 5.0 + __builtin_rint(a) * 7.0)
MAP2(min_max_f64, double, double, double, __builtin_fmin(a, b) + __builtin_fmax(a, b) * 0.5)
MAP2(compare_f64, u32, double, double,
     (a < b ? 1u : 0) | (a <= b ? 2u : 0) | (a == b ? 4u : 0) | (a != b ? 8u : 0) | (!(a > b) ? 16u : 0) | (__builtin_isunordered(a, b) ? 32u : 0))
MAP1(classify_f64, u32, double, (__builtin_isnan(a) ? 1u : 0) | (__builtin_isinf(a) ? 2u : 0) | (__builtin_isnormal(a) ? 4u : 0) | (__builtin_signbit(a) ? 8u : 0))
MAP1(narrow_f64, float, double, a)
MAP1(widen_f32, double, float, static_cast<double>(a) * 3.0)
MAP1(f64_to_i32, i32, double, a)
MAP1(f64_to_u32, u32, double, a)
MAP1(f64_to_i64, i64, double, a)
MAP1(f64_to_u64, u64, double, a)
MAP1(f64_from_i32, double, i32, static_cast<double>(a) + static_cast<double>(static_cast<u32>(a)) * 0.5)
MAP1(f64_from_i64, double, i64, a)
MAP1(f64_from_u64, double, u64, a)
MAP2(scale_f64, double, double, i32, __builtin_ldexp(a, b))
MAP1(split_f64, double, double, [](double x) {
  int e = 0;
  const double m = __builtin_frexp(x, &e);
  return m + e * 4.0;
}(a))

extern "C" __global__ void integrate(const double* a, double* out) {
  double x = a[global_id()], v = 0;
  for (int i = 0; i < 50; ++i) {
    v -= x * 0.01;
    x += v * 0.01;
  }
  out[global_id()] = x + v / 3.0;
}
