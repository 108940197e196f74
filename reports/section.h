// A part of the report: it sees every verdict of the run once, in the order in which they were
// filed, and then says what it has to show. Parts are independent of each other; none keeps a row.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/case.h"
#include "core/result.h"
#include "results/filed.h"
#include "results/store.h"

namespace w4 {

// A verdict, its line parsed; nullopt where it is no case line of this version (a fuzz target's).
struct Seen {
  const Filed& filed;
  const std::optional<Case>& value;

  const Verdict& verdict() const { return filed.record.verdict; }
};

// What the command knows besides the store.
struct ReportContext {
  StoredRun run;
  std::string build_id;  // of this w4check
  std::string written;   // UTC, 2026-01-31 12:00:00
  // What reports computes nothing of: declarations of kernels, limits, floors, the stop rule.
  nlohmann::json facts = nlohmann::json::object();
};

class Section {
 public:
  virtual ~Section() = default;
  // The member of the report that it fills.
  virtual std::string_view name() const = 0;
  virtual void add(const Seen& seen) = 0;
  // After the last verdict. Errors are the store's.
  virtual Result<nlohmann::json> finish(Store& store, const ReportContext& context) = 0;
};

}  // namespace w4
