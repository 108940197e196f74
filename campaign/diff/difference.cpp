#include "campaign/diff/difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/text.h"

namespace w4::diff {
namespace {

constexpr size_t kPrinted = 40;  // rows of a section; --json has all

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string key_of(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) <= ' ' ? '_' : c;
  return out;
}

std::string text_of(const Section& s) {
  std::string out = fmt::format("{}: {} of {} {}; {}{}\n", s.name, s.done, s.planned, s.unit,
                                s.rows.empty()       ? "no difference"
                                : s.rows.size() == 1 ? "1 difference"
                                                     : fmt::format("{} differences", s.rows.size()),
                                s.accepted == 0 ? "" : fmt::format(", {} accepted", s.accepted));
  const size_t shown = std::min(s.rows.size(), kPrinted);
  std::vector<size_t> widths;
  for (const std::string& h : s.header) widths.push_back(width_of(h));
  for (size_t r = 0; r < shown; ++r) {
    for (size_t i = 0; i < s.rows[r].cells.size(); ++i)
      widths[i] = std::max(widths[i], width_of(s.rows[r].cells[i]));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    out += " ";
    for (size_t i = 0; i < cells.size(); ++i) {
      out += " " + cells[i];
      if (i + 1 < cells.size()) out += std::string(widths[i] - width_of(cells[i]) + 1, ' ');
    }
    out += '\n';
  };
  if (shown > 0) line(s.header);
  for (size_t r = 0; r < shown; ++r) {
    line(s.rows[r].cells);
    for (const std::string& below : s.rows[r].below) out += "      " + below + "\n";
  }
  if (shown < s.rows.size()) {
    out += fmt::format("  and {} more; --json keeps all\n", s.rows.size() - shown);
  }
  for (const std::string& note : s.notes) out += fmt::format("  note: {}\n", note);
  return printable_utf8(out);
}

nlohmann::json json_of(const Section& s) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Row& r : s.rows) {
    nlohmann::json cells = nlohmann::json::object();
    for (size_t i = 0; i < r.cells.size(); ++i) cells[s.header[i]] = printable_utf8(r.cells[i]);
    nlohmann::json row = r.json;
    row["keys"] = r.keys;
    row["cells"] = cells;
    nlohmann::json below = nlohmann::json::array();
    for (const std::string& b : r.below) below.push_back(printable_utf8(b));
    row["below"] = below;
    rows.push_back(std::move(row));
  }
  return {{"section", s.name},   {"done", s.done},         {"planned", s.planned},
          {"unit", s.unit},      {"accepted", s.accepted}, {"complete", s.complete()},
          {"differences", rows}, {"notes", s.notes},       {"header", s.header}};
}

}  // namespace w4::diff
