// What the kernels of fake modules have in common: the product in double from a FakeDevice's
// memory, preparation that copies, clauses and numerics.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/module.h"
#include "tests/verify/fake_device.h"

namespace w4::test {

// The sum of row m and column n over k in [0, end), with its bias; and its rounding to act's type.
double fake_sum(FakeDevice& d, const w4_call& c, int64_t m, int64_t n, int64_t end);
uint16_t fake_element(FakeDevice& d, const w4_call& c, int64_t m, int64_t n);
double fake_zero_point(FakeDevice& d, const w4_call& c, int64_t n, int64_t g);
double fake_act(FakeDevice& d, const w4_call& c, int64_t m, int64_t k);

int fake_refuse(const w4_device* d, const char* clause, const std::string& message);
// Weight and scale strides, G, K in groups, M from 1 to 5.
int fake_check(const w4_call* c, const w4_device* d);
int fake_prepare(const w4_kernel* self, const w4_source* s, const w4_device* d, w4_prepared* out);

// Everything that all fake kernels have alike; accept and run are the caller's.
w4_kernel fake_kernel(const char* name);

}  // namespace w4::test
