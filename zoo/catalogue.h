// The mutants of a build: its zoo.txt names the folder of their sources and, for each, the module
// that holds it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "zoo/expect.h"

namespace w4 {

struct Mutant {
  std::string family, id;
  std::string says;              // the comment its edit opens with, one line
  std::filesystem::path edit;    // its source
  std::filesystem::path module;  // may not have been built
  Expect expect;
  std::vector<Case> cases;   // of its .case; may be none where an audit is to say it
  std::string stale;         // why its edit does not apply; empty: it does
  std::string equivalent{};  // the proof of equivalent.txt that nothing shows it; empty: none
};

struct Catalogue {
  std::filesystem::path root;      // zoo/ of the source tree
  std::vector<Mutant> mutants;     // by family, then id
  std::vector<std::string> quick;  // "family/id" of quick.txt
};

// Reads `list`, a zoo.txt, and the files it names, whose paths are absolute or start at its folder.
// Errors name file and line.
Result<Catalogue> read_catalogue(const std::filesystem::path& list);

Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace w4
