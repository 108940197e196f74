// What `w4check bench` is asked: which calls, and how they are timed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace w4::bench {

struct Asked {
  std::string device;
  std::vector<std::string> kernels;  // empty: what the layer's route takes at that M
  std::vector<std::string> shapes;   // layers of `model`, or NxK
  std::string model;
  std::vector<int64_t> m;  // empty: 1 to 5; 64 and 512 for prefill, moe_prefill and hybrid
  int64_t g = 128;
  std::vector<std::string> act, zp;
  int64_t experts = 8, topk = 2;  // of kernels with experts
  std::vector<std::string>
      lines;  // case lines, on `device`; shapes and the like are not asked then
};

struct Clock {
  int samples = 7;             // of each figure
  double floor = 0.2;          // seconds that all samples of a figure measure together, at least
  uint64_t cold = 512u << 20;  // bytes of operands that cold calls go over in turn
  int64_t most_copies = 256;
  uint64_t copy = uint64_t{1} << 30;  // bytes of the device's own copy; 0: none
};

}  // namespace w4::bench
