// Tensor descriptors of a problem, and a device that only remembers what it is told: for tests of
// host code, which reads no data.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

// The call a problem stands for. Tensors have addresses and no memory.
class CallOf {
 public:
  explicit CallOf(const Problem& p);
  CallOf(const CallOf&) = delete;
  const w4_call& call() const { return call_; }
  w4_call& change() { return call_; }
  w4_tensor act{}, wei{}, scale{}, zp{}, bias{}, out{};  // change one, then call() shows it
 private:
  w4_call call_{};
  std::string tile_;
};

class Recorder {
 public:
  explicit Recorder(const char* arch = "gfx1151", Reported reported = {20, 65536});
  Recorder(const Recorder&) = delete;
  w4_device device{};
  Reported reported;
  std::string clause, message;  // of the last refusal
  std::string ran;
  uint64_t allocations = 0;  // of device memory, of which there is none
  struct Copy {
    uint64_t to = 0, from = 0, bytes = 0;
  };
  std::vector<Copy> copies;
  int launches = 0;
  w4_launch last{};  // pointers into it are dead; numbers are not
  std::string symbol;
  std::vector<std::byte> args;
  int launch_result = 0;

 private:
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

}  // namespace w4
