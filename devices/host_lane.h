// What device code compiled for the CPU asks of the lane it runs in, and how its kernels are handed
// over: the code object of the arch "host". Included by such code (kernels/device_host.h) and by
// the host device, which run in one address space; nothing of it is linked between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace w4 {

struct HostLane;

enum class HostType : uint32_t { f16, bf16 };

// What a lane brings to a product of 16 x 16 tiles: bits of the elements k = 8 * (lane / 16) + 0..7
// of row lane % 16 of A and of column lane % 16 of B.
struct HostMatrix {
  HostType type;
  uint16_t a[8], b[8];
};

// The two kinds of wait are rendezvous: a lane that does not come ends the launch with a finding.
struct HostOps {
  // Waits for the other lanes of the wave; all must name the same `what`, a string literal. The 32
  // values that they brought, by lane, until this lane's next wait.
  const uint32_t* (*exchange)(HostLane& lane, const char* what, uint32_t value);
  // Waits for the workgroup. Waves that have ended do not count, as on the hardware.
  void (*barrier)(HostLane& lane);
  // The workgroup's array of that tag (the address of a static variable), aligned to 16 bytes.
  void* (*shared)(HostLane& lane, const void* tag, size_t bytes);
  // acc + a.x*b.x + a.y*b.y by the arithmetic model of the launch; pairs with x in the low half.
  float (*dot2_f16)(uint32_t a, uint32_t b, float acc);
  float (*dot2_bf16)(uint32_t a, uint32_t b, float acc);
  // acc += A * B by the arithmetic model of the launch, all lanes of the wave together: an
  // exchange. acc[i] is row i + 8 * (lane / 16) of column lane % 16.
  void (*multiply_add)(HostLane& lane, const char* what, const HostMatrix& ab, float (&acc)[8]);
};

struct HostLane {
  const HostOps* ops;
  uint32_t id[3];     // in the workgroup
  uint32_t group[3];  // in the grid
};

struct HostKernel {
  const char* symbol;
  size_t arg_bytes;
  void (*run)(HostLane& lane, const void* args);  // one lane, from its start to its end
};

inline constexpr uint64_t kHostObject = 0x77345f686f737430;  // tells it from an ELF file

// w4_launch::object points at one where the arch of the device is "host".
struct HostObject {
  uint64_t magic;
  const HostKernel* kernels;
  size_t count;
};

}  // namespace w4
