#include "results/store.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "results/schema.h"
#include "results/store_impl.h"
#include "results/text.h"

namespace w4 {
namespace {

constexpr int64_t kOldestVersion = 1;

// Reading all of a larger file takes longer than a question about it may.
constexpr uintmax_t kLargestChecked = uintmax_t{32} << 20;

// A file that SQLite may open without harm: absent, empty, or with SQLite's own first 16 bytes.
Result<bool> has_content(const std::string& path) {
  std::error_code ec;
  const auto status = std::filesystem::status(path, ec);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  if (ec) return fail("{}", ec.message());
  if (status.type() != std::filesystem::file_type::regular) return fail("it is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("{}", std::strerror(errno));
  std::array<char, 16> head{};
  in.read(head.data(), head.size());
  if (in.gcount() == 0) return false;
  constexpr std::string_view kMagic{"SQLite format 3\0", 16};
  if (std::string_view(head.data(), static_cast<size_t>(in.gcount())) != kMagic) {
    return fail("it is not an SQLite file; give the path of a store, or of a new file");
  }
  return true;
}

Result<void> check_damage(Database& db, const std::string& path) {
  std::error_code ec;
  if (std::filesystem::file_size(path, ec) > kLargestChecked || ec) return {};
  auto check = db.prepare("PRAGMA quick_check(1)");
  if (!check) return std::unexpected(check.error());
  const auto row = check->step();
  if (!row) return std::unexpected(row.error());
  if (*row && check->text(0) != "ok") return fail("it is damaged: {}", check->text(0));
  return {};
}

// Judges an existing file on a connection that cannot change it; returns its version.
Result<int64_t> examine(const std::string& path, Store::Mode mode) {
  auto db = Database::open(path, SQLITE_OPEN_READONLY);
  if (!db) return std::unexpected(db.error());
  const auto application = db->pragma("application_id");
  if (!application) return std::unexpected(application.error());
  if (*application != kApplicationId) {
    return fail("it is an SQLite file, but not a store of w4check; give another path");
  }
  const auto version = db->pragma("user_version");
  if (!version) return std::unexpected(version.error());
  if (*version < kOldestVersion || *version > Store::kSchemaVersion) {
    return fail(
        "it has schema version {}, this w4check reads and writes version {}; use the "
        "w4check that wrote it, or another path",
        *version, Store::kSchemaVersion);
  }
  if (*version < Store::kSchemaVersion && mode == Store::Mode::read) {
    return fail(
        "it has schema version {}, this w4check reads version {}; `w4check migrate {}` brings it "
        "up, and so does every command that writes to it",
        *version, Store::kSchemaVersion, path);
  }
  if (auto whole = check_damage(*db, path); !whole) return std::unexpected(whole.error());
  return version;
}

// Two processes may find no file at once: the second sees the first one's tables.
Result<void> create_schema(Database& db) {
  if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return begun;
  const auto version = db.pragma("user_version");
  if (!version) return std::unexpected(version.error());
  const std::string sql =
      *version != 0 ? "COMMIT"
                    : fmt::format("{} {} PRAGMA application_id={}; PRAGMA user_version={}; COMMIT",
                                  kSchema, kDocumentSchema, kApplicationId, Store::kSchemaVersion);
  return db.execute(sql.c_str());
}

// The tables first: a kill in between must not leave a file with SQLite's mark and not ours.
Result<void> make_ready(Database& db, bool content) {
  if (!content) {
    if (auto made = create_schema(db); !made) return made;
  }
  // synchronous=NORMAL in WAL mode: safe against the end of a process, no fsync per verdict.
  return db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
}

}  // namespace

std::string_view name_of(RunState s) {
  constexpr std::array<std::string_view, 4> kNames{"running", "complete", "interrupted", "stopped"};
  return kNames.at(static_cast<size_t>(s));
}

std::string_view name_of(RunKind k) { return k == RunKind::run ? "run" : "campaign"; }

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::string& path, Mode mode) {
  const Result<bool> content = has_content(path);
  if (!content) return about(path, content.error());
  int64_t version = 0;
  if (*content) {
    const auto fit = examine(path, mode);
    if (!fit) return about(path, fit.error());
    version = *fit;
  } else if (mode == Mode::read) {
    return fail("store '{}': there is no such store; `w4check run --db {}` makes one", path, path);
  }
  const int flags =
      mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  auto db = Database::open(path, flags);
  if (!db) return about(path, db.error());
  if (mode == Mode::write) {
    if (auto ready = make_ready(*db, *content); !ready) return about(path, ready.error());
  }
  auto impl = std::make_unique<Impl>(std::move(*db), path);
  if (*content && version < kSchemaVersion) {
    if (auto migrated = impl->migrate(); !migrated) return std::unexpected(migrated.error());
  }
  return Store(std::move(impl));
}

Result<void> Store::reading(const std::function<Result<void>()>& body) {
  if (auto begun = impl_->db.execute("BEGIN"); !begun) return about(impl_->path, begun.error());
  Result<void> done = body();
  if (auto ended = impl_->db.execute("COMMIT"); done && !ended) {
    return about(impl_->path, ended.error());
  }
  return done;
}

bool is_of_store(const std::string& file, const std::string& store) {
  namespace fs = std::filesystem;
  for (const char* end : {"", "-wal", "-shm", "-journal"}) {
    std::error_code ec;
    if (fs::equivalent(file, store + end, ec)) return true;
    const fs::path a = fs::weakly_canonical(file, ec), b = fs::weakly_canonical(store + end, ec);
    if (!ec && a == b) return true;
  }
  return false;
}

}  // namespace w4
