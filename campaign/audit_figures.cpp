#include "campaign/audit_figures.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "campaign/commands.h"
#include "campaign/figure_rows.h"
#include "campaign/interrupt.h"
#include "campaign/report/filing.h"
#include "core/gpu.h"
#include "kernels/objects.h"
#include "results/text.h"

namespace w4 {
namespace {

// The archs of this build among the three that everyday builds have.
std::vector<std::string> default_devices() {
  std::vector<std::string> out;
  for (const char* const* a = kernel_archs(); *a != nullptr; ++a) {
    const std::string_view arch = *a;
    if (arch == "gfx1100" || arch == "gfx1151" || arch == "gfx1201") out.emplace_back(arch);
  }
  return out;
}

Result<std::vector<Case>> cases_of(const AuditCommand& c) {
  std::vector<Case> cases;
  for (const std::string& line : c.lines) {
    const Result<Case> read = parse_case(line);
    if (!read) return fail("--case: '{}': {}", line, read.error().text);
    if (auto ok = check_runnable(*read); !ok)
      return fail("--case: '{}': {}", line, ok.error().text);
    cases.push_back(*read);
  }
  if (c.every_tile && !c.lines.empty()) {
    return fail("--every-tile: about the default cases; legal: without --case");
  }
  if (c.lines.empty()) cases = default_figure_cases(c.every_tile);
  if (!c.kernel.empty()) {
    std::erase_if(cases, [&](const Case& x) { return x.kernel != c.kernel; });
    if (cases.empty()) return fail("--kernel: no case of '{}' is planned", c.kernel);
  }
  std::vector<std::string> devices = c.devices;
  if (devices.empty() && c.lines.empty()) devices = default_devices();
  std::vector<Case> out;
  for (const std::string& device : devices) {
    if (auto ok = check_key_value("--device", "device", device); !ok)
      return std::unexpected(ok.error());
    for (Case x : cases) {
      x.device = device;
      out.push_back(std::move(x));
    }
  }
  if (devices.empty()) out = std::move(cases);
  for (const Case& x : out) {
    if (find_gpu(x.device) == nullptr) {
      return fail("'{}': device {} counts nothing; legal: an emulated arch", to_string(x),
                  x.device);
    }
  }
  return out;
}

// What the counts are of: the name under which they are filed.
std::string asked(const AuditCommand& c) {
  std::string out = !c.lines.empty()    ? fmt::format("{}", fmt::join(c.lines, "; "))
                    : !c.kernel.empty() ? c.kernel
                                        : std::string("every row");
  if (!c.lines.empty() && !c.kernel.empty()) out += fmt::format("; only {}", c.kernel);
  if (c.every_tile) out += ", every tile";
  if (!c.devices.empty()) out += fmt::format(" on {}", fmt::join(c.devices, ", "));
  return out;
}

}  // namespace

void add_audit_figures(CLI::App& app, AuditCommand& c) {
  const auto repeated = [&](const char* name, std::vector<std::string>& to, const char* text,
                            const char* value) {
    app.add_option(name, to, text)->option_text(value)->allow_extra_args(false);
  };
  repeated("--case", c.lines, "Case line to count; repeatable (default: every row at one shape)",
           "LINE");
  repeated("--device", c.devices,
           "Emulated arch to run every case on; repeatable (default: what the lines say, gfx1100, "
           "gfx1151 and gfx1201 for the default cases)",
           "NAME");
  app.add_option("--kernel", c.kernel, "Only cases of this row (default: all)")
      ->option_text("NAME");
  app.add_flag("--every-tile", c.every_tile,
               "Of the default cases: every tile that can be forced instead of the table's choice");
  app.add_option("--json", c.json, "File for all counts as JSON, - is standard output")
      ->option_text("FILE");
  app.add_option("--db", c.db,
                 "SQLite store to file them in for `w4check report`, made where there is none")
      ->option_text("FILE");
}

int audit_figures(const AuditCommand& c) {
  const auto cases = cases_of(c);
  if (!cases) return usage_error(printable_utf8(cases.error().text));
  auto filing = Filing::open(c.db, c.json);
  if (!filing) return usage_error(printable_utf8(filing.error().text));
  FILE* json = nullptr;
  if (!c.json.empty()) {
    json = c.json == "-" ? stdout : std::fopen(c.json.c_str(), "we");
    if (json == nullptr) {
      return usage_error(printable_utf8(
          fmt::format("--json: cannot write '{}': {}", c.json, std::strerror(errno))));
    }
  }
  catch_interrupts();
  std::vector<FigureRow> rows;
  for (const Case& x : *cases) {
    if (interrupted()) break;
    rows.push_back(count_case(x));
  }
  if (json != stdout) fmt::print("{}", figures_text(rows));
  if (json != nullptr) fmt::print(json, "{}\n", figures_json(rows));
  if (json != nullptr && std::fflush(json) != 0) {
    fmt::print(stderr, "w4check: --json: cannot write: {}\n", std::strerror(errno));
    return kHarnessError;
  }
  if (json != nullptr && json != stdout) std::fclose(json);
  const bool whole = rows.size() == cases->size();
  if (!whole) filing->leave_out("figures");
  if (whole && !filing->file("figures", asked(c), figures_json(rows))) return kHarnessError;
  if (!std::ranges::all_of(rows, &FigureRow::green)) return kRed;
  return whole ? kGreen : kInterrupted;
}

}  // namespace w4
