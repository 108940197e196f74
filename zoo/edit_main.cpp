// w4_zoo_edit [--stale FILE] EDIT SOURCE_ROOT OUT_ROOT: writes the edited copies of the files an
// .edit names under OUT_ROOT, at the same relative paths. Used by the build. With --stale an edit
// that does not apply is no error: the copies are clean ones, and FILE says why; otherwise there is
// no FILE.
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

using Files = std::map<std::string, std::string>;

w4::Result<Files> edited(const std::vector<w4::Edit>& edits, Files files) {
  for (const w4::Edit& edit : edits) {
    if (!files.contains(edit.file)) return w4::fail("no file {}", edit.file);
    auto text = w4::apply_edit(edit, files.at(edit.file));
    if (!text) return std::unexpected(text.error());
    files.at(edit.file) = std::move(*text);
  }
  return files;
}

w4::Result<void> edit_all(const std::filesystem::path& edit_file, const std::filesystem::path& from,
                          const std::filesystem::path& to, const std::filesystem::path& stale) {
  const auto text = read(edit_file);
  if (!text) return std::unexpected(text.error());
  const auto edits = w4::parse_edits(*text);
  if (!edits) return std::unexpected(edits.error());
  Files files;
  for (const w4::Edit& edit : *edits) {
    if (auto source = read(from / edit.file)) files[edit.file] = std::move(*source);
  }
  auto done = edited(*edits, files);
  if (!done && stale.empty()) return std::unexpected(done.error());
  if (!stale.empty()) std::filesystem::remove(stale);
  if (!done) {
    if (auto said = write(stale, done.error().text + "\n"); !said) return said;
  } else {
    files = std::move(*done);
  }
  for (const auto& [name, content] : files) {
    if (auto written = write(to / name, content); !written) return written;
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const bool may_be_stale = argc == 6 && std::string_view(argv[1]) == "--stale";
  if (argc != 4 && !may_be_stale) {
    fmt::print(stderr, "usage: w4_zoo_edit [--stale FILE] EDIT SOURCE_ROOT OUT_ROOT\n");
    return 2;
  }
  char** const words = argv + argc - 3;
  if (const auto done = edit_all(words[0], words[1], words[2], may_be_stale ? argv[2] : "");
      !done) {
    fmt::print(stderr, "{}: {}\n", words[0], done.error().text);
    return 1;
  }
  return 0;
}
