// Scalar integer instructions of SGPR words and SCC as the ISA documents write them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace w4::rdna::test::salu {

struct Out {
  uint64_t d;
  int scc;  // -1: unchanged
};
struct Case {
  const char* mnemonic;
  bool wide_a, wide_b, wide_d;  // 64 bits
  int sources;
  std::function<Out(uint64_t a, uint64_t b, bool scc)> f;  // a compare gives no d
};
std::span<const Case> cases();

}  // namespace w4::rdna::test::salu
