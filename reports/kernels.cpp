#include "reports/kernels.h"

#include <fmt/format.h>

#include <set>

#include "core/rerun.h"
#include "reports/filed_documents.h"

namespace w4 {
namespace {

using nlohmann::json;

// "M 5", "5 tokens, block of 2, silu": what tells the calls of one kernel apart.
std::string call_of(const Problem& p) {
  if (p.experts == 0) return fmt::format("M {}", p.m);
  return fmt::format("{} tokens, block of {}{}", p.m, p.blockm, p.silu ? ", silu" : "");
}

std::string count_again(const std::string& line) {
  constexpr std::string_view kRerun = "w4check rerun";
  return "w4check audit figures --case" + command_to_rerun(line).substr(kRerun.size());
}

// A row of `audit figures`; null where its line is no case of this version.
json figure_of(const Place& row) {
  const std::string line = row.at("line").whole_text();
  const auto value = parse_case(line);
  const bool green = row.at("green").truth();
  json figures;
  const Place all = row.at("figures");
  for (const char* f :
       {"instructions_per_weight", "bytes_over_least", "lines_over_least", "footprint_over_least",
        "lds_cycles_over_least", "barriers_per_wave", "dot2_over_least", "wmma_over_least"}) {
    figures[f] = all.at(f).number();
  }
  const std::string verdict = row.at("verdict").text();
  const bool idle = row.at("idle").truth();
  const std::string instantiation = row.at("instantiation").text();
  if (!value) return {};
  const Problem& p = value->problem;
  return {{"kernel", value->kernel},
          {"device", value->device},
          {"call", call_of(p)},
          {"m", p.m},
          {"n", p.n},
          {"k", p.k},
          {"g", p.g},
          {"act", name_of(p.act)},
          {"rerun", count_again(line)},
          {"line", line},
          {"green", green},
          {"verdict", green  ? ""
                      : idle ? "it launches nothing to count"
                             : verdict},
          {"instantiation", instantiation},
          {"figures", green ? figures : json()}};
}

json range_of(const Place& r) {
  return {{"least", r.at("least").count()}, {"most", r.at("most").count()}};
}

json code_of(const Place& row) {
  json instructions = json::object();
  const Place kinds = row.at("instructions");
  for (const char* kind : {"dot2", "wmma", "global_load_b128", "ds_load_b128"})
    instructions[kind] = range_of(kinds.at(kind));
  const bool dynamic = row.has("dynamic_lds_bytes") && !row.at("dynamic_lds_bytes").null();
  return {{"kernel", row.at("kernel").text()},
          {"arch", row.at("arch").text()},
          {"objects", row.at("objects").count()},
          {"kernels", row.at("kernels").count()},
          {"lds_bytes", range_of(row.at("lds_bytes"))},
          {"dynamic_lds_bytes", dynamic ? range_of(row.at("dynamic_lds_bytes")) : json()},
          {"vgprs", range_of(row.at("vgprs"))},
          {"sgprs", range_of(row.at("sgprs"))},
          {"vgpr_spills", row.at("vgpr_spills").count()},
          {"sgpr_spills", row.at("sgpr_spills").count()},
          {"scratch_bytes", row.at("scratch_bytes").count()},
          {"waves_per_simd", row.at("waves_per_simd").count()},
          {"instructions", instructions}};
}

json source_of(const json& document) {
  json out = json::object();
  for (const char* key : {"name", "build", "at", "notice"}) out[key] = document.at(key);
  return out;
}

class Kernels : public Section {
 public:
  std::string_view name() const override { return "kernels"; }
  void add(const Seen& seen) override {
    if (seen.value && !seen.value->module.empty()) modules_.insert(seen.value->module);
  }

  Result<json> finish(Store& store, const ReportContext& context) override {
    auto figures = filed_documents(store, context, "figures", [](const Place& d) -> json {
      json rows = json::array();
      for (const Place& row : d.list()) {
        if (json one = figure_of(row); !one.is_null()) rows.push_back(std::move(one));
      }
      return {{"rows", std::move(rows)}};
    });
    if (!figures) return std::unexpected(figures.error());
    auto code = filed_documents(store, context, "code", [](const Place& d) -> json {
      json rows = json::array();
      for (const Place& row : d.at("rows").list()) rows.push_back(code_of(row));
      return {{"rows", std::move(rows)}, {"wrong", d.at("wrong").texts()}};
    });
    if (!code) return std::unexpected(code.error());
    std::vector<std::string> notes = std::move(figures->notes);
    notes.insert(notes.end(), code->notes.begin(), code->notes.end());
    const json declared = context.facts.value("kernels", json());
    if (declared.is_null() && figures->shown.empty() && code->shown.empty() && notes.empty())
      return json();
    return json{{"declared", declared},
                {"figures", figures_of(figures->shown)},
                {"code", codes_of(code->shown)},
                {"modules", modules_},
                {"notes", notes}};
  }

 private:
  // Of a line that several documents count, the newest.
  static json figures_of(const std::vector<json>& documents) {
    if (documents.empty()) return {};
    std::set<std::string> lines;
    json rows = json::array(), sources = json::array();
    for (const json& d : documents) {
      sources.push_back(source_of(d));
      for (const json& row : d.at("rows")) {
        if (lines.insert(row.at("line").get<std::string>()).second) rows.push_back(row);
      }
    }
    return {{"rows", rows}, {"sources", sources}};
  }

  // A document each: the same kernel of a module is another one.
  static json codes_of(const std::vector<json>& documents) {
    if (documents.empty()) return {};
    json out = json::array();
    for (const json& d : documents) {
      json one = source_of(d);
      one["rows"] = d.at("rows");
      one["wrong"] = d.at("wrong");
      out.push_back(std::move(one));
    }
    return out;
  }

  std::set<std::string> modules_;  // that cases of the run named
};

}  // namespace

std::unique_ptr<Section> kernels_section() { return std::make_unique<Kernels>(); }

}  // namespace w4
