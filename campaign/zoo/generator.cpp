#include "campaign/zoo/generator.h"

namespace w4::zoo {

std::string_view name_of(Generator g) {
  switch (g) {
    case Generator::own:
      return "own";
    case Generator::audit:
      return "audit";
    case Generator::random:
      return "random";
    case Generator::suites:
      return "suites";
  }
  return "own";
}

std::string_view says_of(Generator g) {
  switch (g) {
    case Generator::own:
      return "the lines beside the mutant";
    case Generator::audit:
      return "no cases: the audits of the kernel table and of selection";
    case Generator::random:
      return "legal cases, illegal ones and relations, drawn by seed as a campaign does";
    case Generator::suites:
      return "the suites smoke, boundary, moe and sweep, in an order by seed";
  }
  return "";
}

std::optional<Generator> generator_from(std::string_view name) {
  for (const Generator g : kGenerators) {
    if (name_of(g) == name) return g;
  }
  return std::nullopt;
}

}  // namespace w4::zoo
