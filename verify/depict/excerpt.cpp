#include "verify/depict/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace w4::depict {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPlaces = 3;  // of one party
constexpr size_t kLongest = 200;

// Debug information of reproducible builds names files from the top of the source tree: looked for
// here and above, and above this program.
fs::path found(const fs::path& path) {
  std::error_code ec;
  if (path.is_absolute()) return path;
  for (fs::path from :
       {fs::current_path(ec), fs::read_symlink("/proc/self/exe", ec).parent_path()}) {
    for (; !from.empty(); from = from.parent_path()) {
      if (fs::is_regular_file(from / path, ec)) return from / path;
      if (from == from.root_path()) break;
    }
  }
  return path;
}

ShownParty show_party(const Party& p) {
  ShownParty out{.party = p, .excerpts = {}, .why_not = {}};
  for (const std::string& file : p.files) {
    if (out.excerpts.size() == kPlaces) break;
    out.excerpts.push_back(excerpt_of(file));
  }
  if (!out.excerpts.empty()) return out;
  out.why_not = p.pc == 0 ? "where in the code this was is not known"
                          : "the code object holds no line for this instruction";
  return out;
}

}  // namespace

Excerpt excerpt_of(const std::string& file, int64_t around) {
  Excerpt out;
  const size_t colon = file.rfind(':');
  const fs::path path = found(file.substr(0, colon));
  out.place = path.filename().string();
  if (colon == std::string::npos) {
    out.why_not = "no line is known";
    return out;
  }
  std::from_chars(file.data() + colon + 1, file.data() + file.size(), out.line);
  out.place += fmt::format(":{}", out.line);
  std::error_code ec;
  std::ifstream in;
  if (fs::is_regular_file(path, ec)) in.open(path);
  if (!in.is_open()) {
    out.why_not = "the file is not on this machine, or cannot be read";
    return out;
  }
  out.first = std::max<int64_t>(1, out.line - around);
  std::string text;
  for (int64_t n = 1; n <= out.line + around && std::getline(in, text); ++n) {
    if (n < out.first) continue;
    out.text.push_back(text.size() > kLongest ? text.substr(0, kLongest) + "…" : text);
  }
  // Shorter than the debug information says: another version of the file.
  if (out.first + static_cast<int64_t>(out.text.size()) <= out.line) {
    out.text.clear();
    out.why_not = "the file has changed: it has no such line any more";
  }
  return out;
}

ShownFinding show(const Finding& f) {
  ShownFinding out{.finding = f, .at = show_party(f.at), .other = {}};
  if (f.other) out.other.push_back(show_party(*f.other));
  return out;
}

}  // namespace w4::depict
