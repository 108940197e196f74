#include "reports/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/report/analyse.h"
#include "campaign/report/distributions.h"
#include "campaign/report/facts.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

// Where the page goes, and report.json beside it. A folder, made where missing, gets index.html.
Result<fs::path> page_path(const std::string& out) {
  fs::path path = out;
  std::error_code ec;
  if (path.extension() != ".html" || fs::is_directory(path, ec)) path /= "index.html";
  if (path.has_parent_path()) {
    fs::create_directories(path.parent_path(), ec);
    if (ec) return fail("--out: cannot make '{}': {}", path.parent_path().string(), ec.message());
  }
  return path;
}

// Written beside and renamed, so that a reader never sees half a page.
Result<void> write_whole(const fs::path& path, const std::string& text) {
  const fs::path part = path.string() + ".part";
  std::ofstream f(part, std::ios::binary | std::ios::trunc);
  f << text;
  f.close();
  if (!f) return fail("--out: cannot write '{}': {}", part.string(), std::strerror(errno));
  std::error_code ec;
  fs::rename(part, path, ec);
  if (ec) return fail("--out: cannot write '{}': {}", path.string(), ec.message());
  return {};
}

// About how many verdicts the report reads: what a run took over is in its plan only.
Result<int64_t> cases_of(Store& store, const StoredRun& run) {
  const auto tally = store.tally(run.id);
  if (!tally) return std::unexpected(tally.error());
  int64_t own = 0;
  for (const TallyRow& row : *tally) own += row.cases;
  return std::max(own, run.planned);
}

int refuse(const std::string& text) { return usage_error(printable_utf8(text)); }

// The report is written whatever becomes of this; what it lacks then it says.
nlohmann::json analyse(const ReportCommand& c, Store& reading, int64_t run) {
  const auto waiting = waiting_failures(reading, run);
  const int64_t left = waiting.value_or(0);
  if (c.analyse == 0) return not_analysed(left, "the report was written with --analyse 0");
  if (left == 0) return not_analysed(0, "");
  catch_interrupts();
  const auto lost = [left](const Error& e) {
    fmt::print(stderr, "w4check: note: failures are not analysed: {}\n", printable_utf8(e.text));
    return not_analysed(left, printable_utf8(e.text));
  };
  auto store = Store::open(c.db, Store::Mode::write);
  if (!store) return lost(store.error());
  const auto done = analyse_failures(*store, run, c.analyse);
  return done ? *done : lost(done.error());
}

}  // namespace

int report_command(const ReportCommand& c) {
  if (!(c.analyse >= 0) || c.analyse > 1e5)
    return usage_error(fmt::format("--analyse: {}; legal: 0 (none) to 100000 seconds", c.analyse));
  auto store = Store::open(c.db, Store::Mode::read);
  if (!store) return refuse("--db: " + store.error().text);
  const auto run = store->find_run(c.run);
  if (!run) return refuse("--db: " + run.error().text);
  if (!*run) {
    return refuse(c.run ? fmt::format("--run: {}; the store has no such run", *c.run)
                        : fmt::format("--db: '{}' holds no run yet", c.db));
  }
  auto facts = report_facts(*store, **run);
  if (!facts) return refuse("--db: " + facts.error().text);
  const auto path = page_path(c.out);
  if (!path) return refuse(path.error().text);
  (*facts)["analysis"] = analyse(c, *store, (*run)->id);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const ReportContext context{.run = **run,
                              .build_id = build_id(),
                              .written = fmt::format("{:%Y-%m-%d %H:%M:%S}", now),
                              .facts = *facts};
  const auto cases = cases_of(*store, **run);
  if (!cases) return refuse("--db: " + cases.error().text);
  std::vector<std::unique_ptr<Section>> more;
  more.push_back(distributions_section(*cases));
  const auto document = report_document(*store, context, std::move(more));
  if (!document) return refuse("--db: " + document.error().text);
  const fs::path data = path->parent_path() / "report.json";
  for (const auto& [file, text] :
       {std::pair{data, report_text(*document) + "\n"}, std::pair{*path, report_page(*document)}}) {
    if (auto written = write_whole(file, text); !written) {
      fmt::print(stderr, "w4check: {}\n", printable_utf8(written.error().text));
      return kHarnessError;
    }
  }
  fmt::print("{}\nrun {}: {}\n", path->string(), (*run)->id,
             document->at("summary").at("sentence").get<std::string>());
  return kGreen;
}

}  // namespace w4
