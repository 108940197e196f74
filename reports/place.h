// A place in a document that somebody filed: hands out members as the type that is wanted, and
// remembers the first that is something else. Nothing that a document holds ends the report.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace w4 {

class Place {
 public:
  // `wrong`: empty; afterwards what is not as wanted: "runs[2].cases is "x"; legal: a number".
  Place(const nlohmann::json& value, std::string& wrong) : value_(&value), wrong_(&wrong) {}

  // Where something is wrong: an empty value, and what was wrong first is kept.
  Place at(std::string_view member) const;
  // Of a text longer than a page has room for its beginning, and how long it is.
  std::string text() const;
  std::string whole_text() const;  // what somebody copies
  double number() const;
  int64_t count() const;  // a whole number, not negative
  bool truth() const;
  std::vector<Place> list() const;
  std::vector<std::string> texts() const;
  std::vector<std::string> whole_texts() const;

  bool has(std::string_view member) const;
  bool null() const { return value_->is_null(); }
  // Of a member that may be missing.
  std::string text(std::string_view member) const { return has(member) ? at(member).text() : ""; }

 private:
  Place(const nlohmann::json& value, std::string& wrong, std::string path)
      : value_(&value), wrong_(&wrong), path_(std::move(path)) {}
  void refuse(std::string_view legal) const;

  const nlohmann::json* value_;
  std::string* wrong_;
  std::string path_;
};

}  // namespace w4
