// Errors that a user can cause are values: a sentence that names the argument, its value and what
// is legal.
#pragma once

#include <fmt/format.h>

#include <expected>
#include <string>
#include <utility>

namespace w4 {

struct Error {
  std::string text;
};

template <class T>
using Result = std::expected<T, Error>;

template <class... A>
std::unexpected<Error> fail(fmt::format_string<A...> f, A&&... a) {
  return std::unexpected(Error{fmt::format(f, std::forward<A>(a)...)});
}

}  // namespace w4
