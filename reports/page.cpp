#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/bundle.h"
#include "reports/report.h"
#include "results/text.h"

namespace w4 {
namespace {

// JSON inside a script element: `<` is the one character that could end it, or open a comment.
std::string json_in_markup(const nlohmann::json& document) {
  std::string out;
  for (const char c : report_text(document)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string report_text(const nlohmann::json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string report_page(const nlohmann::json& document) {
  const std::string sentence = document.at("summary").at("sentence");
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0} · w4check</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<div id=\"pages\"><noscript><h1>{0}</h1><p>This page needs JavaScript to show the rest; "
      "report.json beside it holds all of it.</p></noscript></div>\n"
      "<script id=\"report\" type=\"application/json\">{2}</script>\n<script>{3}</script>\n"
      "</body>\n</html>\n",
      markup_escape(sentence), report_style(), json_in_markup(document), report_script());
}

}  // namespace w4
