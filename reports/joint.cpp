#include "reports/joint.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/classes.h"
#include "core/hash.h"
#include "results/text.h"

namespace w4 {
namespace {

using nlohmann::json;

enum Dimension : uint8_t {
  kKernel,
  kDevice,
  kDtype,
  kG,
  kZp,
  kBias,
  kM,
  kKTimesM,
  kTail,
  kInstantiation,
  kFate
};

// "medium y4u1a16w16 m3 g64 f16 packed" -> "medium".
std::string_view form_of(std::string_view instantiation) {
  return instantiation.substr(0, instantiation.find(' '));
}

}  // namespace

std::string kernel_label(const Case& c) {
  if (c.module.empty()) return c.kernel;
  return c.kernel + " of " + c.module.substr(c.module.rfind('/') + 1);
}

size_t fate_of(const Verdict& v) {
  if (v.kind() == VerdictKind::skipped) return 3;
  if (!v.green()) return 2;
  return v.kind() == VerdictKind::refused ? 1 : 0;
}

size_t Joint::Hash::operator()(const Key& key) const {
  uint64_t h = 0;
  for (const uint16_t v : key) h = mixed(h, v);
  return h;
}

size_t Joint::TextHash::operator()(std::string_view text) const { return hash_of(text); }

// A list that is full counts the rest as its last value.
uint16_t Joint::Values::of(std::string_view name) {
  if (const auto found = at.find(name); found != at.end()) return found->second;
  constexpr size_t kMost = std::numeric_limits<uint16_t>::max();
  if (names.size() == kMost) return of("others");
  if (names.size() + 1 == kMost) name = "others";
  const auto index = static_cast<uint16_t>(names.size());
  names.emplace_back(name);
  at.emplace(name, index);
  return index;
}

Joint::Joint() {
  const auto has = [&](Dimension d, std::initializer_list<std::string_view> names) {
    for (const std::string_view n : names) values_[d].of(n);
  };
  has(kDtype, {"f16", "bf16"});
  has(kG, {"32", "64", "128"});
  has(kZp, {name_of(ZpMode::none), name_of(ZpMode::packed), name_of(ZpMode::unpacked)});
  has(kBias, {"none", "n", "1xn", "mxn", "1x1", "mx1"});
  has(kM, {"0 or less", "1", "2", "3", "4", "5", "6-16", "17-64", "65 and more"});
  has(kKTimesM, {name_of(Side::below), name_of(Side::at), name_of(Side::above)});
  has(kTail, {"none", "k", "n", "k and n"});
  for (const std::string_view f : kFates) values_[kFate].of(f);
}

void Joint::add(const Case& c, const Verdict& v) {
  const Problem& p = c.problem;
  const auto of = [&](Dimension d, std::string_view value) { return values_[d].of(value); };
  Key key{};
  key[kKernel] = of(kKernel, kernel_label(c));
  key[kDevice] = of(kDevice, c.device);
  key[kDtype] = of(kDtype, name_of(p.act));
  key[kG] = of(kG, std::to_string(p.g));
  key[kZp] = of(kZp, name_of(p.zp));
  key[kBias] = of(kBias, to_string(p.bias));
  key[kM] = of(kM, rows_class(p));
  key[kKTimesM] = of(kKTimesM, name_of(lds_side(p)));
  key[kTail] = of(kTail, tail_class(p));
  key[kInstantiation] = of(kInstantiation, v.ran.instantiation);
  key[kFate] = static_cast<uint16_t>(fate_of(v));
  ++cells_[key];
}

json Joint::to_json() const {
  auto values = values_;
  const bool folded = cells_.size() > kMostCells;
  if (folded) values[kInstantiation] = {};
  Cells forms;
  for (const auto& [cell, n] : cells_) {
    if (!folded) break;
    Key key = cell;
    key[kInstantiation] =
        values[kInstantiation].of(form_of(values_[kInstantiation].names[cell[kInstantiation]]));
    forms[key] += n;
  }
  const Cells& counted = folded ? forms : cells_;
  std::vector<std::pair<Key, int64_t>> rows(counted.begin(), counted.end());
  std::ranges::sort(rows);

  json dimensions = json::array(), columns = json::object(), cases = json::array();
  for (size_t d = 0; d < kDimensions.size(); ++d) {
    json names = json::array(), column = json::array();
    for (const std::string& n : values[d].names) names.push_back(printable_utf8(n));
    for (const auto& row : rows) column.push_back(row.first[d]);
    dimensions.push_back({{"name", kDimensions[d]}, {"values", std::move(names)}});
    columns[std::string(kDimensions[d])] = std::move(column);
  }
  for (const auto& row : rows) cases.push_back(row.second);
  columns["cases"] = std::move(cases);
  return {{"dimensions", std::move(dimensions)}, {"cells", std::move(columns)}, {"folded", folded}};
}

}  // namespace w4
