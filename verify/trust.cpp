#include <fmt/format.h>

#include "core/fill.h"
#include "reference/compare.h"
#include "verify/judge.h"

namespace w4 {
namespace {

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool starts = at == 0 || text[at - 1] == ' ';
    const bool ends = end == text.size() || text[end] == ' ' || text[end] == ';';
    if (starts && ends) return true;
  }
  return false;
}

// The first property of the call that the instantiation does not name.
std::string wrong_instantiation(const Setup& setup, const std::string& ran) {
  const Problem& p = setup.line.problem;
  std::vector<std::string> wanted{fmt::format("m{}", p.experts > 0 ? p.blockm : p.m),
                                  fmt::format("g{}", p.g), std::string(name_of(p.act))};
  if (p.tile) wanted.push_back(to_string(*p.tile));
  for (const std::string& word : wanted) {
    if (!has_word(ran, word)) return word;
  }
  return "";
}

}  // namespace

std::string distrust(const Setup& setup, const Run& run, const Comparison& compared) {
  if (const std::string word = wrong_instantiation(setup, run.instantiation); !word.empty()) {
    return fmt::format("the instantiation that ran, '{}', is not the one wanted: no '{}'",
                       run.instantiation, word);
  }
  if (setup.own_data || !promises_signal(setup.line.fill)) return "";
  if (2 * compared.weak > compared.products) {
    return fmt::format("the bound is above an eighth of the answer for {} of {} elements",
                       compared.weak, compared.products);
  }
  if (2 * compared.silent > compared.products) {
    return fmt::format("{} of {} outputs are zero or not finite", compared.silent,
                       compared.products);
  }
  return "";
}

}  // namespace w4
