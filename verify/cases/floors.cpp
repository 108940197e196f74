#include "verify/cases/floors.h"

#include <initializer_list>
#include <string>

#include "core/contract.h"
#include "core/fill.h"

namespace w4 {
namespace {

using Floors = std::vector<Coverage::Floor>;

void add(Floors& to, const char* name, double share, std::initializer_list<const char*> values) {
  for (const char* v : values) to.push_back({name, v, share});
}

void add_values(Floors& to) {
  for (int v = 0; v < 16; ++v) {
    to.push_back({"code", std::to_string(v), 0.1});
    to.push_back({"zero", std::to_string(v), 0.05});
  }
}

// What every row has.
Floors common_floors() {
  Floors out;
  add(out, "g", 0.1, {"32", "64", "128"});
  add(out, "dtype", 0.2, {"f16", "bf16"});
  for (const Fill f : all_fills())
    out.push_back({"fill", std::string(name_of(f)), f == Fill::uniform ? 0.06 : 0.03});
  add(out, "fp", 0.05, {"auto", "ieee", "gfx1151", "gfx1201"});
  add(out, "sched", 0.02,
      {"rr", "rr with turns", "rev", "rev with turns", "random", "prio", "prio with turns"});
  add(out, "cus", 0.2, {"auto", "given"});
  add(out, "lds", 0.1, {"auto", "given"});
  add(out, "tile", 0.1, {"auto"});
  add(out, "k range", 0.08, {"below 512", "512 to 2047", "2048 and more"});
  add(out, "k tail", 0.05, {"whole steps", "ragged"});
  add(out, "n tail", 0.05, {"whole tiles"});
  add(out, "n range", 0.005, {"65 and more"});
  add(out, "n range", 0.3, {"8 to 64"});
  add(out, "group", 0.1, {"one", "many"});
  add(out, "k/g", 0.02, {"g", "above g"});
  add(out, "model", 0.01, {"layer", "neighbour"});
  add(out, "pad", 0.02, {"none", "by number", "f1", "f2", "v3", "weight rows", "scale rows"});
  add(out, "offset", 0.1, {"act", "wei", "scale", "out"});
  add(out, "offset", 0.05, {"zp"});
  add_values(out);
  return out;
}

void add_dense(Floors& out) {
  add(out, "bias", 0.05, {"none", "n", "1xn", "mxn", "1x1", "mx1"});
  add(out, "offset", 0.05, {"bias"});
  add(out, "src", 0.02, {"shuffled", "ct", "awq", "gptq1", "gptq2"});
  add(out, "shard", 0.02, {"whole", "both"});
  add(out, "tile", 0.05, {"forced"});
}

void add_ragged(Floors& out) {
  add(out, "n tail", 0.05, {"ragged"});
  add(out, "n range", 0.03, {"below 8"});
  add(out, "octet", 0.02, {"one more", "one short", "other", "whole"});
}

void add_few_rows(Floors& out, double share) {
  for (int m = 1; m <= kMaxDecodeM; ++m) out.push_back({"m", std::to_string(m), share});
}

void add_many_rows(Floors& out) {
  add(out, "m range", 0.05, {"1-5", "6-16", "17-64"});
  add(out, "m range", 0.02, {"65 and more"});
}

}  // namespace

Floors moe_floors() {
  Floors out;
  for (int m = 1; m <= kMaxDecodeM; ++m) {
    out.push_back({"tokens", std::to_string(m), 0.05});
    out.push_back({"block_m", std::to_string(m), 0.05});
  }
  add(out, "block_m", 0.02, {"16", "32", "64"});
  add(out, "g", 0.1, {"32", "64", "128"});
  add(out, "dtype", 0.2, {"f16", "bf16"});
  add(out, "zp", 0.2, {"none", "packed"});
  add(out, "route", 0.05, {"uniform", "single", "skewed", "elsewhere", "nowhere", "outside"});
  add(out, "rows", 0.2, {"scattered", "contiguous"});
  add(out, "silu", 0.02, {"fused", "none"});
  add(out, "padding", 0.05, {"some", "none"});
  add(out, "form", 0.01, {"small", "large", "silu", "chunked"});
  add(out, "k tail", 0.02, {"whole steps", "ragged"});
  add(out, "n tail", 0.05, {"whole tiles", "ragged"});
  add_values(out);
  return out;
}

Floors row_floors(std::string_view row) {
  Floors out = common_floors();
  const bool experts = row.starts_with("moe"), walks = row == "decode" || row == "chunked";
  if (!experts) add_dense(out);
  if (row == "prefill_carrier") {
    // Made of packed zero points, which want whole octets of N.
    add(out, "zp", 1, {"packed"});
    add(out, "pad", 0.2, {"carrier rows"});
    add(out, "offset", 0.1, {"carrier"});
  } else {
    add_ragged(out);
    add(out, "zp", 0.1, {"none", "packed"});
  }
  if (row == "decode" || row == "prefill" || row == "prefill_dense") {
    add(out, "zp", 0.1, {"unpacked"});
  }
  if (row != "decode" && !experts) add(out, "act rows", 0.1, {"contiguous", "apart"});
  if (walks) add_few_rows(out, 0.1);
  if (row.starts_with("prefill")) add_many_rows(out);
  if (row == "hybrid") {
    add_few_rows(out, 0.03);
    add_many_rows(out);
    add(out, "act rows", 0.1, {"leading dimension"});
    add(out, "m", 0.01, {"6"});
    add(out, "zp", 0.02, {"unpacked"});
  }
  if (walks || row == "hybrid") add(out, "k*m", 0.01, {"below 32768", "above 32768"});
  if (!experts) return out;
  add(out, "route", 0.05, {"uniform", "single", "skewed", "elsewhere", "nowhere", "outside"});
  add(out, "rows", 0.2, {"scattered", "contiguous"});
  add(out, "padding", 0.05, {"some", "none"});
  add(out, "src", 0.1, {"shuffled", "ct"});
  if (row == "moe_prefill") {
    add(out, "block_m", 0.1, {"16", "32", "64"});
    add(out, "m range", 0.05, {"1-5", "6-16", "17-64"});
    return out;
  }
  for (int m = 1; m <= kMaxDecodeM; ++m) {
    out.push_back({"tokens", std::to_string(m), 0.05});
    out.push_back({"block_m", std::to_string(m), 0.05});
  }
  add(out, "silu", 0.1, {"fused", "none"});
  add(out, "tile", 0.05, {"forced"});
  add(out, "k*block_m", 0.02, {"below 8192", "above 8192"});
  add(out, "k*m", 0.005, {"above 32768"});
  return out;
}

Floors rare_floors(std::string_view row) {
  Floors out;
  const bool experts = row.starts_with("moe"), walks = row == "decode" || row == "chunked";
  add(out, "group", 0.002, {"two"});
  add(out, "model n", 0.0002, {"layer"});
  if (row != "decode" && !experts) add(out, "act rows", 0.005, {"far apart"});
  if (walks || row == "hybrid" || row == "moe") add(out, "k*m", 0.001, {"at 32768"});
  if (row == "moe") add(out, "k*block_m", 0.002, {"at 8192"});
  if (experts) return out;
  add(out, "zero points", 0.02, {"square"});
  add(out, "shard", 0.003, {"of n", "of k"});
  add(out, "checkpoint", 0.002, {"gidx sequential"});
  add(out, "checkpoint", 0.0005, {"gidx act"});
  if (row != "prefill_carrier") add(out, "checkpoint", 0.002, {"zero points unused"});
  if (row.starts_with("prefill") || row == "hybrid") {
    add(out, "m", 0.001, {"5", "6", "15", "16", "17", "31", "33", "64", "65", "127", "128", "129"});
  }
  return out;
}

}  // namespace w4
