#include "campaign/gate/closer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "verify/shrink/shrink.h"

namespace w4::gate {
namespace {

constexpr double kShrinkSeconds = 20, kExplainSeconds = 30, kLeast = 1, kEnough = 4;
constexpr int64_t kShrinkCases = 400;
constexpr int kPollMs = 100;

double seconds_until(Clock::time_point end) {
  return std::chrono::duration<double>(end - Clock::now()).count();
}

// Of the sentence of reference/compare.h as much as calls of other shapes share: whether all rows
// and all columns are wrong, and whether the columns have a period.
std::string pattern_of(const Verdict& v) {
  const auto* m = std::get_if<Mismatch>(&v.primary());
  if (m == nullptr) return "";
  const bool rows = !m->pattern.starts_with("rows ");
  const bool columns = m->pattern.find("every column") != m->pattern.npos;
  const bool period = m->pattern.find("(n mod ") != m->pattern.npos;
  return fmt::format("{} rows, {} columns{}", rows ? "all" : "some", columns ? "all" : "some",
                     period ? " with a period" : "");
}

// One defect breaks many laws.
std::string kind_of(const Failure& f) {
  return f.kind == VerdictKind::law_broken ? std::string(name_of(f.kind)) : w4::to_string(f);
}

// What explain says on head, in a process of its own.
struct Said {
  bool any = false;
  std::string hypothesis, says;
};
Result<Said> explain_there(const Side& head, const Case& c, const Crew& crew, double seconds) {
  diff::Questioner asked(head.home);
  // It ends by itself; a little later the process is killed.
  constexpr double kPatience = 1;
  if (auto sent = asked.ask({{"what", "explain"}, {"line", to_string(c)}, {"seconds", seconds}},
                            seconds + kPatience);
      !sent) {
    return std::unexpected(sent.error());
  }
  for (;;) {
    if (auto reply = asked.reply()) {
      if (!reply->ok()) return Said{false, "", "explain: " + reply->trouble};
      const auto names = reply->said.value("names", std::vector<std::string>{});
      return Said{true, fmt::format("{}", fmt::join(names, " ")), reply->said.value("says", "")};
    }
    if (crew.over()) return Said{false, "", "not explained: the budget was over"};
    std::vector<pollfd> fds;
    asked.watch(fds);
    ::poll(fds.data(), fds.size(), kPollMs);
  }
}

bool equal(const Group& a, const Group& b) {
  if (a.kernel != b.kernel || a.kind != b.kind) return false;
  if (a.smallest == b.smallest) return true;
  return a.explained && b.explained && a.hypothesis == b.hypothesis &&
         (!a.hypothesis.empty() || a.pattern == b.pattern);
}

class Closer {
 public:
  Closer(std::vector<Group>& groups, Crew& crew, const Side& head, Clock::time_point end)
      : groups_(groups), crew_(crew), head_(head), end_(end) {}

  Result<void> all() {
    // Whether a new failure is one that the ledger lists comes first.
    for (Group& g : groups_) {
      if (g.listed == nullptr || !like_a_new_one(g)) continue;
      if (auto done = explain(g); !done) return done;
    }
    for (Group& g : groups_) {
      if (!g.fails()) continue;
      if (like_a_listed_one(g)) {
        if (auto done = explain(g); !done) return done;
        if (equals_a_listed_one(g)) continue;
      }
      if (auto done = shrink(g); !done) return done;
      if (g.explained) continue;
      if (auto done = explain(g); !done) return done;
    }
    return {};
  }

 private:
  // What is left, shared among those that still fail without a word; where that is little, the
  // first of them get enough and the last nothing.
  double share(double least, double most) const {
    const auto waiting = std::ranges::count_if(
        groups_, [](const Group& g) { return g.fails() && !g.explained && g.says.empty(); });
    const double left = seconds_until(end_);
    return std::min(
        left, std::clamp(left / static_cast<double>(std::max<int64_t>(1, waiting)), least, most));
  }

  bool like_a_new_one(const Group& listed) const {
    return std::ranges::any_of(groups_, [&](const Group& g) {
      return g.fails() && g.kernel == listed.kernel && g.kind == listed.kind;
    });
  }

  bool like_a_listed_one(const Group& g) const {
    return std::ranges::any_of(groups_, [&](const Group& l) {
      return l.listed != nullptr && l.kernel == g.kernel && l.kind == g.kind;
    });
  }

  bool equals_a_listed_one(const Group& g) const {
    return std::ranges::any_of(groups_,
                               [&](const Group& l) { return l.listed != nullptr && equal(l, g); });
  }

  // A smaller case has to fail alike on head, and not on base.
  Result<void> shrink(Group& g) {
    const Red& first = *g.reds.front();
    const double seconds = share(2 * kEnough, 2 * kShrinkSeconds) / 2;
    if (first.flaky || first.head.kind() == VerdictKind::timeout || seconds < kLeast) return {};
    Result<void> trouble;
    const auto run = [&](Which side, const Case& c) {
      auto v = crew_.run_one(side, c);
      if (v) return std::move(*v);
      trouble = std::unexpected(v.error());
      return make_verdict("", {Skipped{SkipReason::interrupted, ""}}, {});
    };
    const RunCase on_head = [&](const Case& c) {
      Verdict v = run(kHead, c);
      if (!shows(v, first.failure)) return v;
      const Verdict base = run(kBase, c);
      if (!shows(base, first.failure)) return v;
      return make_verdict(v.line, {Skipped{SkipReason::interrupted, "base fails alike"}}, {});
    };
    const Shrunk s = w4::shrink(first.value, on_head, {kShrinkCases, seconds},
                                [&](const ShrinkState&) { return trouble && !crew_.over(); });
    if (!trouble) return trouble;
    if (!shows(s.verdict, first.failure)) return {};
    g.smallest = s.smallest;
    g.smallest.module.clear();
    g.shrunk = fmt::format("{} cases: {}", s.cases, name_of(s.end));
    return {};
  }

  Result<void> explain(Group& g) {
    const double seconds = share(kEnough, kExplainSeconds);
    if (seconds < kLeast) {
      g.says = "not explained: no time was left";
      return {};
    }
    auto said = explain_there(head_, g.smallest, crew_, seconds);
    if (!said) return std::unexpected(said.error());
    g.explained = said->any;
    g.hypothesis = std::move(said->hypothesis);
    g.says = std::move(said->says);
    return {};
  }

  std::vector<Group>& groups_;
  Crew& crew_;
  const Side& head_;
  Clock::time_point end_;
};

void fold_equal(std::vector<Group>& groups) {
  std::vector<Group> out;
  // Listed ones first: what equals one of them is listed.
  for (Group& g : groups) {
    if (g.listed != nullptr) out.push_back(std::move(g));
  }
  std::erase_if(groups, [](const Group& g) { return g.reds.empty(); });
  for (Group& g : groups) {
    const auto same = std::ranges::find_if(out, [&](const Group& o) {
      return (o.listed != nullptr || o.is_new == g.is_new) && equal(o, g);
    });
    if (same == out.end()) {
      out.push_back(std::move(g));
    } else {
      same->reds.insert(same->reds.end(), g.reds.begin(), g.reds.end());
    }
  }
  groups = std::move(out);
}

}  // namespace

std::vector<Group> fold(const std::deque<Red>& reds) {
  std::vector<Group> out;
  using Key = std::tuple<std::string, std::string, std::string, bool, const Entry*, bool>;
  std::map<Key, size_t> known;
  for (const Red& r : reds) {
    if (r.against == Against::slow) continue;
    const std::string kind = kind_of(r.failure), pattern = pattern_of(r.head);
    const auto [at, fresh] = known.try_emplace(
        Key{r.value.kernel, kind, pattern, r.is_new(), r.entry, r.flaky}, out.size());
    if (fresh) {
      Group g{.kernel = r.value.kernel, .kind = kind, .pattern = pattern};
      g.listed = r.entry;
      g.is_new = r.is_new();
      g.smallest = r.value;
      out.push_back(std::move(g));
    }
    out[at->second].reds.push_back(&r);
  }
  return out;
}

Result<void> look_closer(std::vector<Group>& groups, Crew& crew, const Side& head,
                         Clock::time_point end) {
  auto done = Closer(groups, crew, head, end).all();
  fold_equal(groups);
  return done;
}

}  // namespace w4::gate
