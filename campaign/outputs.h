// Where verdicts go: store, JSON lines, JUnit. Opened before anything runs, so that a wrong path
// costs nothing.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/commands.h"
#include "results/store.h"

namespace w4 {

class Outputs {
 public:
  // Errors name the option and the file.
  static Result<Outputs> open(const RunCommand& c, int64_t planned);

  // Verdicts of earlier runs of this build for these lines, entered into this run.
  Result<std::vector<Record>> adopt(std::span<const std::string> lines);
  // Keeps the record in all outputs; `stored`: it is in the store already.
  Result<void> add(Record record, bool stored);
  Result<void> finish(RunState state);
  std::span<const Record> records() const { return records_; }

 private:
  struct CloseFile {
    void operator()(FILE* f) const {
      if (f != stdout) std::fclose(f);
    }
  };
  using File = std::unique_ptr<FILE, CloseFile>;
  static Result<File> open_file(const char* option, const std::string& path);

  std::optional<Store> store_;
  int64_t run_ = 0;
  std::string json_path_, junit_path_;
  File json_, junit_;
  std::vector<Record> records_;
};

// An error where `file`, which `option` names for text, is the store `db` or one of its logs.
// Either may be empty.
Result<void> not_the_store(const char* option, const std::string& file, const std::string& db);

// The verdict's JSON object with the suite in it, one line.
std::string json_line(const Record& record);

}  // namespace w4
