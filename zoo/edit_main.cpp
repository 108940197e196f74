// w4_zoo_edit EDIT SOURCE_ROOT OUT_ROOT: writes the edited copies of the files an .edit names under
// OUT_ROOT, at the same relative paths. Used by the build.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "zoo/edit.h"

namespace {

w4::Result<std::string> read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return w4::fail("cannot read {}", path.string());
  return std::string(std::istreambuf_iterator<char>(in), {});
}

w4::Result<void> write(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) return w4::fail("cannot write {}", path.string());
  return {};
}

w4::Result<void> edit_all(const std::filesystem::path& edit_file, const std::filesystem::path& from,
                          const std::filesystem::path& to) {
  const auto text = read(edit_file);
  if (!text) return std::unexpected(text.error());
  const auto edits = w4::parse_edits(*text);
  if (!edits) return std::unexpected(edits.error());
  std::map<std::string, std::string> files;
  for (const w4::Edit& edit : *edits) {
    if (!files.contains(edit.file)) {
      auto source = read(from / edit.file);
      if (!source) return std::unexpected(source.error());
      files.emplace(edit.file, std::move(*source));
    }
    auto edited = w4::apply_edit(edit, files.at(edit.file));
    if (!edited) return std::unexpected(edited.error());
    files.at(edit.file) = std::move(*edited);
  }
  for (const auto& [name, content] : files) {
    if (auto done = write(to / name, content); !done) return done;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: w4_zoo_edit EDIT SOURCE_ROOT OUT_ROOT\n");
    return 2;
  }
  if (const auto done = edit_all(argv[1], argv[2], argv[3]); !done) {
    fmt::print(stderr, "{}: {}\n", argv[1], done.error().text);
    return 1;
  }
  return 0;
}
