#include "stores/depicted.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

namespace w4::testing {
namespace {

using nlohmann::json;

// docs/report.md, "depiction": what a page of a failure shows at most.
constexpr int kSide = 128, kWorst = 12, kPoints = 48;
constexpr size_t kBytes = 40'000;

json picture(std::mt19937_64& random) {
  static constexpr std::string_view kLetters =
      "-?012345678ABCDEFGHIJKLMNOPQRSTUVWXabcdefghijklmnopqrstuvwx";
  json cells = json::array();
  for (int r = 0; r < kSide; ++r) {
    std::string row;
    for (int c = 0; c < kSide; ++c) row += kLetters[random() % kLetters.size()];
    cells.push_back(row);
  }
  return {{"rows", 1}, {"columns", 32}, {"cells", cells}};
}

json worst() {
  json out = json::array();
  for (int i = 0; i < kWorst; ++i) {
    out.push_back({{"m", i},
                   {"n", 77},
                   {"what", "wrong"},
                   {"got", 3.1259765625},
                   {"low", 0.99951171875},
                   {"high", 1.00048828125},
                   {"twin", 1.000012345678},
                   {"bound", 1.2345e-4},
                   {"error", 17221.3 - i}});
  }
  return out;
}

json along_k(const std::string& line) {
  json points = json::array();
  for (int i = 0; i < kPoints; ++i) {
    points.push_back({{"end", (i + 1) * 4096 / kPoints},
                      {"what", i < 6 ? "right" : "wrong"},
                      {"got", 1.25 + i},
                      {"low", 0.99951171875},
                      {"high", 1.00048828125},
                      {"error", i < 6 ? 0.25 : i * 17.25},
                      {"wrong", 60'000}});
  }
  return {{"line", line},
          {"why", ""},
          {"m", 3},
          {"n", 77},
          {"points", points},
          {"departs", 512},
          {"any_departs", 256},
          {"cut_short", false}};
}

json party(const char* instruction, int excerpt) {
  return {{"workgroup", 0},
          {"wave", 3},
          {"lane", 17},
          {"pc", "0x31264"},
          {"instruction", instruction},
          {"source",
           "gemm_tile.h:81 in store < gemm_tile.h:132 in gemm_tile<_Float16> < prefill.hip:88 in "
           "prefill<_Float16> < prefill.hip:134"},
          {"excerpts", {excerpt, excerpt + 1}},
          {"why", ""}};
}

// Findings with their excerpts until the depiction is as large as it may be.
void put_findings(json& d) {
  d["findings"] = d["excerpts"] = json::array();
  d["findings_left_out"] = 400;
  for (int i = 0; d.dump().size() < kBytes; ++i) {
    for (int e = 2 * i; e < 2 * i + 2; ++e) {
      json text = json::array();
      for (int l = 0; l < 9; ++l)
        text.push_back(fmt::format(
            "    const Lines<T> line{} = load_lines<T>(lds + share.row * Shape::kPitch + {});", l,
            e));
      d["excerpts"].push_back({{"place", fmt::format("gemm_tile.h:{}", 10 * e + 4)},
                               {"first", 10 * e},
                               {"line", 10 * e + 4},
                               {"text", text},
                               {"why", ""}});
    }
    d["findings"].push_back({{"kind", "lds_race"},
                             {"kernel", "w4_prefill_bm64bn64bk32_f16_symmetric"},
                             {"detail", "wave 0 writes what wave 1 read since the last barrier"},
                             {"buffer", "LDS"},
                             {"offset", 16 * i},
                             {"bytes", 16},
                             {"born", ""},
                             {"at", party("ds_store_b128 v52, v[32:35]", 2 * i)},
                             {"other", party("ds_load_b128 v[79:82], v115", 2 * i)}});
  }
}

}  // namespace

json filled_depiction(const std::string& line, uint64_t seed) {
  std::mt19937_64 random(seed);
  json d = {{"line", line},
            {"why", ""},
            {"m", 128},
            {"n", 4096},
            {"k", 4096},
            {"g", 128},
            {"wrong", 60'000},
            {"instantiation", "bm64bn64bk32w4 m128 g128 f16 symmetric"},
            {"symbol", "w4_prefill_bm64bn64bk32_f16_symmetric"},
            {"order", nullptr},
            {"experts", nullptr},
            {"reordered", false}};
  const json edges = {{"tile", 64}, {"wave", 32}, {"matrix", 16}};
  d["geometry"] = {{"m", edges},    {"n", edges},      {"lane", 0},         {"step", 0},
                   {"unrolled", 0}, {"blocks", false}, {"family", "matrix"}};
  d["picture"] = picture(random);
  d["worst"] = worst();
  d["along_k"] = along_k(line);
  put_findings(d);
  const json explanation = {
      {"certainty", "exact"},
      {"says", "computed with G = 128 instead of 64: the group of k is k div 128"},
      {"hypotheses",
       {{{"name", "group.size"},
         {"says", "computed with another G: the group of k is k div that G"},
         {"defects", "B01 B09 B12"},
         {"also", json::array()}}}},
      {"elements", 60'000},
      {"how", "predicts 60000 of 60000 elements bit for bit, in 6 runs of 3 shapes"},
      {"pattern", json::array()},
      {"interval", ""}};
  return {{"explanation", explanation}, {"depiction", d}, {"green", false}, {"why", ""}};
}

}  // namespace w4::testing
