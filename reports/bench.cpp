#include "reports/bench.h"

#include "reports/filed_documents.h"

namespace w4 {
namespace {

using nlohmann::json;

json number_or_null(const Place& p) { return p.null() ? json() : json(p.number()); }

// Of samples of one state: what a page shows of them.
json timed_of(const Place& t) {
  if (t.null()) return json();
  const Place s = t.at("seconds");
  return {{"seconds", s.at("median").number()},
          {"low", s.at("low").number()},
          {"high", s.at("high").number()},
          {"gb_per_s", t.at("gb_per_s").number()},
          {"tflop_per_s", t.at("tflop_per_s").number()},
          {"of_copy", number_or_null(t.at("of_copy"))}};
}

json row_of(const Place& r) {
  json out = {{"figure", number_or_null(r.at("figure"))}, {"foreign", r.at("foreign").truth()},
              {"green", r.at("green").truth()},           {"skipped", r.at("skipped").truth()},
              {"cold", timed_of(r.at("cold"))},           {"warm", timed_of(r.at("warm"))}};
  for (const char* size : {"m", "n", "k", "g"}) out[size] = r.at(size).count();
  for (const char* text : {"who", "kernel", "shape", "act", "zp", "verdict", "why", "ran", "unit"})
    out[text] = r.at(text).text();
  out["line"] = r.at("line").whole_text();
  return out;
}

json bench_of(const Place& d) {
  json rows = json::array();
  for (const Place& r : d.at("rows").list()) rows.push_back(row_of(r));
  const Place copy = d.at("copy");
  return {{"device", d.at("device").text()},
          {"about", d.at("about").text()},
          {"copy", copy.null() ? json() : json(copy.at("gb_per_s").number())},
          {"rows", rows}};
}

class Bench : public Section {
 public:
  std::string_view name() const override { return "bench"; }
  void add(const Seen&) override {}

  Result<json> finish(Store& store, const ReportContext& context) override {
    auto filed = filed_documents(store, context, "bench", bench_of);
    if (!filed) return std::unexpected(filed.error());
    if (filed->shown.empty() && filed->notes.empty()) return json();
    return json{{"benches", filed->shown}, {"notes", filed->notes}};
  }
};

}  // namespace

std::unique_ptr<Section> bench_section() { return std::make_unique<Bench>(); }

}  // namespace w4
