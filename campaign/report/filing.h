// --db of a command whose result is a document of the store (results/documents.h), which the report
// shows: opened before the work begins, so that a wrong file costs none of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

class Filing {
 public:
  // `db`: made where missing; empty: nothing will be filed. Errors name --db, or --json where that
  // is the store itself or one of its logs.
  static Result<Filing> open(const std::string& db, const std::string& json);

  // One of the same kind, name and build is replaced. `name`: what was asked. False where it could
  // not be filed, which has then been said on stderr.
  bool file(std::string_view kind, const std::string& name, const std::string& json);
  // What was interrupted would replace a whole one: says that nothing is filed.
  void leave_out(std::string_view kind) const;

 private:
  std::string path_;
  std::optional<Store> store_;
};

}  // namespace w4
