#include "reports/coverage.h"

#include <utility>

#include "reports/boundary.h"
#include "reports/filed_documents.h"
#include "reports/joint.h"
#include "reports/place.h"

namespace w4 {
namespace {

using nlohmann::json;

// facts.coverage.<topic>; null where the command could not know.
json fact(const ReportContext& context, const char* topic) {
  const auto of = context.facts.find("coverage");
  if (of == context.facts.end()) return {};
  return of->value(topic, json());
}

json kernel_json(const Place& k) {
  return {{"kernel", k.at("kernel").text()},
          {"arch", k.at("arch").text()},
          {"instructions", k.at("instructions").count()},
          {"run", k.at("run").count()},
          {"edges", k.at("edges").count()},
          {"edges_run", k.at("edges_run").count()},
          {"launches", k.at("launches").count()}};
}

json line_json(const Place& l) {
  return {{"source", l.at("source").text()},
          {"instructions", l.at("instructions").count()},
          {"kernels", l.at("kernels").count()}};
}

// What `list coverage --db` filed (campaign/coverage_json.h).
json counted_json(const Place& document) {
  json kernels = json::array(), never = json::array();
  for (const Place& k : document.at("kernels").list()) kernels.push_back(kernel_json(k));
  const Place lines = document.at("lines");
  for (const Place& l : lines.at("never").list()) never.push_back(line_json(l));
  return {{"cases", document.at("cases").count()},
          {"kernels", std::move(kernels)},
          {"lines",
           {{"all", lines.at("all").count()},
            {"never", std::move(never)},
            {"partly", lines.at("partly").list().size()}}}};
}

// By the build of the run where there is one, otherwise the newest; null where nothing was filed.
Result<json> instructions_json(Store& store, const ReportContext& context) {
  auto filed = filed_documents(store, context, "coverage", counted_json);
  if (!filed) return std::unexpected(filed.error());
  if (filed->shown.empty() && filed->notes.empty()) return json();
  json shown;
  for (json& d : filed->shown) {
    const bool own = d.at("notice") == "";
    if (shown.is_null() || own) shown = std::move(d);
    if (own) break;
  }
  return json{{"shown", std::move(shown)}, {"notes", std::move(filed->notes)}};
}

class CoverageSection : public Section {
 public:
  std::string_view name() const override { return "coverage"; }

  void add(const Seen& seen) override {
    if (!seen.value) {
      ++unread_;
      return;
    }
    joint_.add(*seen.value, seen.verdict());
    boundary_.add(*seen.value, seen.verdict());
  }

  Result<json> finish(Store& store, const ReportContext& context) override {
    json out = joint_.to_json();
    out["unread"] = unread_;
    out["contract"] = fact(context, "contract");
    out["limits"] = fact(context, "limits");
    auto instructions = instructions_json(store, context);
    if (!instructions) return std::unexpected(instructions.error());
    out["instructions"] = std::move(*instructions);
    out["boundary"] = boundary_.to_json(out["limits"].is_null() ? json::object() : out["limits"]);
    return out;
  }

 private:
  Joint joint_;
  Boundary boundary_;
  int64_t unread_ = 0;  // lines that are no case lines
};

}  // namespace

std::unique_ptr<Section> coverage_section() { return std::make_unique<CoverageSection>(); }

}  // namespace w4
