#include "zoo/source/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "zoo/edit.h"
#include "zoo/scope.h"
#include "zoo/source/operators.h"
#include "zoo/source/tokens.h"

namespace w4::source {
namespace {

struct Definition {
  std::string name;
  Span span;
};

// Every definition of the file, those around others first.
std::vector<Definition> definitions_in(std::string_view source) {
  std::set<std::string> words;
  for (const Token& t : tokens_of(source)) {
    if (t.kind == Token::Kind::word && t.text[0] != '"' && t.text[0] != '\'') words.emplace(t.text);
  }
  std::vector<Definition> out;
  for (const std::string& word : words) {
    for (const Span& span : definitions(source, word)) out.push_back({word, span});
  }
  std::ranges::sort(
      out, {}, [](const Definition& d) { return std::tuple(d.span.begin, ~d.span.end, d.name); });
  return out;
}

std::string dense(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

std::string prefixed(std::string_view text, char sign) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("{} {}\n", sign, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string spliced(std::string_view source, size_t from, size_t to, const Place& p) {
  return fmt::format("{}{}{}", source.substr(from, p.begin - from), p.replacement,
                     source.substr(p.end, to - p.end));
}

// The edit that changes the place: whole lines within the scope, as many as make them unique.
std::optional<Edit> edit_of(const std::string& file, std::string_view source, const Definition& d,
                            const Place& p) {
  const std::string wanted = dense(spliced(source, 0, source.size(), p));
  const auto line_begin = [&](size_t at) {
    const size_t newline = at == 0 ? source.npos : source.rfind('\n', at - 1);
    return std::max(newline == source.npos ? 0 : newline + 1, d.span.begin);
  };
  const auto line_end = [&](size_t at) { return std::min(source.find('\n', at), d.span.end); };
  size_t from = line_begin(p.begin), to = line_end(p.end);
  for (int lines = 0; lines < 12; ++lines) {
    Edit edit{.file = file,
              .scope = d.name,
              .find = std::string(source.substr(from, to - from)),
              .replace = spliced(source, from, to, p)};
    const auto done = apply_edit(edit, source);
    if (done && dense(*done) == wanted) return edit;
    if (lines % 2 == 0 && from > d.span.begin) {
      from = line_begin(from - 1);
    } else if (to < d.span.end) {
      to = line_end(to + 1);
    }
  }
  return std::nullopt;
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '_';
  }
  return out;
}

}  // namespace

std::vector<SourceMutant> mutants_of(const std::string& file, std::string_view source,
                                     int* left_out) {
  const std::vector<Definition> all = definitions_in(source);
  std::string stem = file.substr(file.rfind('/') + 1);
  stem = lower(stem.substr(0, stem.find('.')));
  std::map<std::string, int> numbers;
  std::set<std::string> seen;
  std::vector<SourceMutant> out;
  for (const Place& p : places_in(source)) {
    std::optional<Edit> edit;
    for (const Definition& d : all) {
      if (p.begin < d.span.begin || p.end > d.span.end) continue;
      if ((edit = edit_of(file, source, d, p))) break;
    }
    if (!edit) {
      if (left_out != nullptr) ++*left_out;
      continue;
    }
    if (!seen.insert(dense(spliced(source, 0, source.size(), p))).second) continue;
    SourceMutant m;
    m.family = p.family;
    m.says = p.says;
    std::ranges::replace(m.says, '\n', ' ');
    m.line = static_cast<int>(1 + std::ranges::count(source.substr(0, p.begin), '\n'));
    const std::string name = fmt::format("{}_{}_{}", stem, lower(edit->scope), p.op);
    m.id = fmt::format("{}_{}", name, ++numbers[name]);
    m.edit = fmt::format("# {}\nfile {}\nscope {}\n{}{}", m.says, file, edit->scope,
                         prefixed(edit->find, '-'), prefixed(edit->replace, '+'));
    out.push_back(std::move(m));
  }
  return out;
}

}  // namespace w4::source
