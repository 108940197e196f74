#include "intake/manifest_symbols.h"

#include <algorithm>

#include "intake/manifest_keys.h"

namespace w4 {
namespace {

constexpr size_t kMaxList = 64;

void bounded(const ManifestValues& values, const Json& v, const std::string& key) {
  if (v.items.empty() || v.items.size() > kMaxList) {
    values.wrong(v, key, "{} members; legal: 1 to {}", v.items.size(), kMaxList);
  }
}

ManifestSymbol::Part hole(const ManifestValues& values, const Json& v, const std::string& key,
                          const std::string& inside, const std::vector<ManifestWord>& words) {
  ManifestSymbol::Part part;
  const auto word = std::ranges::find(words, inside, &ManifestWord::name);
  if (word != words.end()) {
    part.kind = ManifestSymbol::Part::Kind::word;
    part.word = static_cast<size_t>(word - words.begin());
    return part;
  }
  auto e = Expression::parse(inside);
  if (!e) {
    values.wrong(
        v, key, "in {{{}}}: {}; or a word of bind: {}", inside.substr(0, 80), e.error().text,
        words.empty() ? "there is none" : names(words, [](const auto& w) { return w.name; }));
  }
  part.kind = ManifestSymbol::Part::Kind::number;
  part.number = std::move(*e);
  return part;
}

std::vector<ManifestSymbol::Part> parts_of(const ManifestValues& values, const Json& v,
                                           const std::string& key,
                                           const std::vector<ManifestWord>& words) {
  std::vector<ManifestSymbol::Part> parts;
  const std::string& text = v.text;
  size_t at = 0;
  while (at < text.size()) {
    const size_t open = text.find_first_of("{}", at);
    const std::string literal = without_blanks(text.substr(at, open - at));
    if (!literal.empty()) parts.emplace_back().text = literal;
    if (open == text.npos) break;
    const size_t close = text.find_first_of("{}", open + 1);
    if (text[open] == '}' || close == text.npos || text[close] == '{') {
      values.wrong(v, key, "{}: a brace without its other half at character {}", shown(v),
                   open + 1);
    }
    if (literal.empty() && !parts.empty()) {
      values.wrong(v, key, "{}: two {{}} with nothing in between at character {}", shown(v),
                   open + 1);
    }
    parts.push_back(hole(values, v, key, text.substr(open + 1, close - open - 1), words));
    at = close + 1;
  }
  if (parts.empty()) values.wrong(v, key, "{}; legal: the name of a kernel", shown(v));
  return parts;
}

ManifestSymbol one_symbol(const ManifestValues& values, const Json& v, const std::string& key,
                          const std::vector<ManifestWord>& words) {
  ManifestSymbol s;
  if (v.kind == Json::Kind::text) {
    s.text = values.text(v, key);
    s.place = values.place(v, key);
    return s;
  }
  if (v.kind != Json::Kind::object) {
    values.wrong(v, key, "{}; legal: a text, an object, or a list of them", shown(v));
  }
  values.object(v, key, manifest_keys::kSymbol);
  const Json *symbol = v.find("symbol"), *pattern = v.find("pattern");
  if ((symbol == nullptr) == (pattern == nullptr)) {
    values.wrong(v, key, "these keys do not go together; legal: one of symbol, pattern");
  }
  const Json& name = symbol != nullptr ? *symbol : *pattern;
  const std::string at = key + (symbol != nullptr ? ".symbol" : ".pattern");
  s.text = values.text(name, at);
  s.place = values.place(name, at);
  if (pattern != nullptr) s.parts = parts_of(values, name, at, words);
  if (const Json* when = v.find("when")) s.when = values.expression(*when, key + ".when");
  return s;
}

}  // namespace

std::string without_blanks(std::string_view text) {
  std::string out(text);
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

std::vector<ManifestWord> read_words(const ManifestValues& values, const Json& v,
                                     const std::string& key) {
  values.of_kind(v, key, Json::Kind::object);
  std::vector<ManifestWord> words;
  for (size_t i = 0; i < v.keys.size(); ++i) {
    const std::string at = fmt::format("{}.{}", key, v.keys[i].substr(0, 80));
    const Json& list = values.of_kind(v.items[i], at, Json::Kind::array);
    bounded(values, list, at);
    if (const auto taken = std::ranges::find(variables(), v.keys[i], &Variable::name);
        taken != variables().end()) {
      values.wrong(list, at, "'{}' is a variable already: {}", taken->name, taken->says);
    }
    ManifestWord word{v.keys[i], {}};
    for (size_t j = 0; j < list.items.size(); ++j) {
      const Json& item = list.items[j];
      const std::string here = fmt::format("{}[{}]", at, j);
      values.object(item, here, manifest_keys::kChoice);
      const Json* when = item.find("when");
      const Json& text = values.field(item, here, "text");
      word.choices.push_back(
          {when == nullptr ? Expression(1) : values.expression(*when, here + ".when"),
           without_blanks(values.text(text, here + ".text"))});
      if (word.choices.back().text.empty()) {
        values.wrong(text, here + ".text", "{}; legal: more than blanks", shown(text));
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::vector<ManifestSymbol> read_symbols(const ManifestValues& values, const Json& v,
                                         const std::string& key,
                                         const std::vector<ManifestWord>& words) {
  if (v.kind != Json::Kind::array) return {one_symbol(values, v, key, words)};
  bounded(values, v, key);
  std::vector<ManifestSymbol> symbols;
  for (size_t i = 0; i < v.items.size(); ++i) {
    symbols.push_back(one_symbol(values, v.items[i], fmt::format("{}[{}]", key, i), words));
  }
  return symbols;
}

}  // namespace w4
