// Where the cases of a hunt come from, by name; the streams themselves are in campaign/streams.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace w4::zoo {

enum class Generator : uint8_t {
  own,     // the mutant's own .case
  audit,   // no cases: the audits
  random,  // legal cases of the rows, their illegal ones, and relations, as a campaign draws them
  suites,  // smoke, boundary, moe, sweep: the cases of the rows
};
inline constexpr std::array kGenerators{Generator::own, Generator::audit, Generator::random,
                                        Generator::suites};
std::string_view name_of(Generator g);
std::string_view says_of(Generator g);
std::optional<Generator> generator_from(std::string_view name);

}  // namespace w4::zoo
