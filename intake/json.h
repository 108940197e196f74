// JSON with the place of every value, so that an error about a value can name its line and column;
// the library used elsewhere keeps no places. RFC 8259, less: numbers are integers that fit 64 bits
// (a manifest has no others), keys are unique, nesting and size are bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace w4 {

struct Json {
  enum class Kind : uint8_t { null, boolean, integer, text, array, object } kind = Kind::null;
  int line = 1, column = 1;  // of the first character, in bytes, 1-based
  bool boolean = false;
  int64_t integer = 0;
  std::string text;
  std::vector<Json> items;        // of an array, or the values of an object as written
  std::vector<std::string> keys;  // of an object, beside its values

  const Json* find(std::string_view key) const;  // nullptr: absent, or this is no object
};

std::string_view name_of(Json::Kind k);  // "an object", as messages say it

// Errors begin with "line:column: ". Never crashes, whatever the bytes are.
Result<Json> parse_json(std::string_view text);

}  // namespace w4
