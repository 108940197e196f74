#include "reports/zoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/rerun.h"
#include "reports/filed_documents.h"

namespace w4 {
namespace {

using nlohmann::json;

json run_of(const Place& run) {
  json kills = json::array();
  for (const Place& k : run.at("kills").list()) {
    const std::string line = k.at("line").whole_text();
    kills.push_back({{"oracle", k.at("oracle").text()},
                     {"what", k.at("what").text()},
                     {"cases", k.at("cases").count()},
                     {"seconds", k.at("seconds").number()},
                     {"rerun", line.empty() ? "" : command_to_rerun(line)},
                     {"text", k.at("text").text()}});
  }
  return {{"generator", run.at("generator").text()},
          {"cases", run.at("cases").count()},
          {"seconds", run.at("seconds").number()},
          {"mistrusted", run.at("mistrusted").count()},
          {"not_counted", run.at("not_counted").count()},
          {"first_not_counted", run.text("first_not_counted")},
          {"kills", std::move(kills)}};
}

json runs_of(const Place& row) {
  json out = json::array();
  for (const Place& run : row.at("runs").list()) out.push_back(run_of(run));
  return out;
}

json mutant_of(const Place& m) {
  json explain, recipe;
  if (m.has("explain")) {
    const Place e = m.at("explain");
    explain = {{"diagnosis", e.at("diagnosis").text()}, {"said", e.at("said").text()}};
  }
  if (m.has("recipe")) {
    const Place r = m.at("recipe");
    recipe = {{"tests", r.at("tests").count()}, {"failed", r.at("failed").count()}};
  }
  return {{"name", m.at("mutant").text()},
          {"family", m.at("family").text()},
          {"says", m.at("says").text()},
          {"covers", m.at("covers").texts()},
          {"killed", m.at("killed").truth()},
          {"stale", m.text("stale")},
          {"equivalent", m.text("equivalent")},
          {"explain", explain},
          {"recipe", recipe},
          {"runs", runs_of(m)}};
}

json clean_of(const Place& c) {
  json runs = runs_of(c);
  int64_t cases = 0, red = 0;
  std::string first;
  for (const json& r : runs) {
    cases += r.at("cases").get<int64_t>();
    red += r.at("not_counted").get<int64_t>();
    if (first.empty()) first = r.at("first_not_counted");
  }
  return {{"name", c.at("clean").text()},
          {"green", c.at("green").truth()},
          {"cases", cases},
          {"red", red},
          {"first", first}};
}

// Counts of what stands in the document: kills by oracle, and those that no other oracle has.
json oracles_of(const Place& document, const json& mutants) {
  std::map<std::string, int64_t> kills, alone;
  for (const json& m : mutants) {
    std::set<std::string> by;
    for (const json& run : m.at("runs")) {
      for (const json& k : run.at("kills")) by.insert(k.at("oracle").get<std::string>());
    }
    for (const std::string& o : by) ++kills[o];
    if (by.size() == 1) ++alone[*by.begin()];
  }
  json out = json::array();
  for (const Place& o : document.at("oracles").list()) {
    const std::string name = o.at("name").text();
    out.push_back({{"name", name},
                   {"says", o.at("says").text()},
                   {"kills", kills[name]},
                   {"alone", alone[name]}});
  }
  return out;
}

json hunt_of(const Place& document) {
  json mutants = json::array(), clean = json::array();
  int64_t killed = 0;
  for (const Place& m : document.at("mutants").list()) {
    mutants.push_back(mutant_of(m));
    killed += mutants.back().at("killed").get<bool>() ? 1 : 0;
  }
  for (const Place& c : document.at("clean").list()) clean.push_back(clean_of(c));
  const bool all = document.at("only").null();
  return {{"only", all ? json() : json(document.at("only").text())},
          {"seconds", document.at("seconds").number()},
          {"seed", document.at("seed").count()},
          {"generators", document.at("generators").texts()},
          {"oracles", oracles_of(document, mutants)},
          {"killed", killed},
          {"total", mutants.size()},
          {"mutants", mutants},
          {"clean", clean}};
}

// The random campaign alone, with several seeds.
json seeds_of(const Place& s) {
  json killed = json::array();
  for (const Place& k : s.at("killed").list()) killed.push_back(k.count());
  return {{"killed", killed},
          {"hunted", s.at("hunted").count()},
          {"audit_only", s.at("audit_only").count()}};
}

class Zoo : public Section {
 public:
  std::string_view name() const override { return "zoo"; }
  void add(const Seen&) override {}

  Result<json> finish(Store& store, const ReportContext& context) override {
    const auto filed = filed_hunts(store, context);
    if (!filed) return std::unexpected(filed.error());
    if (filed->hunts.empty() && filed->seeds.empty() && filed->notes.empty()) return json();
    return json{{"hunts", filed->hunts}, {"seeds", filed->seeds}, {"notes", filed->notes}};
  }
};

}  // namespace

Result<FiledHunts> filed_hunts(Store& store, const ReportContext& context) {
  auto filed = filed_documents(store, context, "zoo", [](const Place& d) -> json {
    if (d.has("seeds")) return {{"seeds", seeds_of(d.at("seeds"))}};
    return {{"hunt", hunt_of(d)}};
  });
  if (!filed) return std::unexpected(filed.error());
  FiledHunts out{.hunts = {}, .seeds = {}, .notes = std::move(filed->notes)};
  for (json& d : filed->shown) {
    std::vector<json>& of = d.contains("hunt") ? out.hunts : out.seeds;
    json one = d.at(d.contains("hunt") ? "hunt" : "seeds");
    for (const char* key : {"name", "build", "at", "notice"}) one[key] = d.at(key);
    of.push_back(std::move(one));
  }
  std::ranges::sort(out.hunts, std::greater(), [](const json& h) {
    return std::tuple(h.at("total").get<size_t>(), h.at("at").get<std::string>(),
                      h.at("name").get<std::string>());
  });
  return out;
}

std::unique_ptr<Section> zoo_section() { return std::make_unique<Zoo>(); }

}  // namespace w4
