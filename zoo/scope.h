// Where a definition is in C++ source text, found without a compiler.
#pragma once

#include <compare>
#include <string_view>
#include <vector>

namespace w4 {

struct Span {
  size_t begin = 0, end = 0;  // [begin, end) of the body
  auto operator<=>(const Span&) const = default;
};

// Every definition that `name` means, in source order:
//  * a function: its body, braces included. The name, a parameter list, then a body, with at most
//    qualifiers, a return type or member initialisers in parentheses between;
//  * a variable with an initialiser: from the = or { to the semicolon;
//  * a class: its body;
//  * a macro: what it stands for.
// `name<args>` is that specialisation of a function template alone, `Type::name` members of that
// class alone, defined inside it or out. Comments, strings and character literals are skipped.
std::vector<Span> definitions(std::string_view source, std::string_view name);

}  // namespace w4
