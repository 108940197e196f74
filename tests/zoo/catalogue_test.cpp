// The catalogue of defects as files, without building any: every row of docs/defects.md has a
// mutant or a reason, every mutant has its files, and what its .expect names exists.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "core/case.h"
#include "core/contract.h"
#include "zoo/edit.h"
#include "zoo/expect.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = W4_ROOT;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::istringstream in(read(path));
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && !line.starts_with('#')) out.push_back(line);
  }
  return out;
}

// First cells of the rows of a Markdown table that `is` accepts, in order.
template <class F>
std::vector<std::string> first_cells(const fs::path& path, const F& is) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(path)) {
    if (!line.starts_with("| ")) continue;
    const std::string cell = line.substr(2, line.find(" |", 2) - 2);
    if (is(cell)) out.push_back(cell);
  }
  return out;
}

bool is_id(const std::string& cell) {
  return cell.size() >= 2 && (cell[0] == 'B' || cell[0] == 'K') &&
         std::ranges::all_of(cell.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

const std::vector<std::string>& defects() {
  static const auto all = first_cells(kRoot / "docs/defects.md", is_id);
  return all;
}

bool is_defect(const std::string& id) {
  return std::ranges::find(defects(), id) != defects().end();
}

struct Mutant {
  fs::path stem;  // zoo/family/id
  std::string name() const { return stem.parent_path().filename() / stem.filename(); }
  std::string file(const char* extension) const { return read(stem.string() + extension); }
};

// Whatever has an .expect; `explain` and `drift` hold edits that are no defects of the table.
std::vector<Mutant> mutants() {
  std::vector<Mutant> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "zoo")) {
    fs::path path = entry.path();
    if (path.extension() == ".expect") found.push_back({path.replace_extension()});
  }
  std::ranges::sort(found, {}, &Mutant::stem);
  return found;
}

Expect expect_of(const Mutant& m) {
  const auto e = parse_expect(m.file(".expect"));
  EXPECT_TRUE(e) << m.name() << ": " << (e ? "" : e.error().text);
  return e.value_or(Expect{});
}

// "B62  reason" or "family/id  proof": the first word of each line, in order.
std::vector<std::string> first_words(const char* file) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(kRoot / "zoo" / file)) {
    const size_t end = line.find(' ');
    EXPECT_NE(end, line.npos) << file << ": no reason in: " << line;
    out.push_back(line.substr(0, end));
  }
  return out;
}

TEST(Defects, TheTableHasEveryIdOnceAndInOrder) {
  std::vector<std::string> expected;
  for (int i = 1; i <= 95; ++i) expected.push_back((i < 10 ? "B0" : "B") + std::to_string(i));
  for (int i = 1; i <= 36; ++i) expected.push_back("K" + std::to_string(i));
  EXPECT_EQ(defects(), expected);
}

TEST(Defects, EachIsCoveredByAMutantOrNotApplicableAndNeverBoth) {
  std::map<std::string, std::string> by;  // defect -> a mutant
  for (const Mutant& m : mutants()) {
    for (const std::string& id : expect_of(m).covers) by.emplace(id, m.name());
  }
  std::set<std::string> no;
  for (const std::string& id : first_words("not_applicable.txt")) {
    EXPECT_TRUE(is_defect(id)) << "not_applicable.txt: " << id << " is no row of docs/defects.md";
    EXPECT_TRUE(no.insert(id).second) << "not_applicable.txt: " << id << " a second time";
    EXPECT_FALSE(by.contains(id)) << id << " is not applicable, and " << by[id] << " covers it";
  }
  for (const std::string& id : defects()) {
    EXPECT_TRUE(by.contains(id) || no.contains(id))
        << id << " has no mutant and no line in not_applicable.txt";
  }
}

TEST(Defects, ReasonsStandInTheOrderOfTheTable) {
  const auto at = [](const std::string& id) {
    return std::ranges::find(defects(), id) - defects().begin();
  };
  EXPECT_TRUE(std::ranges::is_sorted(first_words("not_applicable.txt"), {}, at));
}

TEST(Mutants, EachHasItsFilesAndItsEditFits) {
  std::set<std::string> ids;
  for (const Mutant& m : mutants()) {
    EXPECT_TRUE(ids.insert(m.stem.filename()).second) << m.name() << ": the id stands twice";
    const std::string text = m.file(".edit");
    EXPECT_TRUE(text.starts_with("# ")) << m.name() << ": no sentence what the defect means";
    const auto edits = parse_edits(text);
    ASSERT_TRUE(edits) << m.name() << ": " << edits.error().text;
    std::map<std::string, std::string> files;
    for (const Edit& edit : *edits) {
      EXPECT_TRUE(edit.file.starts_with("kernels/")) << m.name() << ": " << edit.file;
      if (!files.contains(edit.file)) files[edit.file] = read(kRoot / edit.file);
      const auto edited = apply_edit(edit, files[edit.file]);
      ASSERT_TRUE(edited) << "stale: " << m.name() << ": " << edited.error().text;
      files[edit.file] = *edited;
    }
    const std::string cases = m.file(".case");
    if (!expect_of(m).audit || cases.find("=") != cases.npos) {
      EXPECT_TRUE(parse_cases(cases, m.name() + ".case")) << m.name();
    }
    EXPECT_EQ(cases.find("module="), cases.npos) << m.name();
  }
  EXPECT_GE(ids.size(), 4u);
}

TEST(Mutants, NameOnlyWhatExists) {
  const auto hypotheses = first_cells(kRoot / "docs/explain.md",
                                      [](const std::string& cell) { return cell[0] == '`'; });
  const std::string kernels = read(kRoot / "kernels/kernels.inc");
  for (const Mutant& m : mutants()) {
    const Expect e = expect_of(m);
    for (const std::string& id : e.covers) EXPECT_TRUE(is_defect(id)) << m.name() << ": " << id;
    for (const std::string& name : e.explain) {
      EXPECT_TRUE(name == "none" ||
                  std::ranges::find(hypotheses, "`" + name + "`") != hypotheses.end())
          << m.name() << ": " << name << " is not in the table of docs/explain.md";
    }
    for (const std::string& row : e.rows) {
      EXPECT_NE(kernels.find("W4_KERNEL(" + row + ")"), kernels.npos) << m.name() << ": " << row;
    }
    for (const std::string& clause : e.clauses) {
      // `arch` is the kernels' own name for a device without code.
      EXPECT_TRUE(clause == "arch" || find_clause(clause) != nullptr) << m.name() << ": " << clause;
    }
  }
}

TEST(Mutants, ThatAreEquivalentExist) {
  std::set<std::string> names;
  for (const Mutant& m : mutants()) names.insert(m.name());
  for (const std::string& name : first_words("equivalent.txt")) {
    EXPECT_TRUE(names.contains(name)) << "equivalent.txt: no " << name;
  }
}

}  // namespace
}  // namespace w4
