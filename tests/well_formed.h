// A strict reader of simple markup for tests: elements nest and close, attributes are quoted,
// entities are known, every byte belongs to allowed UTF-8 text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace w4::testing {

// Empty where `text` is well-formed, otherwise what is wrong and where. `empty_tags`: elements
// without an end (HTML's meta). Script and style elements are not looked into.
inline std::string markup_error(std::string_view text,
                                const std::set<std::string>& empty_tags = {}) {
  std::vector<std::string> open;
  size_t i = 0;
  const auto wrong = [&](std::string what) { return what + " at byte " + std::to_string(i); };
  const auto entity = [&]() {
    for (std::string_view e : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      if (text.substr(i).starts_with(e)) return true;
    }
    return false;
  };
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) return wrong("control character");
    if (c == '&' && !entity()) return wrong("bare &");
    if (c != '<') {
      ++i;
      continue;
    }
    if (text.substr(i).starts_with("<?") || text.substr(i).starts_with("<!")) {
      i = text.find('>', i) + 1;
      if (i == 0) return wrong("declaration without end");
      continue;
    }
    const size_t start = i++;
    const bool closing = i < text.size() && text[i] == '/';
    if (closing) ++i;
    const size_t name_end = text.find_first_of(" \n/>", i);
    if (name_end == std::string_view::npos) return wrong("tag without end");
    const std::string name(text.substr(i, name_end - i));
    i = name_end;
    char quote = 0;
    while (i < text.size() && (quote != 0 || text[i] != '>')) {
      if (text[i] == '<') return wrong("< inside a tag");
      if (text[i] == '&' && !entity()) return wrong("bare & inside a tag");
      if (quote == 0 && (text[i] == '"' || text[i] == '\'')) {
        quote = text[i];
      } else if (text[i] == quote) {
        quote = 0;
      }
      ++i;
    }
    if (i >= text.size()) return wrong("tag without end, opened at " + std::to_string(start));
    const bool self = text[i - 1] == '/';
    ++i;
    if (closing) {
      if (open.empty() || open.back() != name) return wrong("unexpected </" + name + ">");
      open.pop_back();
    } else if (!self && !empty_tags.contains(name)) {
      open.push_back(name);
      if (name == "script" || name == "style") {
        i = text.find("</" + name + ">", i);
        if (i == std::string_view::npos) return name + " without end";
      }
    }
  }
  return open.empty() ? "" : "unclosed <" + open.back() + ">";
}

}  // namespace w4::testing
