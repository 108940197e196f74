// The sources of a campaign side by side, each with its own numbers from 0 on. A shard i/n has of
// each source the numbers that leave i-1 when divided by n. Sources take turns, so that they keep
// the same pace; what has a verdict does not come again.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/long_run/announced.h"
#include "campaign/long_run/plan.h"
#include "campaign/streams/guided.h"
#include "campaign/streams/stream.h"

namespace w4 {

// How many of `cases` each source gives when they take turns; `counts`: what each has, nullopt: any
// number. 0 cases: all they have.
std::vector<std::optional<int64_t>> shares(int64_t cases,
                                           const std::vector<std::optional<int64_t>>& counts);

struct NextCase {
  std::string source;
  int64_t number = 0;
  Case value;
  std::optional<GuidedCase> guided{};
};

class Sources {
 public:
  // Opens the module and the corpus (FOLDER, of guided). Errors name the option.
  static Result<Sources> open(const CampaignPlan& plan, const std::string& folder);

  // Every number before `next` has a verdict, and those of `done`.
  void go_on(const std::string& source, int64_t next, const std::vector<int64_t>& done);
  // Comes before all others.
  void again(NextCase c);

  // nullopt: there is none left.
  std::optional<NextCase> next();
  // A number for a slice of targets; nullopt: none left, or no such source.
  std::optional<int64_t> next_slice();
  // It has a verdict. Returns the number from which the source goes on after a kill.
  int64_t finish(const std::string& source, int64_t number);
  // What a guided case showed was new.
  Result<void> keep(const GuidedCase& c);

 private:
  struct Cursor {
    std::string name;
    std::shared_ptr<const Numbered> cases{};  // of numbered ones
    std::optional<int64_t> end{};             // first number that there is not; nullopt: none
    int64_t next = 0;                         // that may be taken
    int64_t low = 0;                          // every own number before it has a verdict
    std::set<int64_t> done{};                 // above `low`
    std::set<int64_t> elsewhere{};            // >= next, in again_
    bool over() const { return end && next >= *end; }
  };
  Sources() = default;
  Cursor* find(const std::string& name);
  int64_t own(int64_t number) const;  // the shard's first one that is not below
  void skip_done(Cursor& c) const;
  Cursor* slowest();
  std::optional<NextCase> make(Cursor& c);

  int64_t shard_ = 1, shards_ = 1;
  std::vector<Cursor> cursors_;
  std::optional<Guided> guided_;
  std::deque<NextCase> again_;
};

}  // namespace w4
