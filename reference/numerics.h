// A numerics declaration as the references execute it: every elementwise rounding that a kernel
// makes, and the shape of its accumulation. What the order of accumulation leaves open is the bound
// of bound.h; nothing else is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace w4 {

struct Chain {
  enum class Unit : uint8_t { fma32, dot2, wmma } unit = Unit::dot2;
  int steps = 0;  // roundings on the longest path from a product to the stored sum
  // A. dot2: elements per lane from scale to scale, 0: scaled weights. wmma: products that enter it
  // together, such steps following each other along K; 0 where their order is not known.
  int chunk = 0;
  int chunks = 0;             // chunks per lane on the longest path
  bool offset_trick = false;  // sums a*(128+q), subtracts (128+z)*sum(a) per chunk
};

class Numerics {
 public:
  virtual ~Numerics() = default;
  // out[q] = the value that multiplies an activation where the code is q, exact in double.
  virtual void weights(double z, double s, std::span<double, 16> out) const = 0;
  // The bits written for an accumulated sum. Monotone in `acc`.
  virtual uint16_t store(double acc, double bias, bool has_bias) const = 0;
  virtual Chain chain() const = 0;
};

// The arithmetic model of the device's dot products and matrix instructions (rdna/fp_model.h).
// cuda: NVIDIA's matrix units and the portable dot product (kernels/device_cuda.h); of a GPU only.
enum class Arithmetic : uint8_t { ieee, gfx1151, gfx1201, cuda };

std::string_view name_of(Arithmetic a);  // as fp= has it: "gfx1151"

// The model that a resolved `fp=` names; ieee where it names none.
Arithmetic arithmetic_from(std::string_view fp);

}  // namespace w4
