// Where the cases of a hunt come from: named streams, each a pure function of seed and number.
// Nothing here knows mutants: rows are all a stream is told.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"

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

class Stream {
 public:
  virtual ~Stream() = default;
  virtual std::optional<Case> next() = 0;  // nullopt: no more
};

// Without end. Of every eight cases four are legal ones, two have a law, and two break a clause or
// have no rows: three, until as many have been broken as the longest list of clauses has.
std::unique_ptr<Stream> random_stream(std::vector<std::string> rows, uint64_t seed);
// Each case of the suites once, in an order of the seed's.
std::unique_ptr<Stream> suites_stream(std::span<const std::string> rows, uint64_t seed);
std::unique_ptr<Stream> list_stream(std::vector<Case> cases);

}  // namespace w4::zoo
