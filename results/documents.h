// What commands found out besides verdicts (the zoo's score, a diff, figures, the depiction of a
// failure), as JSON by kind, name and build: the report shows it without running anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/store.h"

namespace w4 {

struct StoredDocument {
  std::string kind;      // "zoo", "diff", "figures", "code", "coverage", "depiction"
  std::string name;      // what was asked: a module, a device, a case line
  std::string build_id;  // of the w4check that found it out
  std::string at{};      // UTC, 2026-01-31 12:00:00
  std::string json{};    // as it was given
};

// `at` empty: now. One of the same kind, name and build is replaced. Text that is not a JSON value
// is refused.
Result<void> file_document(Store& store, const StoredDocument& document);

// The newest first.
Result<std::vector<StoredDocument>> documents(Store& store, std::string_view kind);

// Of this build; build_id empty: the newest of any build.
Result<std::optional<StoredDocument>> find_document(Store& store, std::string_view kind,
                                                    std::string_view name,
                                                    std::string_view build_id);

}  // namespace w4
