// Where a function's definition is in C++ source text, found without a compiler.
#pragma once

#include <string_view>
#include <vector>

namespace w4 {

struct Span {
  size_t begin = 0, end = 0;  // [begin, end) of the body, braces included
  bool operator==(const Span&) const = default;
};

// Every definition of a function called `name`: the name, a parameter list, then a body, with at
// most qualifiers, a return type or member initialisers in parentheses between. Comments, strings
// and character literals are skipped.
std::vector<Span> function_bodies(std::string_view source, std::string_view name);

}  // namespace w4
