#include "kernels/expectations.h"

namespace w4 {

std::span<const Expectation> expectations() {
  static const Expectation all[] = {decode_expectation()};
  return all;
}

}  // namespace w4
