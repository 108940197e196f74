#include <fmt/ranges.h>

#include <algorithm>

#include "campaign/diff/fold.h"
#include "campaign/diff/job.h"
#include "campaign/diff/route.h"
#include "verify/cases/model_layers.h"

namespace w4::diff {
namespace {

using nlohmann::json;

// Decode, the step behind it, and some prefill.
constexpr std::array<int64_t, 9> kM{1, 2, 3, 4, 5, 6, 16, 64, 512};

// A layer's name in a table: what a route depends on.
std::string layer_of(const Problem& p) { return fmt::format("{}x{} G{}", p.n, p.k, p.g); }

// act, zp, device, M, layer, and the call itself.
using Where = std::map<Point, Case>;

std::vector<Case> layers() {
  std::vector<Case> out;
  std::set<std::string> seen;
  for (const ModelLayer& l : model_layers()) {
    Case c;
    c.problem.n = l.n, c.problem.k = l.k, c.problem.g = l.g;
    if (seen.insert(layer_of(c.problem)).second) out.push_back(c);
  }
  return out;
}

std::string some_of(const std::set<std::string>& values, size_t all) {
  constexpr size_t kNamed = 3;
  if (values.size() == all) return fmt::format("all {}, and generated calls", all - 1);
  std::string out;
  size_t i = 0;
  for (auto at = values.begin(); at != values.end() && i < kNamed; ++at, ++i)
    out += (i == 0 ? "" : ", ") + *at;
  if (values.size() > kNamed) out += fmt::format(" and {} more", values.size() - kNamed);
  return out;
}

}  // namespace

Section routes(Job& job) {
  Section s{.name = "route",
            .header = {"kernel", "A", "B", "M", "act", "zp", "device", "calls", "layers NxK"},
            .unit = "calls of model layers asked"};
  const std::vector<Case> all_layers = layers();
  std::vector<Case> cases;
  for (const Compared& k : job.kernels) {
    if (k.experts) {
      s.notes.push_back(k.name + ": the layers of the models are dense: not asked");
      continue;
    }
    for (Case c : all_layers) {
      c.kernel = k.name;
      for (const std::string& device : job.devices) {
        c.device = device;
        for (const ZpMode zp : {ZpMode::none, ZpMode::packed, ZpMode::unpacked}) {
          c.problem.zp = zp;
          for (const DType act : {DType::f16, DType::bf16}) {
            c.problem.act = act;
            for (const int64_t m : kM) {
              c.problem.m = m;
              cases.push_back(c);
            }
          }
        }
      }
    }
  }
  s.planned = static_cast<int64_t>(cases.size());
  std::map<std::string, std::set<Point>> asked;  // by kernel
  std::map<Change, Where> changes;
  const auto note = [&](const Case& c, const std::array<Reply, 2>& r, const std::string& layer) {
    const Problem& p = c.problem;
    const Point at{std::string(name_of(p.act)), std::string(name_of(p.zp)), c.device,
                   std::to_string(p.m), layer};
    asked[c.kernel].insert(at);
    const auto change = change_of(c, route_of(r[kA]), route_of(r[kB]));
    if (change) changes[*change].emplace(at, c);
  };
  for (const Taken& t : job.taken) note(t.value, t.said, "generated calls");
  for (const Case& c : cases) {
    if (job.pair.gave_up(c.kernel)) continue;
    const auto r = job.pair.both("route", c);
    if (!r) break;
    ++s.done;
    job.progress(s);
    for (const Side side : {kA, kB}) {
      if (r->at(side).ok() && r->at(side).said.at("call").get<std::string>().empty())
        job.see(side, c, r->at(side).said);
    }
    note(c, *r, layer_of(c.problem));
  }
  job.note_given_up(s);
  s.notes.push_back(fmt::format("and {} generated calls that both take", job.taken.size()));
  for (const auto& [change, where] : changes) {
    std::set<Point> points;
    for (const auto& [point, c] : where) points.insert(point);
    for (const Box& box : fold_few(points, asked[change.kernel])) {
      const Case& first =
          std::ranges::find_if(where, [&](const auto& w) { return inside(w.first, box); })->second;
      const auto in = [&box](const std::set<Point>& all) {
        return std::ranges::count_if(all, [&](const Point& p) { return inside(p, box); });
      };
      Row row;
      row.keys = {key_of(fmt::format("{}/A:{}/B:{}", change.kernel, change.a, change.b))};
      row.cells = {change.kernel,
                   change.a,
                   change.b,
                   text_of(box[3]),
                   text_of(box[0]),
                   text_of(box[1]),
                   text_of(box[2]),
                   fmt::format("{} of {}", in(points), in(asked[change.kernel])),
                   some_of(box[4], all_layers.size() + 1)};
      row.below = {"A: " + job.pair.rerun(kA, first), "B: " + job.pair.rerun(kB, first)};
      row.json = {{"layers", box[4]}, {"line", to_string(first)}};
      job.add(s, std::move(row));
    }
  }
  return s;
}

}  // namespace w4::diff
