// A run of a store as one document (report.json), and as one self-contained page that shows it: no
// network, no other file; light, dark and on paper. docs/report.md says what its members mean.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/section.h"

namespace w4 {

// Raised where a member changes its meaning.
inline constexpr int kReportFormat = 1;

// `more`: sections of rooms that reports may not include. Errors are the store's.
Result<nlohmann::json> report_document(Store& store, const ReportContext& context,
                                       std::vector<std::unique_ptr<Section>> more = {});

// report.json. Bytes that are not UTF-8, which only another program puts into a store, become
// U+FFFD.
std::string report_text(const nlohmann::json& document);

// The document in the page that shows it (reports/web). Text in it is data: whatever it holds, it
// is shown, never run. Without scripts the page shows its sentence.
std::string report_page(const nlohmann::json& document);

}  // namespace w4
