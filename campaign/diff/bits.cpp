#include <fmt/format.h>

#include <algorithm>

#include "campaign/diff/fold.h"
#include "campaign/diff/job.h"
#include "results/verdict_json.h"
#include "verify/shrink/failure.h"

namespace w4::diff {
namespace {

using nlohmann::json;

// What one side made of a case.
struct Made {
  bool right = false;    // within the intervals, nothing found
  bool skipped = false;  // not run, for a reason of its own
  std::string wrong;     // "mismatch", "finding lds_oob", "crash (signal 11)"
  size_t elements = 0;
  uint64_t hash = 0;
};

Made made_of(const Reply& r) {
  if (!r.ok()) return {.wrong = r.native ? r.trouble : "cannot be run: " + r.trouble};
  Made out;
  out.elements = r.said.at("elements");
  out.hash = r.said.at("hash");
  const auto v = verdict_from_text(r.said.at("verdict").dump());
  if (!v) return {.wrong = v.error().text};
  const VerdictKind kind = v->kind();
  out.skipped = kind == VerdictKind::skipped;
  out.right = v->green() || kind == VerdictKind::mistrusted;
  if (!out.right && !out.skipped) out.wrong = to_string(failure_of(*v));
  return out;
}

// "": nothing to say.
std::string class_of(const Made& a, const Made& b) {
  const bool equal = a.elements == b.elements && a.hash == b.hash;
  if (a.right && b.right) return equal ? "" : "both within, other bits";
  if (a.right) return "B wrong: " + b.wrong;
  if (b.right) return "A wrong: " + a.wrong;
  if (a.wrong == b.wrong) return equal ? "" : fmt::format("both wrong ({}), other bits", a.wrong);
  return fmt::format("A wrong: {}; B wrong: {}", a.wrong, b.wrong);
}

// "out[2,17]: A 0x3c01, B 0x3c00; 12 of 320 differ".
std::string first_difference(Job& job, const Case& c) {
  const auto r = job.pair.both("output", c);
  if (!r || !r->at(kA).ok() || !r->at(kB).ok()) return "the outputs could not be read again";
  const std::string a = r->at(kA).said.at("bits"), b = r->at(kB).said.at("bits");
  if (a.size() != b.size()) {
    return fmt::format("A has {} elements of output, B {}", a.size() / 4, b.size() / 4);
  }
  std::optional<size_t> first;
  size_t differ = 0;
  for (size_t i = 0; i < a.size(); i += 4) {
    if (a.compare(i, 4, b, i, 4) == 0) continue;
    ++differ;
    if (!first) first = i;
  }
  if (!first) return "the outputs are equal when run again: one of both is not repeatable";
  const auto n = static_cast<size_t>(std::max<int64_t>(c.problem.n, 1));
  return fmt::format("first: out[{},{}] is 0x{} in A, 0x{} in B; {} of {} elements differ",
                     *first / 4 / n, *first / 4 % n, a.substr(*first, 4), b.substr(*first, 4),
                     differ, a.size() / 4);
}

double cost_of(const Case& c) {
  const Problem& p = c.problem;
  return static_cast<double>(p.n) * static_cast<double>(p.k) * static_cast<double>(p.m + 2) +
         static_cast<double>(to_string(c).size());
}

Point point_of(const Case& c) {
  const Problem& p = c.problem;
  return {std::string(name_of(p.act)), std::to_string(p.g), std::string(name_of(p.zp)),
          std::to_string(p.m), c.device};
}

// Without M: nobody declares a difference for one number of rows.
std::string key_of_point(const std::string& kernel, const std::string& what, const Point& p) {
  return key_of(fmt::format("{}/{}/{}/g{}/{}", kernel, what, p[0], p[1], p[2]));
}

struct Group {
  std::map<Point, std::vector<Case>> cases;  // that show it
};

}  // namespace

Section bits(Job& job) {
  Section s{.name = "bits",
            .header = {"kernel", "what", "act", "G", "zp", "M", "device", "cases"},
            .unit = "cases run that both take"};
  s.planned = std::ranges::count_if(job.calls, &Call::run);
  std::map<std::pair<std::string, std::string>, Group> groups;  // kernel, class
  std::map<std::string, std::map<Point, int64_t>> ran;          // by kernel
  std::map<std::string, int64_t> skipped;
  int64_t equal = 0;
  for (const Call& call : job.calls) {
    if (!call.run) continue;
    const Case& c = call.value;
    if (job.pair.gave_up(c.kernel)) continue;
    const auto r = job.pair.both("run", c);
    if (!r) break;
    ++s.done;
    const Made a = made_of(r->at(kA)), b = made_of(r->at(kB));
    if (a.skipped || b.skipped) {
      ++skipped[c.kernel];
      continue;
    }
    ++ran[c.kernel][point_of(c)];
    const std::string what = class_of(a, b);
    if (what.empty()) {
      ++equal;
    } else {
      groups[{c.kernel, what}].cases[point_of(c)].push_back(c);
    }
    job.progress(s);
  }
  job.note_given_up(s);
  for (auto& [at, group] : groups) {
    const auto& [kernel, what] = at;
    std::set<Point> same, all;
    int64_t accepted = 0;
    for (const auto& [point, cases] : group.cases) {
      if (job.accepted.covers(s.name, key_of_point(kernel, what, point))) {
        ++accepted;
      } else {
        same.insert(point);
      }
    }
    s.accepted += accepted;
    for (const auto& [point, n] : ran[kernel]) all.insert(point);
    for (const Box& box : fold_few(same, all)) {
      Row row;
      int64_t differ = 0, of = 0;
      const Case* smallest = nullptr;
      for (const auto& [point, n] : ran[kernel]) of += inside(point, box) ? n : 0;
      for (const Point& point : same) {
        if (!inside(point, box)) continue;
        row.keys.push_back(key_of_point(kernel, what, point));
        for (const Case& c : group.cases[point]) {
          ++differ;
          if (smallest == nullptr || cost_of(c) < cost_of(*smallest)) smallest = &c;
        }
      }
      std::ranges::sort(row.keys);
      const auto twice = std::ranges::unique(row.keys);
      row.keys.erase(twice.begin(), twice.end());
      row.cells = {kernel,          what,
                   text_of(box[0]), text_of(box[1]),
                   text_of(box[2]), text_of(box[3]),
                   text_of(box[4]), fmt::format("{} of {}", differ, of)};
      row.below = {first_difference(job, *smallest), "A: " + job.pair.rerun(kA, *smallest),
                   "B: " + job.pair.rerun(kB, *smallest)};
      row.json = {{"kernel", kernel}, {"class", what}, {"line", to_string(*smallest)}};
      s.rows.push_back(std::move(row));
    }
  }
  s.notes.push_back(fmt::format("{} cases with equal bits", equal));
  for (const auto& [kernel, n] : skipped)
    s.notes.push_back(fmt::format("{}: {} cases are skipped by one of both", kernel, n));
  return s;
}

}  // namespace w4::diff
