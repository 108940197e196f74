#include "results/merge.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "results/merge_failures.h"
#include "results/merge_sql.h"
#include "results/store_impl.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ec;
  return fs::equivalent(a, b, ec);
}

Result<void> look_at(std::span<const std::string> inputs, const std::string& output,
                     const std::string& part) {
  for (const std::string& input : inputs) {
    std::error_code ec;
    if (!fs::exists(input, ec)) return fail("store '{}': there is no such file", input);
    for (const std::string& written : {output, part}) {
      if (!same_file(input, written)) continue;
      return fail(
          "store '{}' is an input, and the output '{}' would be written over it; give "
          "another output",
          input, written);
    }
    if (auto store = Store::open(input, Store::Mode::read); !store) {
      return std::unexpected(store.error());
    }
  }
  return {};
}

// One transaction; `input` is attached while it lasts.
Result<int64_t> merge_one(Store& into, const std::string& input) {
  Store::Impl& store = into.impl();
  Database& db = store.db;
  auto attached = db.run("ATTACH ? AS src", fs::absolute(input).string());
  if (!attached) return about(input, attached.error());
  int64_t made = 0;
  auto merged = store.transaction([&]() -> Result<void> {
    auto done = db.execute(kMergeClear);
    if (done) done = db.execute(kMergeRuns);
    if (done) done = db.execute(with_rows(kMergeVerdicts, "d").c_str());
    if (done) done = db.execute(kMergeCounts);
    if (done) done = merge_failures(db);
    if (done) done = db.execute(with_rows(kMergeFolded, "main.verdict").c_str());
    if (done) done = db.execute(kMergeDocuments);
    if (!done) return fail("merging '{}': {}", input, done.error().text);
    const auto count = db.integer("SELECT count(*) FROM temp.fresh");
    if (!count) return std::unexpected(count.error());
    made = count->value_or(0);
    return {};
  });
  if (auto detached = db.execute("DETACH src"); merged && !detached) {
    return about(input, detached.error());
  }
  if (!merged) return std::unexpected(merged.error());
  return made;
}

Result<Merged> merge_all(const std::string& path, std::span<const std::string> inputs) {
  auto store = Store::open(path, Store::Mode::write);
  if (!store) return std::unexpected(store.error());
  Database& db = store->impl().db;
  if (auto made = db.execute(kMergeTables); !made) return about(path, made.error());
  Merged out;
  for (const std::string& input : inputs) {
    const auto fresh = merge_one(*store, input);
    if (!fresh) return std::unexpected(fresh.error());
    out.new_verdicts += *fresh;
  }
  const auto runs = db.integer("SELECT count(*) FROM run");
  const auto verdicts = db.integer("SELECT count(*) FROM verdict");
  if (!runs || !verdicts) return about(path, (runs ? verdicts : runs).error());
  out.runs = runs->value_or(0);
  out.verdicts = verdicts->value_or(0);
  return out;
}

void remove_with_logs(const std::string& path) {
  std::error_code ec;
  for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(path + end, ec);
}

// One merge at a time in the folder of the output: two into one new output would share its .part.
// Where folders cannot be locked, nothing is.
class FolderLock {
 public:
  explicit FolderLock(const std::string& output) {
    const fs::path folder = fs::path(output).parent_path();
    fd_ = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ >= 0) ::flock(fd_, LOCK_EX);
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;

 private:
  int fd_ = -1;
};

bool has_file(const std::string& path) {
  std::error_code ec;
  return fs::exists(path, ec) && !(fs::is_regular_file(path, ec) && fs::file_size(path, ec) == 0);
}

}  // namespace

Result<Merged> merge_stores(std::span<const std::string> inputs, const std::string& output) {
  if (fs::path(output).filename().empty()) {
    return fail("store '{}': the output has no name; give the path of a file", output);
  }
  const std::string part = output + ".part";
  if (auto fit = look_at(inputs, output, part); !fit) return std::unexpected(fit.error());
  const FolderLock lock(output);
  if (has_file(output)) return merge_all(output, inputs);
  remove_with_logs(part);
  const auto merged = merge_all(part, inputs);
  if (!merged) {
    remove_with_logs(part);
    return merged;
  }
  // Logs of an output that somebody removed without them would be taken for those of the new one.
  remove_with_logs(output);
  std::error_code ec;
  fs::rename(part, output, ec);
  if (ec) {
    remove_with_logs(part);
    return fail("store '{}': cannot be written: {}", output, ec.message());
  }
  return merged;
}

}  // namespace w4
