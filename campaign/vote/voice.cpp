#include "campaign/vote/voice.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "results/verdict_json.h"

namespace w4::vote {
namespace {

bool is_nan(uint16_t bits, DType type) { return std::isnan(to_f64(type, bits)); }

// Neighbours of the type are neighbours here; both zeros are one.
int64_t place_of(uint16_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & 0x7fff);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

bool same(uint16_t a, uint16_t b, DType type) {
  return a == b || (is_nan(a, type) && is_nan(b, type));
}

}  // namespace

bool Voice::counts() const {
  return verdict.kind() == VerdictKind::pass || verdict.kind() == VerdictKind::mistrusted;
}

std::string_view name_of(Agreement a) {
  switch (a) {
    case Agreement::skipped:
      return "skipped";
    case Agreement::red:
      return "red";
    case Agreement::equal:
      return "equal";
    case Agreement::instantiation:
      return "instantiation";
    case Agreement::model:
      return "model";
    case Agreement::unexplained:
      return "unexplained";
  }
  return "unexplained";
}

std::string_view says_of(Agreement a) {
  switch (a) {
    case Agreement::skipped:
      return "one of both did not run it";
    case Agreement::red:
      return "one of both is red, or both are";
    case Agreement::equal:
      return "the same bits";
    case Agreement::instantiation:
      return "other bits within both intervals, other kernels ran";
    case Agreement::model:
      return "other bits within both intervals, the same kernels on other arithmetic";
    case Agreement::unexplained:
      return "other bits, the same kernels on the same arithmetic";
  }
  return "";
}

Agreement agreement_of(const Voice& a, const Voice& b, DType type) {
  if (a.skipped() || b.skipped()) return Agreement::skipped;
  if (!a.counts() || !b.counts()) return Agreement::red;
  if (a.out.size() == b.out.size()) {
    bool equal = true;
    for (size_t i = 0; i < a.out.size() && equal; ++i) equal = same(a.out[i], b.out[i], type);
    if (equal) return Agreement::equal;
  }
  const Provenance &ran = a.verdict.ran, &other = b.verdict.ran;
  if (ran.instantiation != other.instantiation || ran.symbols != other.symbols)
    return Agreement::instantiation;
  return ran.fp != other.fp ? Agreement::model : Agreement::unexplained;
}

Difference difference_of(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b,
                         DType type) {
  Difference out;
  for (size_t i = 0; i < a.size(); ++i) {
    if (same(a[i], b[i], type)) continue;
    ++out.differ;
    const bool number = !is_nan(a[i], type) && !is_nan(b[i], type);
    const int64_t ulps =
        number ? std::abs(place_of(a[i]) - place_of(b[i])) : std::numeric_limits<int64_t>::max();
    if (out.at < 0 || ulps > out.ulps) out.at = static_cast<int64_t>(i), out.ulps = ulps;
  }
  return out;
}

std::string answer_of(const Verdict& v, const std::vector<uint16_t>& out) {
  std::string hex;
  hex.reserve(4 * out.size());
  for (const uint16_t bits : out) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (int shift = 12; shift >= 0; shift -= 4) hex += kDigits[(bits >> shift) & 15];
  }
  nlohmann::json j = verdict_to_json(v);
  j["bits"] = std::move(hex);
  return j.dump();
}

Result<std::vector<uint16_t>> bits_in(std::string_view answer) {
  const auto j = nlohmann::json::parse(answer, nullptr, false);
  if (!j.is_object()) return fail("the answer is no JSON object");
  std::vector<uint16_t> out;
  const auto member = j.find("bits");
  if (member == j.end()) return out;
  if (!member->is_string()) return fail("'bits' is no text; legal: four hexadecimal digits each");
  const auto& hex = member->get_ref<const std::string&>();
  if (hex.size() % 4 != 0) return fail("'bits' has {} digits; legal: four an element", hex.size());
  out.resize(hex.size() / 4);
  for (size_t i = 0; i < out.size(); ++i) {
    const char* const from = hex.data() + 4 * i;
    const auto [end, error] = std::from_chars(from, from + 4, out[i], 16);
    if (error != std::errc{} || end != from + 4)
      return fail("'bits' holds '{}'; legal: hexadecimal digits", hex.substr(4 * i, 4));
  }
  return out;
}

}  // namespace w4::vote
