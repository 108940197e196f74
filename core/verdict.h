// What became of a case: a closed set, each member with its own fields and its own print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/drift.h"
#include "core/finding.h"

namespace w4 {

// In order of precedence: the primary verdict of a case is the first that applies (design.md).
enum class VerdictKind : uint8_t {
  harness_error,
  crash,
  timeout,
  unsupported,
  finding,
  law_broken,
  mismatch,
  accepted,
  refused,
  mistrusted,
  skipped,
  pass,
};
std::string_view name_of(VerdictKind k);
std::optional<VerdictKind> verdict_kind_from(std::string_view name);

enum class SkipReason : uint8_t {
  no_device,
  no_code_object,
  too_large,
  not_supported_by_kernel,
  interrupted
};
std::string_view name_of(SkipReason r);

struct Worst {  // one output element against its interval
  int64_t m = -1, n = -1;
  double got = 0, low = 0, high = 0;  // legal interval of stored values
  double twin = 0;                    // declared twin y~ before the store
  double bound = 0;                   // B
  double ratio = 0;                   // (y - y~)/B, signed
};

struct Pass {
  Worst worst;
  double headroom = 0;  // max |y - y~|/B over elements
  // In how many elements an error as large as B would show through the rounding of the store: sum
  // of B in ulps of the output, at most 1 each. Below 1 a headroom of 0 says nothing.
  double exposure = 0;
  Drift drift{};  // of random fills; otherwise without outputs
};
struct Mismatch {
  Worst worst;
  int64_t count = 0, total = 0;
  std::string pattern;  // which rows, columns, lanes: one sentence
};
struct LawBroken {
  std::string law, first_line, second_line;
  int64_t m = -1, n = -1;
  std::string detail;
};
struct Found {
  std::vector<Finding> findings;
};
struct Accepted {
  std::string clause, message;
};  // the clause that was broken, and the call still ran
struct Refused {
  std::string clause, message;
  bool expected = false;  // the case breaks that clause
  bool untouched = true;  // no output byte was written
};
struct Mistrusted {
  std::string why;
};
struct Skipped {
  SkipReason reason{};
  std::string detail;
};
struct Unsupported {
  std::string instruction;
  uint64_t pc = 0;
  std::string detail;
  std::vector<std::string> trace{};  // as in Finding
};
struct Crash {
  int signal = 0;  // 0: the process exited by itself
  std::string stderr_tail;
  std::string where{};  // the module's function: "run() of decode"; empty: in none
};
struct Timeout {
  double seconds = 0;
  uint64_t steps = 0;
  std::string detail;
  std::vector<std::string> trace{};  // as in Finding
};
struct HarnessError {
  std::string what;
};

using Outcome = std::variant<HarnessError, Crash, Timeout, Unsupported, Found, LawBroken, Mismatch,
                             Accepted, Refused, Mistrusted, Skipped, Pass>;
VerdictKind kind_of(const Outcome& o);
std::string to_string(const Outcome& o);

// How the law of a case was judged.
struct Relation {
  int64_t exact = 0;   // elements compared bit for bit
  int64_t within = 0;  // elements compared within the sum of their intervals
  std::string why;     // the latter, where not a single element was compared bit for bit
  bool operator==(const Relation&) const = default;
};

// What was run: kept with every verdict so that a stored row can be understood alone.
struct Provenance {
  std::string build_id;              // git hash, compiler, flags
  std::string object_hash;           // of the code object's .text
  std::string fp;                    // arithmetic model in force: "ieee"
  std::string evidence;              // weakest evidence of the arithmetic used
  std::string instantiation;         // what the kernel says it ran: "medium y4u1a16w16 m3 g64"
  std::vector<std::string> symbols;  // kernels that were launched, in order
  std::string resolved;              // auto fields as resolved: "lda=256 cus=20 …"
  uint64_t wave_instructions = 0;
  double seconds = 0;
  std::string
      outputs{};  // hash of all output bytes, 16 hex digits, of a mutated case or where asked
  std::optional<Relation> relation{};  // of a case with a law, where it was judged
};

struct Verdict {
  std::string line;               // the case line
  std::vector<Outcome> outcomes;  // at least one; the primary first, the others attached
  Provenance ran;

  const Outcome& primary() const { return outcomes.front(); }
  VerdictKind kind() const { return kind_of(primary()); }
  // Pass, and Refused(C) where the case breaks clause C and no output was touched.
  bool green() const;
};

// Sorts the outcomes by precedence, stable. No outcome at all is a harness error.
Verdict make_verdict(std::string line, std::vector<Outcome> outcomes, Provenance ran);

// Several lines for a person: verdict, worst element, expected interval, got, where, rerun line.
std::string to_string(const Verdict& v);

}  // namespace w4
