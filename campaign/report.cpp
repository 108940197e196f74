#include "campaign/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
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
#include "reports/report.h"
#include "results/text.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

// What is written: the page, and report.json beside it.
struct Outputs {
  fs::path page, data;
};

// A folder, made where missing, gets index.html. What could never be written is said here, before
// the time for the analysis is spent; and nothing may replace the store that is read.
Result<Outputs> outputs_of(const std::string& out, const std::string& db) {
  if (out.empty()) return fail("--out: is empty; legal: a folder or FILE.html");
  fs::path page = out;
  std::error_code ec;
  if (page.extension() != ".html" || fs::is_directory(page, ec)) page /= "index.html";
  const fs::path folder = page.has_parent_path() ? page.parent_path() : fs::path(".");
  const fs::path data = folder / "report.json";
  for (const fs::path& p : {page, data}) {
    if (is_of_store(p.string(), db)) {
      return fail(
          "--out: '{}' is a file of the store of --db and would be lost; give another folder",
          p.string());
    }
    if (fs::is_directory(p, ec)) {
      return fail("--out: '{}' is a folder; a report needs the name for a file", p.string());
    }
  }
  fs::create_directories(folder, ec);
  if (ec) return fail("--out: cannot make '{}': {}", folder.string(), ec.message());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return fail("--out: cannot write into '{}': {}", folder.string(), std::strerror(errno));
  }
  return Outputs{page, data};
}

// Files that stand beside their places until all of them are whole, so that a reader never sees
// half a page, nor a page with another report's data. What did not get there is removed.
class Written {
 public:
  Written() = default;
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() {
    std::error_code ec;
    for (const auto& [part, path] : parts_) fs::remove(part, ec);
  }

  // Of this process only: another may write a report into the same folder.
  Result<void> add(const fs::path& path, const std::string& text) {
    const fs::path part = fmt::format("{}.{}.part", path.string(), ::getpid());
    parts_.emplace_back(part, path);
    std::ofstream f(part, std::ios::binary | std::ios::trunc);
    f << text;
    f.close();
    if (!f) return fail("--out: cannot write '{}': {}", part.string(), std::strerror(errno));
    return {};
  }
  Result<void> keep() const {
    for (const auto& [part, path] : parts_) {
      std::error_code ec;
      fs::rename(part, path, ec);
      if (ec) return fail("--out: cannot write '{}': {}", path.string(), ec.message());
    }
    return {};
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> parts_;
};

Result<void> write(const Outputs& outputs, const nlohmann::json& document) {
  Written files;
  if (auto done = files.add(outputs.data, report_text(document) + "\n"); !done) return done;
  if (auto done = files.add(outputs.page, report_page(document)); !done) return done;
  return files.keep();
}

// About how many verdicts the report reads: what a run took over is in its plan only.
Result<int64_t> cases_of(Store& store, const StoredRun& run) {
  const auto tally = store.tally(run.id);
  if (!tally) return std::unexpected(tally.error());
  int64_t own = 0;
  for (const TallyRow& row : *tally) own += row.cases;
  return std::max(own, run.planned);
}

// The newest runs, by number: those that --run may name.
std::string legal_runs(Store& store) {
  const auto runs = store.runs();
  if (!runs || runs->empty()) return "none yet";
  constexpr size_t kMost = 10;
  std::string out;
  for (size_t i = runs->size(); i-- > 0 && runs->size() - i <= kMost;) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", (*runs)[i].id);
  }
  return out + (runs->size() > kMost ? fmt::format(" and {} older", runs->size() - kMost) : "");
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

void add_report(CLI::App& app, ReportCommand& c) {
  CLI::App* report = app.add_subcommand(
      "report", "Write a run of a store as HTML: one self-contained file that opens from disk");
  report->add_option("--db", c.db, "Store that `w4check run --db` wrote")
      ->option_text("FILE")
      ->required();
  report
      ->add_option(
          "--out", c.out,
          "Folder (made where missing) for index.html, or FILE.html; report.json goes beside it")
      ->option_text("PATH")
      ->required();
  report->add_option("--run", c.run, "Number of the run (default: the newest)")->option_text("N");
  report
      ->add_option("--analyse", c.analyse,
                   "Seconds for shrinking, explaining and depicting failures that were not looked "
                   "into yet, the most frequent first; what is found is kept in the store; 0 to "
                   "100000 (default 60; 0: none)")
      ->option_text("SECONDS");
  report->footer(
      "Ctrl-C ends the analysis; the report is written all the same.\n"
      "Exit codes: 0 written, 2 usage (also: no such store or run), 3 cannot write.");
}

int report_command(const ReportCommand& c) {
  if (!(c.analyse >= 0) || c.analyse > 1e5)
    return usage_error(fmt::format("--analyse: {}; legal: 0 (none) to 100000 seconds", c.analyse));
  auto store = Store::open(c.db, Store::Mode::read);
  if (!store) return refuse("--db: " + store.error().text);
  const auto run = store->find_run(c.run);
  if (!run) return refuse("--db: " + run.error().text);
  if (!*run) {
    return refuse(c.run ? fmt::format("--run: {}; the store has no such run; legal: {}", *c.run,
                                      legal_runs(*store))
                        : fmt::format("--db: '{}' holds no run yet", c.db));
  }
  auto facts = report_facts(*store, **run);
  if (!facts) return refuse("--db: " + facts.error().text);
  const auto outputs = outputs_of(c.out, c.db);
  if (!outputs) return refuse(outputs.error().text);
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
  if (auto written = write(*outputs, *document); !written) {
    fmt::print(stderr, "w4check: {}\n", printable_utf8(written.error().text));
    return kHarnessError;
  }
  fmt::print("{}\nrun {}: {}\n", outputs->page.string(), (*run)->id,
             document->at("summary").at("sentence").get<std::string>());
  return kGreen;
}

}  // namespace w4
