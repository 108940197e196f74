// Stores that no command writes in a second: what tests and benches of the report read.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "results/store.h"

namespace w4::testing {

// Each makes the file `path` anew.
void unfinished_store(const std::string& path);  // planned, begun, nothing red so far
void empty_store(const std::string& path);       // a run that judged nothing
void hostile_store(const std::string& path);     // text that nobody would choose, in every column
// Documents in the shape that commands write, with these texts in every place of one.
void file_hostile_documents(Store& store, const std::vector<std::string>& texts);
// 100,000 cases as a campaign of random cases draws them, 200 failures with all that a page of one
// can show.
void large_store(const std::string& path);

// Of one failure of the store on disk there is no use to go on.
template <class T>
T must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "w4_report_store: {}\n", result.error().text);
    std::exit(3);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace w4::testing
