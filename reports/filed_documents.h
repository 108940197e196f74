// The documents of a store that a page shows: of each name the newest, checked, with what a reader
// has to know of it. One that is not what its command writes is left out and said.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/place.h"
#include "reports/section.h"

namespace w4 {

struct FiledDocuments {
  // What `read` made of each, with `name`, `build`, `at` and `notice`; the newest first.
  std::vector<nlohmann::json> shown;
  std::vector<std::string> notes;  // of what is left out
};

// `read` copies what the page shows; what it finds wrong is in the Place.
Result<FiledDocuments> filed_documents(
    Store& store, const ReportContext& context, std::string_view kind,
    const std::function<nlohmann::json(const Place& document)>& read);

}  // namespace w4
