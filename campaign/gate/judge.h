// Verdicts of head, and of base where head is red: what is new.
//
// A case is red on head where its verdict is neither green nor skipped. It is then run again on
// head, and on base. It is not new where base fails alike (verify/shrink/failure.h: the same kind
// of verdict and what names it, any of several findings). Otherwise it is: base is green there,
// fails in another way, or cannot judge it. A red that does not repeat comes and goes: base is run
// twice then, and has to be red alike once. A case over its limit of time on head counts only where
// base needs less than a quarter of the limit.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "campaign/gate/crew.h"
#include "campaign/gate/ledger.h"
#include "campaign/gate/order.h"
#include "verify/shrink/failure.h"

namespace w4::gate {

enum class Against : uint8_t {
  unknown,  // the budget ended before base had said
  fresh,    // base is green there, or skips it
  other,    // base fails in another way
  cannot,   // base cannot judge it
  alike,    // base fails alike
  slow,     // over its time on head, and not much quicker on base
};

struct Red {
  Case value;
  Why why = Why::other;
  bool regression = false;  // a line of the ledger or of a file
  const Entry* entry = nullptr;
  Verdict head{};
  Failure failure{};
  std::string base_says{};  // one line
  bool flaky = false;       // did not repeat
  Against against = Against::unknown;
  double found = 0;  // seconds since the gate began

  bool is_new() const { return against != Against::alike && against != Against::slow; }
};

enum class EntryState : uint8_t {
  not_run,     // no time, or its kernel is not asked
  holds,       // red as it says
  expired,     // its day is over, and it is not green now
  green,       // twice
  other_kind,  // red, of another kind
  not_judged,  // skipped, or its time was not enough
};
std::string_view name_of(EntryState s);

struct Counted {
  int64_t cases = 0, green = 0, red = 0, skipped = 0;
  std::map<std::string, int64_t> by_kernel{};
  std::array<int64_t, 4> by_why{};  // of the drawn ones
  int64_t regressions = 0;
};

class Judge {
 public:
  Judge(Crew& crew, const std::vector<Entry>& ledger, Day day, Clock::time_point start);
  Judge(const Judge&) = delete;

  // A task for the crew that ends here.
  Task drawn(Call c);
  Task known(Case c);  // a line of a file
  Task entry(const Entry& e);

  const std::deque<Red>& reds() const { return reds_; }
  const Counted& counted() const { return counted_; }
  const std::vector<EntryState>& entries() const { return entries_; }  // parallel to the ledger
  const std::vector<std::string>& entries_say() const { return entries_say_; }  // of head, one line
  bool listed(const Case& c) const;  // its line is one of the ledger
  // Reds that are new and not listed.
  bool found_any() const;

 private:
  void head_says(Red red, const Verdict& v);
  void again(Red& red, const Verdict& second);
  void base_says(Red& red, const Verdict& v, bool last);
  void settle_entry(const Red& red);
  void set(const Entry& e, EntryState s, std::string says);
  bool expired(const Entry& e) const;

  Crew& crew_;
  const std::vector<Entry>& ledger_;
  Day day_;
  Clock::time_point start_;
  std::deque<Red> reds_;  // addresses stay
  Counted counted_;
  std::vector<EntryState> entries_;
  std::vector<std::string> entries_say_;
};

// The first line of the primary outcome.
std::string one_line(const Verdict& v);

}  // namespace w4::gate
