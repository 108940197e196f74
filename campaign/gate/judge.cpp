#include "campaign/gate/judge.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace w4::gate {
namespace {

bool is_red(const Verdict& v) { return !v.green() && v.kind() != VerdictKind::skipped; }

bool alike(const Verdict& a, const Verdict& b) {
  return shows(a, failure_of(b)) || shows(b, failure_of(a));
}

// Killed by the clock: how long that takes is a matter of the machine.
bool by_the_clock(const Verdict& v) {
  const auto* t = std::get_if<Timeout>(&v.primary());
  return t != nullptr && t->steps == 0;
}

}  // namespace

std::string_view name_of(EntryState s) {
  constexpr std::array<std::string_view, 6> kNames{"not run",   "holds",      "expired",
                                                   "green now", "other kind", "not judged"};
  return kNames.at(static_cast<size_t>(s));
}

std::string one_line(const Verdict& v) {
  const std::string text = to_string(v.primary());
  return text.substr(0, text.find('\n'));
}

Judge::Judge(Crew& crew, const std::vector<Entry>& ledger, Day day, Clock::time_point start)
    : crew_(crew),
      ledger_(ledger),
      day_(day),
      start_(start),
      entries_(ledger.size()),
      entries_say_(ledger.size()) {
  for (size_t i = 0; i < ledger.size(); ++i) {
    if (expired(ledger[i])) entries_[i] = EntryState::expired, entries_say_[i] = "not run";
  }
}

bool Judge::expired(const Entry& e) const {
  return std::chrono::sys_days(day_) > std::chrono::sys_days(e.expires);
}

Task Judge::drawn(Call c) {
  Red red{.value = c.value, .why = c.why};
  return {kHead, std::move(c.value), [this, red](const Verdict& v) {
            ++counted_.by_why.at(static_cast<size_t>(red.why));
            head_says(red, v);
          }};
}

Task Judge::known(Case c) {
  Red red{.value = c, .regression = true};
  return {kHead, std::move(c), [this, red](const Verdict& v) {
            ++counted_.regressions;
            head_says(red, v);
          }};
}

Task Judge::entry(const Entry& e) {
  Red red{.value = e.value, .regression = true, .entry = &e};
  return {kHead, e.value, [this, red](const Verdict& v) {
            ++counted_.regressions;
            if (v.green()) {
              // A red that comes and goes shall not make the gate do so.
              crew_.ask({kHead, red.value, [this, red](const Verdict& second) {
                           if (is_red(second)) return head_says(red, second);
                           ++counted_.cases, ++counted_.green;
                           set(*red.entry, EntryState::green, one_line(second));
                         }});
              return;
            }
            head_says(red, v);
          }};
}

void Judge::set(const Entry& e, EntryState s, std::string says) {
  const auto at = static_cast<size_t>(&e - ledger_.data());
  entries_.at(at) = s;
  entries_say_.at(at) = std::move(says);
}

void Judge::head_says(Red red, const Verdict& v) {
  ++counted_.cases;
  ++counted_.by_kernel[red.value.kernel];
  ++(v.green() ? counted_.green : is_red(v) ? counted_.red : counted_.skipped);
  if (!is_red(v)) {
    if (red.entry != nullptr)
      set(*red.entry, expired(*red.entry) ? EntryState::expired : EntryState::not_judged,
          one_line(v));
    return;
  }
  red.head = v;
  red.failure = failure_of(v);
  // Nothing is held against it before base was quicker.
  if (by_the_clock(v)) red.against = Against::slow;
  red.found = std::chrono::duration<double>(Clock::now() - start_).count();
  if (red.entry != nullptr) settle_entry(red);
  Red& kept = reds_.emplace_back(std::move(red));
  crew_.ask({kHead, kept.value, [this, &kept](const Verdict& second) { again(kept, second); }});
}

void Judge::settle_entry(const Red& red) {
  const Entry& e = *red.entry;
  set(e,
      red.head.kind() != e.kind ? EntryState::other_kind
      : expired(e)              ? EntryState::expired
                                : EntryState::holds,
      one_line(red.head));
}

void Judge::again(Red& red, const Verdict& second) {
  red.flaky = !alike(red.head, second);
  const auto base = [this, &red](bool last) {
    return [this, &red, last](const Verdict& v) { base_says(red, v, last); };
  };
  // The last of them settles what the first did not.
  if (red.flaky) crew_.ask({kBase, red.value, base(false)});
  crew_.ask({kBase, red.value, base(true)});
}

void Judge::base_says(Red& red, const Verdict& v, bool last) {
  if (red.against == Against::alike) return;
  red.base_says = one_line(v);
  if (is_red(v) && alike(red.head, v)) {
    red.against = Against::alike;
  } else if (!last) {
    return;
  } else if (by_the_clock(red.head) && (red.flaky || v.ran.seconds > crew_.case_seconds() / 4)) {
    red.against = Against::slow;
  } else if (v.kind() == VerdictKind::harness_error) {
    red.against = Against::cannot;
  } else {
    red.against = is_red(v) ? Against::other : Against::fresh;
  }
}

bool Judge::listed(const Case& c) const {
  return std::ranges::any_of(ledger_, [&](const Entry& e) { return e.value == c; });
}

bool Judge::found_any() const {
  return std::ranges::any_of(reds_, [](const Red& r) { return r.entry == nullptr && r.is_new(); });
}

}  // namespace w4::gate
