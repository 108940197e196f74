// What a section of `w4check diff` found: rows of a table, each with what reruns it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace w4::diff {

// In the order they are run; the last takes what the budget leaves.
inline constexpr std::array<std::string_view, 5> kSections{"contract", "route", "code", "work",
                                                           "bits"};

struct Row {
  std::vector<std::string> keys;  // of --accept; several where equal differences are folded
  std::vector<std::string> cells;
  std::vector<std::string> below;  // further lines: what reruns it, the first element, …
  nlohmann::json json = nlohmann::json::object();
};

struct Section {
  std::string name;  // one of kSections
  std::vector<std::string> header;
  std::vector<Row> rows{};  // undeclared differences
  int64_t accepted = 0;     // declared ones, of --accept
  int64_t done = 0, planned = 0;
  std::string unit;  // of those: "calls"
  std::vector<std::string> notes{};
  bool complete() const { return done == planned; }
};

// Without blanks: one word of an --accept file.
std::string key_of(std::string_view text);

std::string text_of(const Section& s);
nlohmann::json json_of(const Section& s);

}  // namespace w4::diff
