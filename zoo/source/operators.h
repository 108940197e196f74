// What is changed in host code: each operator finds its places in the words and signs of a file.
// None of them knows what the code is about; what does not compile says so when it is tried.
//
//   bounds   < and <=, > and >=, == and !=
//   limits   a limit one more or one less; twice or half of what something is a multiple of
//   arms     an arm of a switch dropped, or returning what the next one does; the sides of ?:
//            swapped; a conditional return dropped
//   strides  dim[0] and dim[1], a dropped factor or term, division up and down, n and k
//   logic    && and ||, a negated condition
//   lists    one element of a list dropped
//   sums     + and -, min and max
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace w4::source {

struct Place {
  size_t begin = 0, end = 0;  // of the source, [begin, end)
  std::string replacement;
  std::string_view family;  // "bounds"
  std::string_view op;      // "bounds_le", [a-z_]+
  std::string says;         // "`<=` for `<`"
};

// In source order, by operator.
std::vector<Place> places_in(std::string_view source);

}  // namespace w4::source
