// Where cases come from. Numbered: case i is a function of i alone, so that a campaign resumes, is
// split over machines and makes case i without those before it. Stream: one after the other.
// Nothing here knows what is hunted: rows and devices are all a stream is told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.h"

namespace w4 {

class Numbered {
 public:
  virtual ~Numbered() = default;
  // Pure in `number` >= 0; nullopt: there is none of this number, nor of a higher one.
  virtual std::optional<Case> at(int64_t number) const = 0;
  virtual std::optional<int64_t> count() const { return std::nullopt; }  // nullopt: without end
};

class Stream {
 public:
  virtual ~Stream() = default;
  virtual std::optional<Case> next() = 0;  // nullopt: no more
};

std::unique_ptr<Stream> list_stream(std::vector<Case> cases);
// Its cases from 0 on.
std::unique_ptr<Stream> stream_of(std::unique_ptr<const Numbered> cases);
// Each case of the suites smoke, boundary, moe and sweep for these rows on gfx1151 once, in an
// order of the seed's.
std::unique_ptr<Stream> suites_stream(std::span<const std::string> rows, uint64_t seed);

}  // namespace w4
