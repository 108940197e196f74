#include "verify/cases/floors.h"

#include <string>

#include "core/contract.h"

namespace w4 {

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
