#include "campaign/suites/suite_floors.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace w4 {
namespace {

using Floors = std::vector<Coverage::Floor>;

void each(Floors& to, std::string_view name, std::initializer_list<std::string_view> values,
          double share) {
  for (const std::string_view v : values) {
    to.push_back({std::string(name), std::string(v), share});
  }
}

void every_code(Floors& to, double codes, double zeros) {
  for (int v = 0; v < 16; ++v) {
    to.push_back({"code", std::to_string(v), codes});
    if (zeros > 0) to.push_back({"zero", std::to_string(v), zeros});
  }
}

void positions(Floors& to) {
  to.push_back({"group position", "first", 0.4});
  to.push_back({"group position", "middle", 0.1});
  to.push_back({"group position", "last", 0.2});
}

// What the suites of dense decode layers have alike.
Floors dense(double zeros) {
  Floors out;
  each(out, "m", {"1", "2", "3", "4", "5"}, 0.02);
  each(out, "dtype", {"f16", "bf16"}, 0.02);
  every_code(out, 0.1, zeros);
  positions(out);
  return out;
}

}  // namespace

Floors smoke_floors() {
  Floors out = dense(0.05);
  each(out, "kernel",
       {"decode", "chunked", "prefill", "prefill_dense", "prefill_carrier", "hybrid", "moe",
        "moe_prefill"},
       0.01);
  each(out, "g", {"32", "64", "128"}, 0.1);
  each(out, "zp", {"none", "packed", "unpacked"}, 0.1);
  each(out, "src", {"shuffled", "ct", "awq", "gptq1", "gptq2"}, 0.05);
  each(out, "bias", {"none", "n", "1xn", "mxn", "1x1", "mx1"}, 0.05);
  each(out, "k*m", {"below 32768", "at 32768", "above 32768"}, 0.001);
  each(out, "k tail", {"whole steps", "ragged"}, 0.05);
  each(out, "n tail", {"whole tiles", "ragged"}, 0.05);
  each(out, "fill", {"flat", "normal", "integer", "special", "extreme"}, 0.02);
  each(out, "tile", {"forced", "auto"}, 0.05);
  each(out, "verdict", {"refused"}, 0.005);
  return out;
}

Floors boundary_floors() {
  Floors out = dense(0);
  each(out, "kernel", {"decode", "chunked"}, 0.05);
  each(out, "g", {"32", "64", "128"}, 0.1);
  each(out, "k*m", {"below 32768", "at 32768", "above 32768"}, 0.02);
  each(out, "n tail", {"whole tiles", "ragged"}, 0.05);
  return out;
}

Floors model_floors() {
  Floors out = dense(0.02);
  each(out, "kernel", {"decode", "chunked", "prefill", "hybrid"}, 0.02);
  each(out, "zp", {"none", "packed"}, 0.05);
  each(out, "k*m", {"below 32768", "above 32768"}, 0.05);
  return out;
}

// The bf16 that models leaves out: layers of decode and chunked.
Floors model_floors_bf16() {
  Floors out = dense(0.02);
  std::erase_if(out, [](const Coverage::Floor& f) { return f.value == "f16"; });
  each(out, "kernel", {"decode", "chunked"}, 0.02);
  each(out, "zp", {"none", "packed"}, 0.05);
  each(out, "k*m", {"below 32768", "above 32768"}, 0.02);
  return out;
}

Floors small_floors() {
  Floors out = dense(0.02);
  each(out, "g", {"32", "64", "128"}, 0.1);
  each(out, "zp", {"none", "packed", "unpacked"}, 0.05);
  each(out, "k tail", {"whole steps", "ragged"}, 0.05);
  each(out, "n tail", {"whole tiles", "ragged"}, 0.05);
  each(out, "sched", {"rr", "rev", "random"}, 0.1);
  return out;
}

Floors sweep_floors() {
  Floors out = dense(0.05);
  each(out, "kernel",
       {"decode", "chunked", "prefill", "prefill_dense", "prefill_carrier", "moe", "moe_prefill"},
       0.01);
  each(out, "g", {"32", "64", "128"}, 0.1);
  each(out, "zp", {"none", "packed", "unpacked"}, 0.05);
  each(out, "k*m", {"below 32768", "above 32768"}, 0.05);
  each(out, "n tail", {"whole tiles", "ragged"}, 0.05);
  return out;
}

Floors moe_suite_floors() {
  Floors out;
  each(out, "kernel", {"moe", "moe_prefill"}, 0.01);
  each(out, "tokens", {"1", "2", "3", "4", "5"}, 0.05);
  each(out, "block_m", {"1", "2", "3", "4", "5"}, 0.05);
  each(out, "block_m", {"16", "32", "64"}, 0.005);
  each(out, "g", {"32", "64", "128"}, 0.1);
  each(out, "dtype", {"f16", "bf16"}, 0.2);
  each(out, "zp", {"none", "packed"}, 0.2);
  each(out, "route", {"uniform", "single", "skewed", "elsewhere", "nowhere", "outside"}, 0.02);
  each(out, "rows", {"scattered", "contiguous"}, 0.2);
  each(out, "silu", {"fused", "none"}, 0.01);
  each(out, "padding", {"some", "none"}, 0.05);
  each(out, "verdict", {"refused"}, 0.001);
  every_code(out, 0.1, 0.05);
  positions(out);
  return out;
}

}  // namespace w4
