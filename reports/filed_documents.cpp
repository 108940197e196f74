#include "reports/filed_documents.h"

#include <fmt/format.h>

#include <set>

#include "results/documents.h"

namespace w4 {

using nlohmann::json;

Result<FiledDocuments> filed_documents(Store& store, const ReportContext& context,
                                       std::string_view kind,
                                       const std::function<json(const Place&)>& read) {
  const auto all = documents(store, kind);
  if (!all) return std::unexpected(all.error());
  FiledDocuments out;
  std::set<std::string> names;
  for (const StoredDocument& d : *all) {
    if (names.contains(d.name)) continue;
    std::string wrong;
    const json value = json::parse(d.json, nullptr, false);
    if (value.is_discarded()) wrong = "it is not JSON";
    json shown = wrong.empty() ? read(Place(value, wrong)) : json();
    if (!wrong.empty()) {
      out.notes.push_back(
          fmt::format("The document {} “{}” of {} is left out: {}. Filed again by this w4check it "
                      "can be shown.",
                      kind, d.name, d.at, wrong));
      continue;
    }
    // An older one that can be read stands in for a newer one that cannot.
    names.insert(d.name);
    shown["name"] = d.name;
    shown["build"] = d.build_id;
    shown["at"] = d.at;
    shown["notice"] =
        d.build_id == context.run.build_id
            ? ""
            : fmt::format("Found out by another build than the run's: {} here, {} in the run.",
                          d.build_id, context.run.build_id);
    out.shown.push_back(std::move(shown));
  }
  return out;
}

}  // namespace w4
