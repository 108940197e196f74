#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "campaign/commands.h"
#include "reports/html.h"
#include "reports/summary.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

// A folder gets report.html; the folders above the file are made.
Result<fs::path> page_path(const std::string& out) {
  fs::path path = out;
  std::error_code ec;
  if (path.extension() != ".html" || fs::is_directory(path, ec)) path /= "report.html";
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

}  // namespace

int report_command(const ReportCommand& c) {
  auto store = Store::open(c.db, Store::Mode::read);
  if (!store) return usage_error("--db: " + store.error().text);
  const auto run = store->find_run(c.run);
  if (!run) return usage_error("--db: " + run.error().text);
  if (!*run) {
    return usage_error(c.run ? fmt::format("--run: {}; the store has no such run", *c.run)
                             : fmt::format("--db: '{}' holds no run yet", c.db));
  }
  const auto records = store->verdicts((*run)->id);
  if (!records) return usage_error("--db: " + records.error().text);
  const auto path = page_path(c.out);
  if (!path) return usage_error(path.error().text);
  if (auto written = write_whole(*path, html_report(**run, *records)); !written) {
    fmt::print(stderr, "w4check: {}\n", written.error().text);
    return kHarnessError;
  }
  fmt::print("{}\nrun {}: {}\n", path->string(), (*run)->id, sentence(summarise(*records).all));
  return kGreen;
}

}  // namespace w4
