// What campaigns file in the store and read back from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record.h"

namespace w4 {

struct SeenBehaviour {
  int kind = 0;     // BehaviourKind of verify/behaviour.h
  uint64_t id = 0;  // within the kind
};

struct CampaignCase {
  int64_t number = 0;  // within the source
  std::string source;  // "random"
  int64_t next = 0;    // number from which the source goes on after a kill
  Record record;
  // False: of a green verdict only the columns are kept (docs/store.md): a pass keeps its headroom,
  // a refusal its clause. A red one is always kept whole.
  bool keep_json = false;
  std::vector<SeenBehaviour> behaviours;
};

struct Folded {
  int64_t failure = 0;
  bool is_new = false;  // the first of its failure
};

struct AddedCase {
  int64_t new_behaviours = 0;  // that no case of this run showed before
  std::optional<Folded> failure{};
};

struct Position {
  std::string source;
  int64_t next = 0;
};

struct LostCase {
  std::string source;
  int64_t number = 0;
  std::string line, why;
  bool judged = false;  // it has a verdict by now
};

struct TallyRow {
  std::string suite, kernel, device, kind;
  bool green = false;
  int64_t cases = 0;
  double seconds = 0;
  int64_t wave_instructions = 0;
  double headroom = 0;  // the largest
};

struct BehaviourCount {
  int kind = 0;
  int64_t distinct = 0;
  int64_t once = 0;  // of them, shown by one case only
};

// For the stop rule: how often the cases so far showed something that no other case did.
struct StopCounts {
  int64_t cases = 0;    // judged; skipped ones are not
  int64_t singles = 0;  // of them, cases that own a behaviour which no other case showed
  std::vector<BehaviourCount> kinds;
  // Of the last case that showed something new; of all runs, the latest of theirs.
  std::string last_source;
  int64_t last_number = -1;  // -1: nothing was shown yet
  int64_t last_cases = 0;    // cases that its run had judged, itself included
  std::string last_at;       // UTC
};

// Of sources whose cases are drawn independently, for the probability that the next one shows
// something new.
struct DrawnCounts {
  int64_t cases = 0;       // with a verdict
  int64_t singles = 0;     // of them, those that showed something that no other case of the run has
  int64_t recent = 0;      // of them, the half with the higher numbers,
  int64_t recent_new = 0;  // and those of this half that were the first to show something
};

enum class FailureState : uint8_t { fresh, shrinking, done, gave_up };
std::string_view name_of(FailureState s);  // "new", "shrinking", "done", "gave up"

struct FailureUpdate {
  std::string smallest_line;  // empty: not known, what is stored stays
  std::string hypothesis;     // of explain; empty: none
  FailureState state = FailureState::fresh;
  // Of the smallest case, where it is known: by them equal failures are found.
  std::optional<std::string> kind{}, pattern{};
};

struct StoredFailure {
  int64_t id = 0;
  std::string kernel, kind, pattern, hypothesis;
  std::string first_line, first_source;
  int64_t first_number = 0;
  std::string smallest_line;  // empty until it is shrunk
  int64_t cases = 0;
  FailureState state = FailureState::fresh;
  std::string build_id;
  int64_t runs = 1;  // that show it
};

struct FlakyRecord {
  std::string kind, outputs;  // outputs: hash, empty where none was asked for
  int64_t count = 0;
};

struct FlakyLine {
  std::string line, build_id;
  std::vector<FlakyRecord> records;
};

}  // namespace w4
