// The few SQLite calls the store makes, with errors as values.
#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/result.h"

namespace w4 {

// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
 public:
  void bind(int parameter, int64_t value);
  void bind(int parameter, double value);  // NaN: NULL
  void bind(int parameter, std::string_view text);
  template <class T>
  void bind(int parameter, const std::optional<T>& value) {
    if (value) return bind(parameter, *value);
    sqlite3_bind_null(handle_.get(), parameter);
  }
  // All parameters in order, from the first.
  template <class... A>
  void bind_all(const A&... values) {
    int parameter = 0;
    (bind_one(++parameter, values), ...);
  }
  // True: a row is there; false: done (and reset for the next use).
  Result<bool> step();
  // For statements without rows.
  Result<void> run();
  void reset() { sqlite3_reset(handle_.get()); }

  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  bool null(int column) const;

 private:
  friend class Database;
  template <class T>
  void bind_one(int parameter, const T& value) {
    if constexpr (std::integral<T>) {
      bind(parameter, static_cast<int64_t>(value));
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      bind(parameter, std::string_view(value));
    } else {
      bind(parameter, value);
    }
  }
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

class Database {
 public:
  // `path` is that of a file, whatever it is called. `flags` as of sqlite3_open_v2. A locked
  // database is waited for, ten seconds at most.
  static Result<Database> open(const std::string& path, int flags);
  Result<void> execute(const char* sql);
  Result<Statement> prepare(std::string_view sql);

  // The following keep the statement for the next time: `sql` is text of the program, not data.
  // A statement that yields rows; the caller steps it to its end or resets it.
  template <class... A>
  Result<Statement*> query(std::string_view sql, const A&... values) {
    Result<Statement*> s = kept(sql);
    if (s) (*s)->bind_all(values...);
    return s;
  }
  template <class... A>
  Result<void> run(std::string_view sql, const A&... values) {
    const Result<Statement*> s = query(sql, values...);
    if (!s) return std::unexpected(s.error());
    return (*s)->run();
  }
  // The first column of the first row; nullopt where there is no row.
  template <class... A>
  Result<std::optional<int64_t>> integer(std::string_view sql, const A&... values) {
    const Result<Statement*> s = query(sql, values...);
    if (!s) return std::unexpected(s.error());
    const Result<bool> row = (*s)->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return std::nullopt;
    const int64_t value = (*s)->integer(0);
    (*s)->reset();
    return value;
  }

  Result<int64_t> pragma(const char* name);  // of one that yields an integer
  int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  int64_t changes() const {
    return sqlite3_changes64(handle_.get());
  }  // rows of the last statement

 private:
  Result<Statement*> kept(std::string_view sql);
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::unordered_map<std::string_view, std::unique_ptr<Statement>> statements_;
};

}  // namespace w4
