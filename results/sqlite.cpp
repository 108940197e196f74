#include "results/sqlite.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace w4 {
namespace {

constexpr int kBusyMs = 10000;

std::unexpected<Error> not_writable(sqlite3* db) {
  return fail(
      "it or its folder may not be written to, and SQLite keeps a log beside a store even to "
      "read it; copy it to a folder where you may write (SQLite: {})",
      sqlite3_errmsg(db));
}

// Says of a full disk and of a disk that fails what they mean for what is stored.
std::unexpected<Error> failure(sqlite3* db) {
  constexpr std::string_view kWhole = "what was stored before is whole and can be read";
  switch (sqlite3_errcode(db)) {
    case SQLITE_FULL:
      return fail("cannot write: no space is left; {} (SQLite: {})", kWhole, sqlite3_errmsg(db));
    case SQLITE_IOERR: {
      const int cause = sqlite3_system_errno(db);
      return fail("cannot read or write: {}; {} (SQLite: {})",
                  cause == 0 ? "the disk fails, or the file may not grow" : std::strerror(cause),
                  kWhole, sqlite3_errmsg(db));
    }
    case SQLITE_READONLY:
      return not_writable(db);
    // Of a store on a disk that is read only, whose log SQLite cannot make.
    case SQLITE_CANTOPEN:
      if (const int cause = sqlite3_system_errno(db); cause == EROFS || cause == EACCES) {
        return not_writable(db);
      }
      return fail("SQLite: {}", sqlite3_errmsg(db));
    case SQLITE_CORRUPT:
      return fail("it is damaged or cut short: take another copy of it (SQLite: {})",
                  sqlite3_errmsg(db));
    default:
      return fail("SQLite: {}", sqlite3_errmsg(db));
  }
}

}  // namespace

void Statement::bind(int parameter, int64_t value) {
  sqlite3_bind_int64(handle_.get(), parameter, value);
}

void Statement::bind(int parameter, double value) {
  sqlite3_bind_double(handle_.get(), parameter, value);
}

void Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(handle_.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
}

Result<bool> Statement::step() {
  const int rc = sqlite3_step(handle_.get());
  if (rc == SQLITE_ROW) return true;
  std::unexpected<Error> error = failure(sqlite3_db_handle(handle_.get()));
  sqlite3_reset(handle_.get());
  if (rc == SQLITE_DONE) return false;
  return error;
}

Result<void> Statement::run() {
  const Result<bool> row = step();
  if (!row) return std::unexpected(row.error());
  return {};
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(handle_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

bool Statement::null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

Result<Database> Database::open(const std::string& path, int flags) {
  Database db;
  sqlite3* handle = nullptr;
  // To SQLite ":memory:" and "file:a.db" are no names of files; an absolute path always is one.
  std::error_code ec;
  const std::string whole = std::filesystem::absolute(path, ec).string();
  if (ec) return fail("{}", ec.message());
  const int rc = sqlite3_open_v2(whole.c_str(), &handle, flags, nullptr);
  db.handle_.reset(handle);
  if (rc != SQLITE_OK) return failure(handle);
  sqlite3_busy_timeout(handle, kBusyMs);
  return db;
}

Result<void> Database::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return failure(handle_.get());
  }
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle,
                         nullptr) != SQLITE_OK) {
    return failure(handle_.get());
  }
  Statement s;
  s.handle_.reset(handle);
  return s;
}

Result<Statement*> Database::kept(std::string_view sql) {
  const auto at = statements_.find(sql);
  if (at != statements_.end()) {
    at->second->reset();
    return at->second.get();
  }
  Result<Statement> s = prepare(sql);
  if (!s) return std::unexpected(s.error());
  auto owned = std::make_unique<Statement>(std::move(*s));
  return statements_.emplace(sql, std::move(owned)).first->second.get();
}

Result<int64_t> Database::pragma(const char* name) {
  Result<Statement> s = prepare(fmt::format("PRAGMA {}", name));
  if (!s) return std::unexpected(s.error());
  const Result<bool> row = s->step();
  if (!row) return std::unexpected(row.error());
  return *row ? s->integer(0) : 0;
}

}  // namespace w4
