#include "reports/diff.h"

#include "reports/filed_documents.h"

namespace w4 {
namespace {

using nlohmann::json;

json row_of(const Place& row, const std::vector<std::string>& header) {
  const Place cells = row.at("cells");
  json shown = json::array();
  // A row may end before its header does.
  for (const std::string& h : header) shown.push_back(cells.text(h));
  return {{"cells", shown},
          {"below", row.at("below").whole_texts()},
          {"keys", row.at("keys").whole_texts()}};
}

json section_of(const Place& s) {
  const std::vector<std::string> header = s.at("header").texts();
  json rows = json::array();
  for (const Place& row : s.at("differences").list()) rows.push_back(row_of(row, header));
  return {{"name", s.at("section").text()},
          {"done", s.at("done").count()},
          {"planned", s.at("planned").count()},
          {"unit", s.at("unit").text()},
          {"complete", s.at("complete").truth()},
          {"accepted", s.at("accepted").count()},
          {"header", header},
          {"rows", rows},
          {"notes", s.at("notes").texts()}};
}

json diff_of(const Place& d) {
  json sections = json::array();
  for (const Place& s : d.at("sections").list()) sections.push_back(section_of(s));
  return {{"a", d.at("a").text()},
          {"b", d.at("b").text()},
          {"differences", d.at("differences").count()},
          {"seconds", d.at("seconds").number()},
          {"budget_over", d.at("budget_over").truth()},
          {"stale", d.at("stale").texts()},
          {"sections", sections}};
}

class Diff : public Section {
 public:
  std::string_view name() const override { return "diff"; }
  void add(const Seen&) override {}

  Result<json> finish(Store& store, const ReportContext& context) override {
    auto filed = filed_documents(store, context, "diff", diff_of);
    if (!filed) return std::unexpected(filed.error());
    if (filed->shown.empty() && filed->notes.empty()) return json();
    return json{{"diffs", filed->shown}, {"notes", filed->notes}};
  }
};

}  // namespace

std::unique_ptr<Section> diff_section() { return std::make_unique<Diff>(); }

}  // namespace w4
