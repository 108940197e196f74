// Documents in the shape that their commands write, every text of them one that nobody would
// choose.
#include <nlohmann/json.hpp>

#include "results/documents.h"
#include "results/text.h"
#include "stores/stores.h"
#include "verify/build_id.h"

namespace w4::testing {
namespace {

using nlohmann::json;

json run_of(const std::string& t) {
  return {{"generator", t},
          {"cases", 3},
          {"seconds", 0.5},
          {"mistrusted", 0},
          {"not_counted", 1},
          {"first_not_counted", t},
          {"kills",
           {{{"oracle", t}, {"what", t}, {"cases", 1}, {"seconds", 0}, {"line", t}, {"text", t}}}}};
}

json zoo_of(const std::vector<std::string>& texts) {
  json mutants = json::array(), oracles = json::array(), clean = json::array();
  for (const std::string& t : texts) {
    mutants.push_back({{"mutant", t},
                       {"family", t},
                       {"says", t},
                       {"covers", {t}},
                       {"killed", t.size() % 2 == 0},
                       {"stale", t.size() % 3 == 0 ? t : ""},
                       {"explain", {{"diagnosis", t}, {"said", t}}},
                       {"runs", {run_of(t)}}});
    clean.push_back({{"clean", t}, {"green", false}, {"runs", {run_of(t)}}});
  }
  oracles.push_back({{"name", texts.front()}, {"says", texts.front()}});
  return {{"generators", {texts.front(), texts.back()}},
          {"oracles", oracles},
          {"only", texts.front()},
          {"seconds", 1},
          {"seed", 1},
          {"mutants", mutants},
          {"clean", clean}};
}

json diff_of(const std::vector<std::string>& texts) {
  json rows = json::array();
  for (const std::string& t : texts) {
    rows.push_back({{"cells", {{texts.front(), t}, {"A", t}}},
                    {"below", {t, "A: w4check rerun '" + t + "'"}},
                    {"keys", {t}}});
  }
  return {{"a", texts.front()},
          {"b", texts[1]},
          {"differences", rows.size()},
          {"seconds", 1},
          {"budget_over", true},
          {"stale", {texts[2]}},
          {"sections",
           {{{"section", texts.front()},
             {"done", 1},
             {"planned", 2},
             {"unit", texts.front()},
             {"complete", false},
             {"accepted", 1},
             {"header", {texts.front(), "A"}},
             {"notes", {texts.front()}},
             {"differences", rows}}}}};
}

json bench_of(const std::vector<std::string>& texts) {
  const json time = {{"seconds", {{"median", 1e-5}, {"low", 9e-6}, {"high", 1e-3}}},
                     {"gb_per_s", 1e9},
                     {"tflop_per_s", 1},
                     {"of_copy", 30}};
  json rows = json::array();
  for (const std::string& t : texts) {
    const bool figure = rows.size() % 3 != 0;
    json row = {{"who", t},
                {"foreign", rows.size() % 2 == 0},
                {"kernel", t},
                {"shape", t},
                {"m", rows.size() + 1},
                {"n", INT64_MAX},
                {"k", 1},
                {"g", 0},
                {"act", t},
                {"zp", t},
                {"line", t},
                {"green", figure},
                {"skipped", false},
                {"verdict", t},
                {"why", t},
                {"ran", t},
                {"unit", figure ? "GB/s" : t},
                {"figure", nullptr},
                {"cold", time},
                {"warm", nullptr}};
    if (figure) row["figure"] = 1e9;
    rows.push_back(std::move(row));
  }
  return {{"device", texts.front()},
          {"about", texts.back()},
          {"copy", {{"gb_per_s", 12.5}}},
          {"rows", rows}};
}

json code_of(const std::vector<std::string>& texts) {
  const json range = {{"least", 1}, {"most", UINT32_MAX}};
  json rows = json::array();
  for (const std::string& t : texts) {
    rows.push_back({{"kernel", t},
                    {"arch", t},
                    {"objects", 1},
                    {"kernels", 1},
                    {"lds_bytes", range},
                    {"dynamic_lds_bytes", range},
                    {"vgprs", range},
                    {"sgprs", range},
                    {"vgpr_spills", 0},
                    {"sgpr_spills", 0},
                    {"scratch_bytes", 0},
                    {"waves_per_simd", 1},
                    {"instructions",
                     {{"dot2", range},
                      {"wmma", range},
                      {"global_load_b128", range},
                      {"ds_load_b128", range}}}});
  }
  return {{"rows", rows}, {"wrong", texts}};
}

}  // namespace

void file_hostile_documents(Store& store, const std::vector<std::string>& bytes) {
  std::vector<std::string> texts;
  for (const std::string& t : bytes) texts.push_back(printable_utf8(t));
  const auto file = [&](const char* kind, const json& value) {
    must(file_document(
        store, {.kind = kind, .name = "in shape", .build_id = build_id(), .json = value.dump()}));
  };
  file("zoo", zoo_of(texts));
  file("diff", diff_of(texts));
  file("bench", bench_of(texts));
  file("code", code_of(texts));
}

}  // namespace w4::testing
