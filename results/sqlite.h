// The few SQLite calls the store makes, with errors as values.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
 public:
  void bind(int parameter, int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view text);
  // True: a row is there; false: done (and reset for the next use).
  Result<bool> step();
  // For statements without rows.
  Result<void> run();

  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

class Database {
 public:
  // `flags` as of sqlite3_open_v2. A locked database is waited for, ten seconds at most.
  static Result<Database> open(const std::string& path, int flags);
  Result<void> execute(const char* sql);
  Result<Statement> prepare(std::string_view sql);
  Result<int64_t> pragma(const char* name);  // of one that yields an integer
  int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace w4
