#include "campaign/streams/stream.h"

#include <utility>

#include "campaign/streams/suite_cases.h"
#include "verify/cases/chooser.h"

namespace w4 {
namespace {

class List final : public Stream {
 public:
  explicit List(std::vector<Case> cases) : cases_(std::move(cases)) {}
  std::optional<Case> next() override {
    if (at_ == cases_.size()) return std::nullopt;
    return cases_[at_++];
  }

 private:
  std::vector<Case> cases_;
  size_t at_ = 0;
};

class InOrder final : public Stream {
 public:
  explicit InOrder(std::unique_ptr<const Numbered> cases) : cases_(std::move(cases)) {}
  std::optional<Case> next() override { return cases_->at(next_++); }

 private:
  std::unique_ptr<const Numbered> cases_;
  int64_t next_ = 0;
};

}  // namespace

std::unique_ptr<Stream> list_stream(std::vector<Case> cases) {
  return std::make_unique<List>(std::move(cases));
}

std::unique_ptr<Stream> stream_of(std::unique_ptr<const Numbered> cases) {
  return std::make_unique<InOrder>(std::move(cases));
}

std::unique_ptr<Stream> suites_stream(std::span<const std::string> rows, uint64_t seed) {
  std::vector<Case> cases = suite_cases(rows, seed);
  NumberedChooser choose(seed, 0);
  for (size_t i = cases.size(); i > 1; --i) {
    std::swap(cases[i - 1], cases[static_cast<size_t>(choose.pick(static_cast<int>(i)))]);
  }
  return list_stream(std::move(cases));
}

}  // namespace w4
