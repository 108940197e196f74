#include "fuzz/options.h"

#include <string_view>

namespace w4::fuzz {

std::string list_targets() {
  std::string out;
  for (const auto& [name, target] : targets()) out += std::string(name) + "\n";
  return out;
}

Result<Options> parse_options(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--list") {
      o.list = true;
    } else if (word == "--target") {
      if (++i == argc) return fail("--target needs a name; legal:\n{}", list_targets());
      o.name = argv[i];
    } else if (word.starts_with("--target=")) {
      o.name = word.substr(9);
    } else {
      o.rest.emplace_back(word);
    }
  }
  if (o.list) return o;
  if (o.name.empty() && targets().size() == 1) o.name = targets().begin()->first;
  const auto found = targets().find(o.name);
  if (found == targets().end()) {
    return fail("--target is '{}'; legal:\n{}", o.name, list_targets());
  }
  o.target = found->second;
  return o;
}

}  // namespace w4::fuzz
