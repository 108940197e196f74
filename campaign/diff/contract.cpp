#include "core/contract.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "campaign/diff/job.h"
#include "verify/shrink/shrink.h"

namespace w4::diff {
namespace {

using nlohmann::json;

constexpr int64_t kShrinkAsks = 400;
constexpr double kShrinkSeconds = 5;

// One way in which the replies to a call differ; cells are what a person reads.
struct Kind {
  std::string key, what, a, b;
  auto operator<=>(const Kind&) const = default;
};

std::string call_text(const Reply& r) {
  if (!r.ok()) return r.native ? r.trouble : "cannot be asked: " + r.trouble;
  const std::string clause = r.said.at("call");
  return clause.empty() ? "takes it" : "refuses: " + clause;
}

std::string prepare_text(const Reply& r) {
  const std::string clause = r.said.at("prepare");
  return clause.empty() ? "prepares" : "refuses: " + clause;
}

// For a key: the clause, or what else there is, without the number of a signal's text.
std::string short_text(std::string text) {
  const auto cut = text.find(": ");
  if (text.starts_with("refuses: ")) return key_of(text.substr(cut + 2));
  return key_of(cut == text.npos ? text : text.substr(0, cut));
}

// Whether that side declares the clause that the other refuses by.
bool declares(const Job& job, Side side, const std::string& kernel, const std::string& answer) {
  const json& clauses = job.declared.at(side).at("kernels").at(kernel).at("lists").at("clause");
  const std::string clause = short_text(answer);
  return std::ranges::any_of(clauses, [&](const json& c) {
    return routed_name(c.get_ref<const std::string&>()).clause == clause;
  });
}

// Where both refuse by different clauses, one of which the other has not: the call breaks more than
// that, and which of it comes first says nothing.
void fold_refusals(const Job& job, const std::string& kernel, std::string& a, std::string& b) {
  if (a == b || !a.starts_with("refuses: ") || !b.starts_with("refuses: ")) return;
  const bool a_knows = declares(job, kA, kernel, b), b_knows = declares(job, kB, kernel, a);
  if (a_knows == b_knows) return;
  (a_knows ? b : a) = "refuses: another";
}

std::vector<Kind> kinds_of(const Job& job, const std::string& kernel,
                           const std::array<Reply, 2>& r) {
  std::vector<Kind> out;
  const auto add = [&](const char* what, std::string a, std::string b) {
    if (a == b) return;
    std::string key = fmt::format("{}/{}/A:{}/B:{}", kernel, what, short_text(a), short_text(b));
    out.push_back({std::move(key), what, std::move(a), std::move(b)});
  };
  std::string call_a = call_text(r[kA]), call_b = call_text(r[kB]);
  fold_refusals(job, kernel, call_a, call_b);
  add("call", std::move(call_a), std::move(call_b));
  if (!r[kA].ok() || !r[kB].ok()) return out;
  std::string prepare_a = prepare_text(r[kA]), prepare_b = prepare_text(r[kB]);
  fold_refusals(job, kernel, prepare_a, prepare_b);
  add("prepare", std::move(prepare_a), std::move(prepare_b));
  const std::string a = r[kA].said.at("shape"), b = r[kB].said.at("shape");
  // Where one promises no shape, that is declared.
  if (!a.empty() && !b.empty() && a != b) out.push_back({kernel + "/shape", "output", a, b});
  return out;
}

bool taken_by(const Reply& r) { return r.ok() && r.said.at("call").get<std::string>().empty(); }

double size_of(const Case& c) {
  const auto log = [](int64_t x) {
    return std::log2(1.0 + static_cast<double>(std::max<int64_t>(x, 0)));
  };
  const Problem& p = c.problem;
  return log(p.m) + log(p.n) + log(p.k) + 0.5 * static_cast<double>(to_string(c).size());
}

struct Group {
  int64_t count = 0;
  Case example;
  std::string message;  // of who refuses the example
};

// The smallest call that still shows the kind.
Case smaller(Job& job, Case from, const Kind& kind) {
  // Host code alone is asked: it sees neither data nor schedule.
  from.fill = Fill::flat, from.sched = {}, from.fp = "auto", from.only = {};
  const RunCase again = [&](const Case& c) {
    const auto r = job.pair.both("ask", c);
    if (r && std::ranges::any_of(kinds_of(job, c.kernel, *r),
                                 [&](const Kind& k) { return k.key == kind.key; }))
      return make_verdict(to_string(c), {Refused{kind.key, "", false, true}}, {});
    return make_verdict(to_string(c), {Pass{}}, {});
  };
  const Shrunk s = shrink(from, again, {.cases = kShrinkAsks, .seconds = kShrinkSeconds},
                          [&](const ShrinkState&) { return !job.pair.over(); });
  Case out = s.end == Shrunk::End::green ? from : s.smallest;
  out.fill = from.fill, out.sched = from.sched, out.only = from.only;
  return out;
}

// "a, b, c and 4 more".
std::string some_of(const std::vector<std::string>& names) {
  constexpr size_t kNamed = 4;
  const size_t shown = std::min(names.size(), kNamed);
  return fmt::format(
      "{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
}

void declared_lists(Job& job, Section& s, const std::string& kernel, const json& a, const json& b) {
  const auto missing = [&](const std::string& what, const json& from, const json& in,
                           const char* side) {
    const bool of_a = std::string_view(side) == "A";
    Row row;
    std::vector<std::string> names;
    for (const json& name : from) {
      if (std::ranges::find(in, name) != in.end()) continue;
      const std::string text = name;
      if (what == "arch" && !job.every_arch &&
          std::ranges::find(job.devices, text) == job.devices.end())
        continue;
      const std::string key =
          fmt::format("{}/declares/{}/{}/only-{}", kernel, what, key_of(text), side);
      if (job.accepted.covers(s.name, key)) {
        ++s.accepted;
        continue;
      }
      row.keys.push_back(key);
      names.push_back(text);
    }
    if (names.empty()) return;
    row.cells = {kernel, what, of_a ? some_of(names) : "–", of_a ? "–" : some_of(names),
                 "declared"};
    s.rows.push_back(std::move(row));
  };
  for (const auto& [what, list] : a.items()) {
    const json& other = b.at(what);
    missing(what, list, other, "A");
    missing(what, other, list, "B");
    std::vector<std::string> x = list, y = other;
    if (what != "clause" || x == y || !std::is_permutation(x.begin(), x.end(), y.begin(), y.end()))
      continue;
    const auto at = std::mismatch(x.begin(), x.end(), y.begin()).first - x.begin();
    Row row;
    row.keys = {kernel + "/declares/clause-order"};
    row.cells = {kernel, fmt::format("order of clauses, from number {}", at + 1),
                 x[static_cast<size_t>(at)], y[static_cast<size_t>(at)], "declared"};
    job.add(s, std::move(row));
  }
}

void declared_texts(Job& job, Section& s, const std::string& kernel, const json& a, const json& b) {
  std::set<std::string> names;
  for (const json* side : {&a, &b}) {
    for (const auto& [name, text] : side->items()) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string x = a.value(name, "–"), y = b.value(name, "–");
    if (x == y) continue;
    Row row;
    row.keys = {fmt::format("{}/declares/{}", kernel, key_of(name))};
    constexpr size_t kShort = 60;
    const bool fits = x.size() <= kShort && y.size() <= kShort;
    row.cells = {kernel, name, fits ? x : "(below)", fits ? y : "(below)", "declared"};
    if (!fits) row.below = {"A: " + x, "B: " + y};
    job.add(s, std::move(row));
  }
}

void compare_declared(Job& job, Section& s) {
  for (const auto& [names, side] : {std::pair{job.only_a, "A"}, std::pair{job.only_b, "B"}}) {
    for (const std::string& name : names) {
      Row row;
      const bool of_a = std::string_view(side) == "A";
      row.keys = {fmt::format("{}/only-{}", key_of(name), side)};
      row.cells = {name, "kernel", of_a ? "has it" : "–", of_a ? "–" : "has it", "declared"};
      job.add(s, std::move(row));
    }
  }
  for (const Compared& k : job.kernels) {
    const json& a = job.declared[kA].at("kernels").at(k.name);
    const json& b = job.declared[kB].at("kernels").at(k.name);
    declared_lists(job, s, k.name, a.at("lists"), b.at("lists"));
    declared_texts(job, s, k.name, a.at("texts"), b.at("texts"));
  }
}

}  // namespace

Section contract(Job& job) {
  Section s{.name = "contract",
            .header = {"kernel", "what", "A", "B", "calls"},
            .planned = static_cast<int64_t>(job.calls.size()) + job.not_drawn,
            .unit = "calls asked"};
  std::map<Kind, Group> groups;
  std::map<std::string, int64_t> asked;  // by kernel
  for (Call& call : job.calls) {
    if (job.pair.gave_up(call.value.kernel)) {
      call.run = false;
      continue;
    }
    const auto r = job.pair.both("ask", call.value);
    if (!r) break;
    call.asked = true;
    ++s.done;
    ++asked[call.value.kernel];
    job.progress(s);
    for (const Side side : {kA, kB}) {
      if (!r->at(side).ok() || !r->at(side).said.at("call").get<std::string>().empty() ||
          !r->at(side).said.at("prepare").get<std::string>().empty()) {
        call.run = false;
      } else {
        job.see(side, call.value, r->at(side).said);
      }
    }
    if (taken_by(r->at(kA)) && taken_by(r->at(kB))) job.taken.push_back({call.value, *r});
    for (const Kind& kind : kinds_of(job, call.value.kernel, *r)) {
      auto [at, fresh] = groups.try_emplace(kind);
      ++at->second.count;
      if (fresh || size_of(call.value) < size_of(at->second.example))
        at->second.example = call.value;
    }
  }
  // What was not asked is not run.
  std::erase_if(job.calls, [](const Call& c) { return !c.asked; });
  job.note_given_up(s);
  for (auto& [kind, group] : groups) {
    const std::string kernel = group.example.kernel;
    Row row;
    row.keys = {kind.key};
    row.cells = {kernel, kind.what, kind.a, kind.b,
                 fmt::format("{} of {}", group.count, asked[kernel])};
    if (job.accepted.covers(s.name, kind.key)) {
      ++s.accepted;
      continue;
    }
    const Case c = smaller(job, group.example, kind);
    row.below = {"A: " + job.pair.rerun(kA, c), "B: " + job.pair.rerun(kB, c)};
    row.json = {{"kernel", kernel}, {"count", group.count}, {"line", to_string(c)}};
    s.rows.push_back(std::move(row));
  }
  compare_declared(job, s);
  return s;
}

}  // namespace w4::diff
