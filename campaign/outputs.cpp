#include "campaign/outputs.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "campaign/machine.h"
#include "results/junit.h"
#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

Result<void> write(FILE* f, const std::string& text, const std::string& path) {
  if (std::fwrite(text.data(), 1, text.size(), f) == text.size() && std::fflush(f) == 0) return {};
  return fail("cannot write '{}': {}", path, std::strerror(errno));
}

}  // namespace

std::string json_line(const Record& record) {
  nlohmann::json j = verdict_to_json(record.verdict);
  j["suite"] = printable_utf8(record.suite);
  j["resumed"] = record.resumed;
  return j.dump() + "\n";
}

Result<void> not_the_store(const char* option, const std::string& file, const std::string& db) {
  if (file.empty() || db.empty() || !is_of_store(file, db)) return {};
  return fail("{}: '{}' is the store '{}', or a log of it; legal: another file", option, file, db);
}

Result<Outputs::File> Outputs::open_file(const char* option, const std::string& path) {
  if (path == "-") return File(stdout);
  File f(std::fopen(path.c_str(), "we"));
  if (!f) return fail("{}: cannot write '{}': {}", option, path, std::strerror(errno));
  return f;
}

Result<Outputs> Outputs::open(const RunCommand& c, int64_t planned) {
  Outputs out;
  out.json_path_ = c.json;
  out.junit_path_ = c.junit;
  for (const auto& [option, file] : {std::pair{"--json", c.json}, {"--junit", c.junit}}) {
    if (auto fit = not_the_store(option, file, c.db); !fit) return std::unexpected(fit.error());
  }
  if (!c.json.empty() && c.json == c.junit) {
    return fail("--json and --junit: both are '{}'; legal: two files", c.json);
  }
  // The store first: it is the one that must not be opened for nothing.
  if (!c.db.empty()) {
    auto store = Store::open(c.db, Store::Mode::write);
    if (!store) return fail("--db: {}", store.error().text);
    out.store_ = std::move(*store);
  }
  if (!c.json.empty()) {
    auto f = open_file("--json", c.json);
    if (!f) return std::unexpected(f.error());
    out.json_ = std::move(*f);
  }
  if (!c.junit.empty()) {
    auto f = open_file("--junit", c.junit);
    if (!f) return std::unexpected(f.error());
    out.junit_ = std::move(*f);
  }
  if (out.store_) {
    const auto run = out.store_->begin_run({.command = c.typed,
                                            .build_id = build_id(),
                                            .planned = planned,
                                            .machine = this_machine()});
    if (!run) return std::unexpected(run.error());
    out.run_ = *run;
  }
  return out;
}

Result<std::vector<Record>> Outputs::adopt(std::span<const std::string> lines) {
  if (!store_) return std::vector<Record>{};
  return store_->adopt(run_, build_id(), lines);
}

Result<void> Outputs::add(Record record, bool stored) {
  if (store_ && !stored) {
    if (auto done = store_->add(run_, record); !done) return done;
  }
  if (json_) {
    if (auto done = write(json_.get(), json_line(record), json_path_); !done) return done;
  }
  records_.push_back(std::move(record));
  return {};
}

Result<void> Outputs::finish(RunState state) {
  if (junit_) {
    if (auto done = write(junit_.get(), junit_xml(records_), junit_path_); !done) return done;
  }
  if (store_) return store_->end_run(run_, state);
  return {};
}

}  // namespace w4
