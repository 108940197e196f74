// Differences that somebody has declared: a file to read and review, one a line,
//   SECTION KEY REASON…
// SECTION and KEY as `w4check diff` names a difference; * and ? in KEY stand for any characters, as
// in file names. REASON is for people, and has to be there. # starts a comment.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4::diff {

class Accepted {
 public:
  // Errors name file, line and what is legal there.
  static Result<Accepted> read(const std::string& path);

  // Whether an entry declares the difference; that entry is not stale.
  bool covers(std::string_view section, const std::string& key);

  // Entries of these sections that declared nothing, "line 3: contract decode/…".
  std::vector<std::string> stale(const std::set<std::string>& sections) const;

 private:
  struct Entry {
    int line = 0;
    std::string section, key, reason;
    bool used = false;
  };
  std::vector<Entry> entries_;
};

// The file's text for these differences (section, key), each with a ? where the reason goes: read()
// refuses it until somebody has written one.
std::string accept_text(const std::set<std::pair<std::string, std::string>>& differences);

}  // namespace w4::diff
