#include "campaign/diff/accepted.h"

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <sstream>

#include "campaign/diff/difference.h"
#include "campaign/plan.h"

namespace w4::diff {

Result<Accepted> Accepted::read(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return fail("--accept: {}", text.error().text);
  Accepted out;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    Entry e;
    e.line = number;
    if (!(words >> e.section) || e.section.starts_with('#')) continue;
    const auto wrong = [&](std::string_view what) {
      return fail("--accept: {}:{}: {}; legal: SECTION KEY REASON", path, number, what);
    };
    if (std::ranges::find(kSections, e.section) == kSections.end()) {
      return wrong(fmt::format("there is no section '{}' (sections: {})", e.section,
                               fmt::join(kSections, ", ")));
    }
    if (!(words >> e.key)) return wrong("the key of a difference is missing");
    std::getline(words >> std::ws, e.reason);
    if (e.reason.empty() || e.reason == "?") return wrong("nobody has written the reason");
    out.entries_.push_back(std::move(e));
  }
  return out;
}

bool Accepted::covers(std::string_view section, const std::string& key) {
  bool any = false;
  for (Entry& e : entries_) {
    if (e.section != section || fnmatch(e.key.c_str(), key.c_str(), 0) != 0) continue;
    e.used = any = true;
  }
  return any;
}

std::vector<std::string> Accepted::stale(const std::set<std::string>& sections) const {
  std::vector<std::string> out;
  for (const Entry& e : entries_) {
    if (!e.used && sections.contains(e.section))
      out.push_back(fmt::format("line {}: {} {}", e.line, e.section, e.key));
  }
  return out;
}

std::string accept_text(const std::set<std::pair<std::string, std::string>>& differences) {
  std::string out =
      "# Declared differences, for `w4check diff --accept`: SECTION KEY REASON. Write the reason "
      "in\n"
      "# place of each ?, and take out what must not be.\n";
  for (const auto& [section, key] : differences) out += fmt::format("{} {} ?\n", section, key);
  return out;
}

}  // namespace w4::diff
