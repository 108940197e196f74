#include "verify/floors.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/contract.h"
#include "kernels/sorted_ids.h"
#include "verify/experts.h"

namespace w4 {
namespace {

std::string lds_side(const Problem& p) {
  const int64_t product = p.k * p.m;
  if (product == kLdsElements) return "at 32768";
  return product < kLdsElements ? "below 32768" : "above 32768";
}

// Codes and zero points of the first elements: enough to tell a fill that never shows some value
// from one that does, at a cost that does not depend on the shape.
void add_values(std::map<std::string, std::map<std::string, int64_t>>& counts, const Case& c) {
  const Problem& p = c.problem;
  const Filler fill(c.fill, c.seed, p.act, p.k, p.g);
  std::set<int> codes, zeros;
  for (int64_t n = 0; n < std::min<int64_t>(p.n, 4); ++n) {
    for (int64_t k = 0; k < std::min<int64_t>(p.k, 64); ++k) codes.insert(fill.code(n, k));
  }
  if (p.zp != ZpMode::none) {
    for (int64_t n = 0; n < std::min<int64_t>(p.n, 16); ++n) {
      for (int64_t g = 0; g < std::min<int64_t>(groups(p), 4); ++g) zeros.insert(fill.zero(n, g));
    }
  }
  for (int v : codes) ++counts["code"][std::to_string(v)];
  for (int v : zeros) ++counts["zero"][std::to_string(v)];
}

}  // namespace

void Coverage::add(const Case& c, const Verdict& v) {
  ++cases_;
  const Problem& p = c.problem;
  const auto count = [this](const char* name, std::string value) { ++counts_[name][value]; };
  count("verdict", std::string(name_of(v.kind())));
  if (v.kind() == VerdictKind::refused || v.kind() == VerdictKind::skipped) return;
  count("m", std::to_string(p.m));
  count("m range", p.m <= 5 ? "1-5" : p.m <= 16 ? "6-16" : p.m <= 64 ? "17-64" : "65 and more");
  count("g", std::to_string(p.g));
  count("dtype", std::string(name_of(p.act)));
  count("zp", std::string(name_of(p.zp)));
  count("bias", to_string(p.bias));
  count("src", std::string(name_of(p.src)));
  count("fill", std::string(name_of(c.fill)));
  count("device", c.device);
  count("fp", v.ran.fp);
  count("k*m", lds_side(p));
  count("k tail", p.k % 512 == 0 ? "whole steps" : "ragged");
  count("n tail", p.n % 4 == 0 ? "whole tiles" : "ragged");
  count("group", groups(p) == 1 ? "one" : groups(p) == 2 ? "two" : "many");
  count("instantiation", v.ran.instantiation);
  add_values(counts_, c);
  if (p.experts <= 0) return;
  count("tokens", std::to_string(p.m));
  count("block_m", std::to_string(p.blockm));
  count("route", std::string(name_of(p.route)));
  count("rows", std::string(name_of(p.rows)));
  count("silu", p.silu ? "fused" : "none");
  const SortedIds ids = sort_slots(route_slots(p, c.seed), p.experts, p.blockm);
  count("padding", std::ranges::find(ids.sorted, slots(p)) != ids.sorted.end() ? "some" : "none");
  count("form", v.ran.instantiation.substr(0, v.ran.instantiation.find(' ')));
}

std::vector<std::string> Coverage::below(const std::vector<Floor>& floors) const {
  std::vector<std::string> out;
  for (const Floor& f : floors) {
    int64_t got = 0;
    if (const auto values = counts_.find(f.name); values != counts_.end()) {
      if (const auto value = values->second.find(f.value); value != values->second.end()) {
        got = value->second;
      }
    }
    const int64_t floor =
        std::max<int64_t>(1, static_cast<int64_t>(f.share * static_cast<double>(cases_)));
    if (got < floor) {
      out.push_back(fmt::format("{} = {} in {} of {} cases, its floor is {}", f.name, f.value, got,
                                cases_, floor));
    }
  }
  return out;
}

std::string Coverage::text() const {
  std::string out = fmt::format("{} cases\n", cases_);
  for (const auto& [name, values] : counts_) {
    if (name == "instantiation") {
      out += fmt::format("  {}: {} different\n", name, values.size());
      continue;
    }
    out += fmt::format("  {}:", name);
    for (const auto& [value, count] : values) out += fmt::format(" {}={}", value, count);
    out += "\n";
  }
  return out;
}

std::vector<Coverage::Floor> decode_floors() {
  std::vector<Coverage::Floor> out;
  for (int m = 1; m <= kMaxDecodeM; ++m) out.push_back({"m", std::to_string(m), 0.05});
  for (const char* g : {"32", "64", "128"}) out.push_back({"g", g, 0.1});
  for (const char* t : {"f16", "bf16"}) out.push_back({"dtype", t, 0.2});
  for (const char* z : {"none", "packed", "unpacked"}) out.push_back({"zp", z, 0.1});
  for (const char* s : {"below 32768", "above 32768", "at 32768"}) out.push_back({"k*m", s, 0.001});
  for (const char* s : {"whole steps", "ragged"}) out.push_back({"k tail", s, 0.05});
  for (const char* s : {"whole tiles", "ragged"}) out.push_back({"n tail", s, 0.05});
  for (int v = 0; v < 16; ++v) {
    out.push_back({"code", std::to_string(v), 0.1});
    out.push_back({"zero", std::to_string(v), 0.05});
  }
  return out;
}

std::vector<Coverage::Floor> moe_floors() {
  std::vector<Coverage::Floor> out;
  for (int m = 1; m <= kMaxDecodeM; ++m) {
    out.push_back({"tokens", std::to_string(m), 0.05});
    out.push_back({"block_m", std::to_string(m), 0.05});
  }
  for (const char* b : {"16", "32", "64"}) out.push_back({"block_m", b, 0.02});
  for (const char* g : {"32", "64", "128"}) out.push_back({"g", g, 0.1});
  for (const char* t : {"f16", "bf16"}) out.push_back({"dtype", t, 0.2});
  for (const char* z : {"none", "packed"}) out.push_back({"zp", z, 0.2});
  for (const char* r : {"uniform", "single", "skewed", "elsewhere", "nowhere", "outside"}) {
    out.push_back({"route", r, 0.05});
  }
  for (const char* r : {"scattered", "contiguous"}) out.push_back({"rows", r, 0.2});
  for (const char* f : {"fused", "none"}) out.push_back({"silu", f, 0.02});
  for (const char* s : {"some", "none"}) out.push_back({"padding", s, 0.05});
  for (const char* f : {"small", "large", "silu", "chunked"}) out.push_back({"form", f, 0.01});
  for (const char* s : {"whole steps", "ragged"}) out.push_back({"k tail", s, 0.02});
  for (const char* s : {"whole tiles", "ragged"}) out.push_back({"n tail", s, 0.05});
  for (int v = 0; v < 16; ++v) {
    out.push_back({"code", std::to_string(v), 0.1});
    out.push_back({"zero", std::to_string(v), 0.05});
  }
  return out;
}

std::vector<Coverage::Floor> row_floors(std::string_view row) {
  if (row.starts_with("moe")) {
    // A block_m belongs to one of the two rows; few tokens, forms and silu to `moe`.
    const bool prefill = row == "moe_prefill";
    std::vector<Coverage::Floor> out = moe_floors();
    std::erase_if(out, [&](const Coverage::Floor& f) {
      if (f.name == "block_m") return (f.value.size() == 2) != prefill;
      return prefill && (f.name == "tokens" || f.name == "form" || f.name == "silu");
    });
    if (prefill) {
      for (const char* range : {"1-5", "6-16", "17-64"}) out.push_back({"m range", range, 0.05});
    }
    return out;
  }
  std::vector<Coverage::Floor> out = decode_floors();
  if (row == "decode") return out;
  if (row.starts_with("prefill")) {
    // No array that all of K goes into; M up to 130. A carrier is made of packed zero points, which
    // want whole octets of N.
    std::erase_if(out, [&](const Coverage::Floor& f) {
      return f.name == "m" || f.name == "k*m" ||
             (row == "prefill_carrier" && ((f.name == "zp" && f.value != "packed") ||
                                           (f.name == "n tail" && f.value == "ragged")));
    });
    for (const char* range : {"1-5", "6-16", "17-64", "65 and more"}) {
      out.push_back({"m range", range, 0.05});
    }
    return out;
  }
  if (row == "hybrid") {
    for (const char* range : {"1-5", "6-16", "17-64", "65 and more"}) {
      out.push_back({"m range", range, 0.05});
    }
  }
  // Zero points are packed or there are none, and nothing aims at K*M = 32768 exactly.
  std::erase_if(out, [](const Coverage::Floor& f) {
    return (f.name == "zp" && f.value == "unpacked") || (f.name == "k*m" && f.value == "at 32768");
  });
  return out;
}

}  // namespace w4
