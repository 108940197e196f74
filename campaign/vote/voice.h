// What one device says of a case: its verdict and the bits of its output; and what two of them are
// to each other, a closed set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtypes.h"
#include "core/result.h"
#include "core/verdict.h"

namespace w4::vote {

struct Voice {
  Verdict verdict;
  std::vector<uint16_t> out;  // bits of [M,N]; empty where there is none

  // Pass, or a pass that proves little: the output counts.
  bool counts() const;
  bool skipped() const { return verdict.kind() == VerdictKind::skipped; }
};

// In order of precedence.
enum class Agreement : uint8_t {
  skipped,        // one of both has no output for a reason of its own
  red,            // one of both is red, or both are
  equal,          // the same bits; payloads of NaN aside
  instantiation,  // other bits, each within its interval: other kernels ran
  model,          // the same kernels ran, on other arithmetic (fp=)
  unexplained,    // the same kernels on the same arithmetic
};
inline constexpr int kAgreements = static_cast<int>(Agreement::unexplained) + 1;
std::string_view name_of(Agreement a);
std::string_view says_of(Agreement a);

// On input: both are of the same case.
Agreement agreement_of(const Voice& a, const Voice& b, DType type);

// The element whose two values have most representable ones of the type between them.
struct Difference {
  int64_t at = -1;   // element of the output, row by row; -1: no two numbers differ
  int64_t ulps = 0;  // representable values from one to the other; a NaN against a number: largest
  int64_t differ = 0;  // elements whose bits differ
};
// On input: as many elements in both.
Difference difference_of(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b,
                         DType type);

// The answer of a worker with --outputs: the verdict's JSON with one more member, "bits", the
// output in hexadecimal.
std::string answer_of(const Verdict& v, const std::vector<uint16_t>& out);
// The bits of such an answer; none where it has no such member.
Result<std::vector<uint16_t>> bits_in(std::string_view answer);

}  // namespace w4::vote
