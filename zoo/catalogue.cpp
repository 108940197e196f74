#include "zoo/catalogue.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace w4 {
namespace {

namespace fs = std::filesystem;

// The comment lines before the first `file`, joined.
std::string opening_comment(const std::string& edit) {
  std::string out;
  std::istringstream in(edit);
  for (std::string line; std::getline(in, line) && line.starts_with('#');) {
    const size_t at = line.find_first_not_of("# ");
    if (at == std::string::npos) continue;
    if (!out.empty()) out += ' ';
    out += line.substr(at);
  }
  return out;
}

bool has_a_case(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const size_t at = line.find_first_not_of(" \t\r");
    if (at != std::string::npos && line[at] != '#') return true;
  }
  return false;
}

Result<void> fill(Mutant& m, const fs::path& folder) {
  m.edit = folder / (m.id + ".edit");
  const auto edit = read_file(m.edit);
  if (!edit) return std::unexpected(edit.error());
  m.says = opening_comment(*edit);
  const fs::path expect_file = folder / (m.id + ".expect");
  const auto text = read_file(expect_file);
  if (!text) return std::unexpected(text.error());
  auto expect = parse_expect(*text);
  if (!expect) return fail("{}: {}", expect_file.string(), expect.error().text);
  m.expect = std::move(*expect);
  const fs::path case_file = folder / (m.id + ".case");
  const auto lines = read_file(case_file);
  if (!lines) return std::unexpected(lines.error());
  if (m.expect.audit && !has_a_case(*lines)) return {};
  auto cases = parse_cases(*lines, case_file.string());
  if (!cases) return std::unexpected(cases.error());
  m.cases = std::move(*cases);
  return {};
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot read {}", path.string());
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<Catalogue> read_catalogue(const fs::path& list) {
  const auto text = read_file(list);
  if (!text) return std::unexpected(text.error());
  Catalogue out;
  const fs::path here = list.parent_path();  // of paths that are not absolute
  std::istringstream in(*text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    number++;
    if (number == 1) {
      if (!line.starts_with("root ")) return fail("{}:1: no `root`", list.string());
      out.root = here / line.substr(5);
      continue;
    }
    std::istringstream words(line);
    Mutant m;
    std::string module, stale;
    if (!(words >> m.family >> m.id >> module >> stale)) {
      return fail("{}:{}: '{}'; legal: family id module stale", list.string(), number, line);
    }
    m.module = here / module;
    if (auto done = fill(m, out.root / m.family); !done) return std::unexpected(done.error());
    if (fs::exists(here / stale))
      m.stale = read_file(here / stale).value_or("its edit does not apply");
    while (m.stale.ends_with('\n')) m.stale.pop_back();
    out.mutants.push_back(std::move(m));
  }
  if (const auto quick = read_file(out.root / "quick.txt")) {
    std::istringstream lines(*quick);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.front() != '#') out.quick.push_back(line);
    }
  }
  if (const auto proofs = read_file(out.root / "equivalent.txt")) {
    std::istringstream lines(*proofs);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.front() == '#') continue;
      const size_t end = line.find_first_of(" \t");
      const size_t proof = line.find_first_not_of(" \t", end);
      const auto m = std::ranges::find_if(out.mutants, [&](const Mutant& x) {
        return x.family + "/" + x.id == line.substr(0, end);
      });
      if (m == out.mutants.end() || proof == std::string::npos) {
        return fail("{}: '{}'; legal: family/id of a mutant and the proof",
                    (out.root / "equivalent.txt").string(), line);
      }
      m->equivalent = line.substr(proof);
    }
  }
  return out;
}

}  // namespace w4
