// The catalogue of faults of the instrument, without injecting any: what is listed must fit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "zoo/edit.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> catalogue() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(W4_ROOT "/zoo/instrument")) {
    if (entry.path().extension() == ".edit") found.push_back(entry.path());
  }
  return found;
}

std::string id_of(const fs::path& path) {
  return path.parent_path().filename().string() + "/" + path.stem().string();
}

TEST(Instrument, EveryFaultSaysWhatItMeansAndFitsTheSources) {
  for (const fs::path& path : catalogue()) {
    const std::string text = read(path);
    EXPECT_TRUE(text.starts_with("# ")) << id_of(path) << ": no sentence what the fault means";
    const auto edits = parse_edits(text);
    ASSERT_TRUE(edits) << id_of(path) << ": " << edits.error().text;
    EXPECT_EQ(edits->size(), 1u) << id_of(path) << ": a fault is one edit";
    const Edit& edit = edits->front();
    EXPECT_TRUE(edit.file.starts_with("rdna/")) << id_of(path) << ": " << edit.file;
    const auto edited = apply_edit(edit, read(fs::path(W4_ROOT) / edit.file));
    EXPECT_TRUE(edited) << "stale: " << id_of(path) << ": " << edited.error().text;
  }
}

TEST(Instrument, HasEnoughFaults) { EXPECT_GE(catalogue().size(), 130u); }

TEST(Instrument, ExplainsFaultsThatExist) {
  std::set<std::string> ids;
  for (const fs::path& path : catalogue()) ids.insert(id_of(path));
  std::ifstream in(W4_ROOT "/zoo/instrument/explained.txt");
  ASSERT_TRUE(in);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#') || line.starts_with(' ')) continue;
    const size_t colon = line.find(": ");
    ASSERT_NE(colon, line.npos) << line << "; legal: family/id: reason";
    EXPECT_TRUE(ids.contains(line.substr(0, colon))) << line;
  }
}

}  // namespace
}  // namespace w4
