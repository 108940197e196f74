#include "intake/json.h"

#include <charconv>
#include <optional>

namespace w4 {
namespace {

constexpr size_t kMaxText = size_t{1} << 20;
constexpr int kMaxDepth = 32;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Json> document() {
    if (text_.size() > kMaxText) return fail("1:1: {} bytes; legal: at most 1 MiB", text_.size());
    Json root;
    if (!value(root, 0)) return std::unexpected(*error_);
    skip_blanks();
    if (at_ < text_.size()) {
      wrong("text after the end of the document");
      return std::unexpected(*error_);
    }
    return root;
  }

 private:
  template <class... A>
  bool wrong(fmt::format_string<A...> f, A&&... a) {
    error_ = Error{fmt::format("{}:{}: {}", line_, column_, fmt::format(f, std::forward<A>(a)...))};
    return false;
  }

  bool ended() const { return at_ == text_.size(); }
  char peek() const { return ended() ? '\0' : text_[at_]; }
  char take() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
    return c;
  }
  void skip_blanks() {
    while (!ended() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
      take();
  }
  bool expect(char c, std::string_view after) {
    skip_blanks();
    if (ended()) return wrong("the text ends where '{}' is wanted {}", c, after);
    if (peek() != c) return wrong("'{}' is wanted {}", c, after);
    take();
    return true;
  }

  bool value(Json& out, int depth) {
    skip_blanks();
    out.line = line_;
    out.column = column_;
    if (ended()) return wrong("the text ends where a value is wanted");
    if (depth > kMaxDepth) return wrong("nested deeper than {}", kMaxDepth);
    switch (peek()) {
      case '{':
        return object(out, depth);
      case '[':
        return array(out, depth);
      case '"':
        out.kind = Json::Kind::text;
        return string(out.text);
      default:
        return word(out);
    }
  }

  bool object(Json& out, int depth) {
    out.kind = Json::Kind::object;
    take();
    skip_blanks();
    if (peek() == '}') return take(), true;
    while (true) {
      skip_blanks();
      if (peek() != '"') return wrong("a key in double quotes is wanted");
      const int line = line_, column = column_;
      std::string key;
      if (!string(key)) return false;
      if (out.find(key) != nullptr) {
        line_ = line;
        column_ = column;
        return wrong("the key '{}' is there twice", key);
      }
      if (!expect(':', "after a key")) return false;
      out.keys.push_back(std::move(key));
      if (!value(out.items.emplace_back(), depth + 1)) return false;
      skip_blanks();
      if (peek() == ',') {
        take();
        continue;
      }
      return expect('}', "or ',' after a value of an object");
    }
  }

  bool array(Json& out, int depth) {
    out.kind = Json::Kind::array;
    take();
    skip_blanks();
    if (peek() == ']') return take(), true;
    while (true) {
      if (!value(out.items.emplace_back(), depth + 1)) return false;
      skip_blanks();
      if (peek() == ',') {
        take();
        continue;
      }
      return expect(']', "or ',' after a value of an array");
    }
  }

  bool string(std::string& out) {
    take();
    while (true) {
      if (ended()) return wrong("the text ends inside a string");
      if (static_cast<unsigned char>(peek()) < 0x20) {
        return wrong("a control character inside a string");
      }
      const char c = take();
      if (c == '"') return true;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (!escape(out)) return false;
    }
  }

  bool escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (ended()) return wrong("the text ends inside a string");
    const char c = take();
    if (const size_t i = kNames.find(c); i != std::string_view::npos) {
      out += kMeant[i];
      return true;
    }
    // Names and paths of a manifest need no more than that.
    return wrong("the escape '\\{}' is not known; legal: \\\" \\\\ \\/ \\b \\f \\n \\r \\t", c);
  }

  bool word(Json& out) {
    const size_t begin = at_;
    const auto part = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             c == '-' || c == '+' || c == '.' || c == '_';
    };
    size_t end = begin;
    while (end < text_.size() && part(text_[end])) ++end;
    const std::string_view w = text_.substr(begin, end - begin);
    if (w == "null") {
      out.kind = Json::Kind::null;
    } else if (w == "true" || w == "false") {
      out.kind = Json::Kind::boolean;
      out.boolean = w == "true";
    } else {
      out.kind = Json::Kind::integer;
      const auto [stop, error] = std::from_chars(w.data(), w.data() + w.size(), out.integer);
      if (w.empty() || error != std::errc{} || stop != w.data() + w.size()) {
        return wrong(
            "not a value: {}; legal: an object, an array, a text in double quotes, an "
            "integer of 64 bits, true, false, null",
            w.empty() ? std::string("this character") : fmt::format("'{}'", w.substr(0, 40)));
      }
    }
    while (at_ < end) take();
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
  std::optional<Error> error_;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

std::string_view name_of(Json::Kind k) {
  switch (k) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return "true or false";
    case Json::Kind::integer:
      return "an integer";
    case Json::Kind::text:
      return "a text";
    case Json::Kind::array:
      return "an array";
    case Json::Kind::object:
      break;
  }
  return "an object";
}

Result<Json> parse_json(std::string_view text) { return Reader(text).document(); }

}  // namespace w4
