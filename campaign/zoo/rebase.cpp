#include "campaign/zoo/rebase.h"

#include <fmt/format.h>

#include <map>

#include "campaign/commands.h"
#include "results/text.h"
#include "zoo/edit.h"
#include "zoo/nearest.h"

namespace w4::zoo {
namespace {

// The reason why an edit file does not apply, with what comes nearest; empty: it applies.
std::string trouble(const std::filesystem::path& edit_file, const std::filesystem::path& root) {
  const auto text = read_file(edit_file);
  if (!text) return text.error().text + "\n";
  const auto edits = parse_edits(*text);
  if (!edits) return edits.error().text + "\n";
  std::map<std::string, std::string> files;
  std::string out;
  for (const Edit& e : *edits) {
    if (!files.contains(e.file)) {
      auto source = read_file(root / e.file);
      if (!source) {
        out += fmt::format("line {}: no file {}\n", e.line, e.file);
        continue;
      }
      files[e.file] = std::move(*source);
    }
    std::string& source = files[e.file];
    auto edited = apply_edit(e, source);
    if (edited) {
      source = std::move(*edited);
      continue;
    }
    out += fmt::format("line {}: {}\n", e.line, edited.error().text);
    const auto near = nearest(e.find, source);
    if (!near) continue;
    out +=
        fmt::format("  nearest, {:.0f} % alike, {}:{}:\n", 100 * near->alike, e.file, near->line);
    for (const std::string& l : near->lines) out += fmt::format("  - {}\n", l);
  }
  return out;
}

}  // namespace

int rebase(const Catalogue& all) {
  int stale = 0;
  for (const Mutant& m : all.mutants) {
    const std::string text = trouble(m.edit, all.root.parent_path());
    if (text.empty()) continue;
    ++stale;
    fmt::print("{}/{}.edit: {}", m.family, m.id, printable_utf8(text));
  }
  fmt::print("{} of {} edits apply\n", all.mutants.size() - static_cast<size_t>(stale),
             all.mutants.size());
  return stale == 0 ? kGreen : kRed;
}

}  // namespace w4::zoo
