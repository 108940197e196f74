#include "reports/report.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "reports/bench.h"
#include "reports/coverage.h"
#include "reports/diff.h"
#include "reports/failures.h"
#include "reports/kernels.h"
#include "reports/numerics.h"
#include "reports/overview.h"
#include "reports/zoo.h"

namespace w4 {
namespace {

using nlohmann::json;

json run_json(const StoredRun& run) {
  return {{"id", run.id},
          {"uid", run.uid},
          {"kind", name_of(run.kind)},
          {"command", run.command},
          {"build", run.build_id},
          {"planned", run.planned},
          {"started", run.started},
          {"finished", run.finished},
          {"state", name_of(run.state)},
          {"heartbeat", run.heartbeat},
          {"machine", run.machine},
          {"plan", run.plan}};
}

using Sections = std::vector<std::unique_ptr<Section>>;

Result<json> read_all(Store& store, const ReportContext& context, const Sections& sections) {
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

}  // namespace

Result<json> report_document(Store& store, const ReportContext& context,
                             std::vector<std::unique_ptr<Section>> more) {
  Sections sections;
  sections.push_back(overview_section());
  sections.push_back(failures_section());
  sections.push_back(coverage_section());
  sections.push_back(numerics_section());
  sections.push_back(zoo_section());
  sections.push_back(kernels_section());
  sections.push_back(diff_section());
  sections.push_back(bench_section());
  std::ranges::move(more, std::back_inserter(sections));
  json out;
  const auto read = store.reading([&]() -> Result<void> {
    // A run that goes on: as it is at this moment.
    ReportContext now = context;
    const auto run = store.find_run(context.run.id);
    if (!run) return std::unexpected(run.error());
    if (*run) now.run = **run;
    auto all = read_all(store, now, sections);
    if (!all) return std::unexpected(all.error());
    out = std::move(*all);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

}  // namespace w4
