#include <nlohmann/json.hpp>

#include "campaign/bench/shown.h"
#include "results/text.h"

namespace w4::bench {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;

json seconds_of(const Samples& s) {
  return {{"median", s.median()}, {"low", s.low()}, {"high", s.high()}, {"samples", s.seconds}};
}

json timed(const Measured& result, const Row& r, const std::optional<Samples>& s) {
  if (!s) return nullptr;
  const double rate = gb_per_s(r.least, s->median());
  json out = {{"seconds", seconds_of(*s)},
              {"gb_per_s", rate},
              {"tflop_per_s", tflop_per_s(r.least, s->median())},
              {"of_copy", nullptr}};
  if (result.copy) out["of_copy"] = rate / result.copy->gb_per_s();
  return out;
}

json counted(const FigureRow& f) {
  return {{"wave_instructions", f.counted.wave_instructions},
          {"instructions_per_weight", f.instructions_per_weight()},
          {"bytes_over_least", f.bytes_over_least()},
          {"lines_over_least", f.lines_over_least()},
          {"lds_cycles_over_least", f.lds_cycles_over_least()},
          {"barriers_per_wave", f.barriers_per_wave()},
          {"dot2_over_least", f.dot2_over_least()},
          {"wmma_over_least", f.wmma_over_least()}};
}

json row_json(const Measured& result, const Row& r) {
  const Problem& p = r.of.value.problem;
  const auto figure = r.figure();
  json out = {{"who", "w4check"},
              {"foreign", false},
              {"kernel", printable_utf8(r.of.value.kernel)},
              {"shape", r.of.shape},
              {"m", p.m},
              {"n", p.n},
              {"k", p.k},
              {"g", p.g},
              {"act", name_of(p.act)},
              {"zp", name_of(p.zp)},
              {"line", printable_utf8(to_string(r.of.value))},
              {"green", r.green},
              {"skipped", r.skipped},
              {"verdict", printable_utf8(r.verdict)},
              {"why", r.why},
              {"ran", printable_utf8(r.instantiation)},
              {"unit", name_of(r.unit())},
              {"figure", nullptr},
              {"state", r.emulated() ? "counted"
                        : r.cold     ? "cold"
                                     : "warm"},
              {"bytes", r.least.bytes},
              {"products", r.least.products},
              {"copies", r.copies},
              {"cold", figure ? timed(result, r, r.cold) : json()},
              {"warm", figure ? timed(result, r, r.warm) : json()},
              {"counted", figure && r.counted ? counted(*r.counted) : json()}};
  if (figure) out["figure"] = *figure;
  return out;
}

json foreign_json(const Measured& result, const Foreign& f) {
  const double rate = gb_per_s(f.least, f.seconds);
  json one = {{"seconds", seconds_of({{f.seconds}})},
              {"gb_per_s", rate},
              {"tflop_per_s", tflop_per_s(f.least, f.seconds)},
              {"of_copy", nullptr}};
  if (result.copy) one["of_copy"] = rate / result.copy->gb_per_s();
  return {{"who", printable_utf8(f.who)},
          {"foreign", true},
          {"kernel", ""},
          {"shape", printable_utf8(f.shape)},
          {"m", f.m},
          {"n", f.n},
          {"k", f.k},
          {"g", f.g},
          {"act", ""},
          {"zp", ""},
          {"line", ""},
          {"green", true},
          {"skipped", false},
          {"verdict", ""},
          {"why", "not verified: timed by somebody else"},
          {"ran", ""},
          {"unit", name_of(f.unit())},
          {"figure", f.figure()},
          {"state", f.state},
          {"bytes", f.least.bytes},
          {"products", f.least.products},
          {"copies", 0},
          {"cold", f.state == "cold" ? one : json()},
          {"warm", f.state == "warm" ? one : json()},
          {"counted", nullptr}};
}

}  // namespace

std::string json_of(const Measured& r) {
  json rows = json::array();
  for (const Row& row : r.rows) rows.push_back(row_json(r, row));
  for (const Foreign& f : r.foreign) rows.push_back(foreign_json(r, f));
  json out = {{"format", kFormat},
              {"device", r.device},
              {"about", printable_utf8(r.about)},
              {"asked", printable_utf8(r.asked)},
              {"cache_bytes", r.cache},
              {"skipped", printable_utf8(r.skipped)},
              {"samples", r.samples},
              {"floor", r.floor},
              {"copy", nullptr},
              {"rows", std::move(rows)}};
  if (r.copy) {
    out["copy"] = {{"bytes", r.copy->bytes},
                   {"seconds", seconds_of(r.copy->samples)},
                   {"gb_per_s", r.copy->gb_per_s()}};
  }
  return out.dump();
}

}  // namespace w4::bench
