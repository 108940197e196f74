#include "campaign/stores.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "campaign/commands.h"
#include "campaign/outputs.h"
#include "results/export.h"
#include "results/merge.h"
#include "results/store.h"

namespace w4 {
namespace {

using Format = Result<int64_t> (*)(Store&, std::optional<int64_t>, const TextSink&);

struct CloseFile {
  void operator()(FILE* f) const {
    if (f != stdout) std::fclose(f);
  }
};

struct Wanted {
  const char* option;
  const std::string& path;
  Format format;
};

// Exit code; what went wrong has been said.
int write(Store& store, std::optional<int64_t> run, const Wanted& wanted) {
  if (wanted.path.empty()) return kGreen;
  const std::unique_ptr<FILE, CloseFile> file(
      wanted.path == "-" ? stdout : std::fopen(wanted.path.c_str(), "we"));
  if (!file) {
    return usage_error(
        fmt::format("{}: cannot write '{}': {}", wanted.option, wanted.path, std::strerror(errno)));
  }
  const auto written = wanted.format(store, run, [&](std::string_view text) -> Result<void> {
    if (std::fwrite(text.data(), 1, text.size(), file.get()) == text.size()) return {};
    return fail("cannot write '{}': {}", wanted.path, std::strerror(errno));
  });
  const bool flushed = std::fflush(file.get()) == 0;
  if (written && flushed) {
    if (wanted.path != "-") fmt::print("{}: {} verdicts\n", wanted.path, *written);
    return kGreen;
  }
  const std::string why =
      written ? fmt::format("cannot write '{}': {}", wanted.path, std::strerror(errno))
              : written.error().text;
  fmt::print(stderr, "w4check: export: {}\n", why);
  return kHarnessError;
}

}  // namespace

void add_migrate(CLI::App& app, MigrateCommand& c) {
  CLI::App* migrate = app.add_subcommand(
      "migrate", "Bring stores that an older w4check wrote up to the schema version of this one");
  migrate->add_option("store", c.stores, "Store that `w4check run --db` wrote")
      ->option_text("FILE …")
      ->required();
  migrate->footer(
      "A store is changed in one transaction: a kill leaves it as it was. An older w4check cannot "
      "read it afterwards.\n\nExit codes: 0 all are of this version, 2 usage (also: not a store).");
}

void add_merge(CLI::App& app, MergeCommand& c) {
  CLI::App* merge = app.add_subcommand(
      "merge", "Put the runs of several stores, such as the shards of a campaign, into one");
  merge->add_option("store", c.stores, "Store that --db wrote; it stays as it is")
      ->option_text("FILE …")
      ->required();
  merge->add_option("--out,-o", c.out, "Store to merge into; made where there is none")
      ->option_text("FILE")
      ->required();
  merge->footer(
      "A run is the same run in all stores, a verdict is known by run, source and number: merging "
      "again, in another order or in groups gives the same. A store that has grown since gives "
      "what is new in it. A new output appears whole or not at all; an existing one takes each "
      "store in one transaction. docs/store.md.\n\nExit codes: 0 merged, 2 a store is missing, not "
      "a store, of another schema version or the output.");
}

void add_export(CLI::App& app, ExportCommand& c) {
  CLI::App* out = app.add_subcommand(
      "export", "Write the verdicts of a store as JSON lines, as JUnit, or both");
  out->add_option("db", c.db, "Store that --db wrote")->option_text("FILE")->required();
  out->add_option("--json", c.json,
                  "Write a JSON object per line to FILE, or - for standard output")
      ->option_text("FILE");
  out->add_option("--junit", c.junit, "Write JUnit XML to FILE, or - for standard output")
      ->option_text("FILE");
  out->add_option("--run", c.run,
                  "Number of a run: what it filed, with what it took over (default: every verdict "
                  "of the store)")
      ->option_text("N");
  out->footer(
      "By uid of the run, source and number, JUnit by suite first: equal stores give equal text. "
      "Of a green verdict that a campaign kept as columns only, the line has what the columns "
      "have.\n\nExit codes: 0 written, 2 usage (also: no such store or run), 3 cannot write.");
}

int merge_command(const MergeCommand& c) {
  const auto merged = merge_stores(c.stores, c.out);
  if (!merged) return usage_error("merge: " + merged.error().text);
  fmt::print("{}: {} runs, {} verdicts, {} of them new\n", c.out, merged->runs, merged->verdicts,
             merged->new_verdicts);
  return kGreen;
}

int export_command(const ExportCommand& c) {
  if (c.json.empty() && c.junit.empty()) {
    return usage_error("export: nothing to write; give --json FILE, --junit FILE or both");
  }
  if (c.json == c.junit) {
    return usage_error(
        fmt::format("export: --json and --junit: both are '{}'; legal: two files", c.json));
  }
  for (const auto& [option, file] : {std::pair{"--json", c.json}, {"--junit", c.junit}}) {
    if (const auto fit = not_the_store(option, file, c.db); !fit) {
      return usage_error("export: " + fit.error().text);
    }
  }
  auto store = Store::open(c.db, Store::Mode::read);
  if (!store) return usage_error("export: " + store.error().text);
  if (c.run) {
    const auto run = store->find_run(c.run);
    if (!run) return usage_error("export: " + run.error().text);
    if (!*run) return usage_error(fmt::format("--run: {}; the store has no such run", *c.run));
  }
  for (const Wanted& wanted :
       {Wanted{"--json", c.json, export_json}, Wanted{"--junit", c.junit, export_junit}}) {
    if (const int code = write(*store, c.run, wanted); code != kGreen) return code;
  }
  return kGreen;
}

int migrate_command(const MigrateCommand& c) {
  for (const std::string& path : c.stores) {
    std::error_code ec;
    if (!std::filesystem::exists(path, ec)) {
      return usage_error(fmt::format("migrate: store '{}': there is no such file", path));
    }
    if (std::filesystem::is_regular_file(path, ec) && std::filesystem::is_empty(path, ec)) {
      return usage_error(fmt::format("migrate: store '{}': it is empty, no store", path));
    }
    const auto store = Store::open(path, Store::Mode::write);
    if (!store) return usage_error("migrate: " + store.error().text);
    fmt::print("{}: schema version {}\n", path, Store::kSchemaVersion);
  }
  return kGreen;
}

}  // namespace w4
