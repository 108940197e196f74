#include "reports/report.h"

#include <memory>
#include <vector>

#include "reports/diff.h"
#include "reports/failures.h"
#include "reports/kernels.h"
#include "reports/overview.h"
#include "reports/zoo.h"

namespace w4 {
namespace {

using nlohmann::json;

json run_json(const StoredRun& run) {
  return {{"id", run.id},           {"uid", run.uid},           {"kind", name_of(run.kind)},
          {"command", run.command}, {"build", run.build_id},    {"planned", run.planned},
          {"started", run.started}, {"finished", run.finished}, {"state", name_of(run.state)}};
}

}  // namespace

Result<json> report_document(Store& store, const ReportContext& context) {
  std::vector<std::unique_ptr<Section>> sections;
  sections.push_back(overview_section());
  sections.push_back(failures_section());
  sections.push_back(zoo_section());
  sections.push_back(kernels_section());
  sections.push_back(diff_section());
  const auto read = each_filed(store, context.run.id, [&](Filed&& filed) -> Result<void> {
    std::optional<Case> value;
    if (auto parsed = parse_case(filed.record.verdict.line)) value = std::move(*parsed);
    for (const auto& s : sections) s->add({filed, value});
    return {};
  });
  if (!read) return std::unexpected(read.error());
  json out = {{"format", kReportFormat},
              {"written", context.written},
              {"build", context.build_id},
              {"run", run_json(context.run)}};
  for (const auto& s : sections) {
    auto part = s->finish(store, context);
    if (!part) return std::unexpected(part.error());
    out[std::string(s->name())] = std::move(*part);
  }
  return out;
}

}  // namespace w4
