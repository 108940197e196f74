#include "results/text.h"

#include <fmt/format.h>

#include <cstddef>

namespace w4 {
namespace {

// Bytes of the well-formed UTF-8 sequence at the start of `s` that XML 1.0 allows; 0 where there
// is none (overlong forms, surrogates, U+FFFE and U+FFFF included).
size_t sequence(std::string_view s) {
  const auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const unsigned b0 = byte(0);
  if (b0 == '\t' || b0 == '\n') return 1;
  if (b0 < 0x20 || b0 == 0x7F) return 0;
  if (b0 < 0x80) return 1;
  const size_t length = b0 >= 0xF0 ? 4 : b0 >= 0xE0 ? 3 : 2;
  if (b0 < 0xC2 || b0 > 0xF4) return 0;
  unsigned code = b0 & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool c1 = code < 0xA0;
  if (overlong || surrogate || c1 || code > 0x10FFFF || code == 0xFFFE || code == 0xFFFF) return 0;
  return length;
}

}  // namespace

std::string printable_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const size_t length = sequence(bytes);
    if (length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(bytes.front()));
      bytes.remove_prefix(1);
      continue;
    }
    out += bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return out;
}

std::string markup_escape(std::string_view bytes) {
  std::string out;
  for (const char c : printable_utf8(bytes)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace w4
