#include "campaign/report/depiction_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "results/text.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using nlohmann::json;

// Six digits: for what a picture shows.
json rounded(double v) {
  if (!std::isfinite(v)) return number_to_json(v);
  return std::strtod(fmt::format("{:.6g}", v).c_str(), nullptr);
}

json edges_json(const Edges& e) {
  return {{"tile", e.tile}, {"wave", e.wave}, {"matrix", e.matrix}};
}

json geometry_json(const std::optional<Geometry>& g) {
  if (!g) return nullptr;
  return {{"m", edges_json(g->m)}, {"n", edges_json(g->n)},   {"lane", g->lane},
          {"step", g->step},       {"unrolled", g->unrolled}, {"blocks", g->blocks},
          {"family", g->family}};
}

json picture_json(const depict::Picture& p) {
  const size_t columns = p.columns.size() - 1;
  json rows = json::array();
  for (size_t r = 0; r + 1 < p.rows.size(); ++r) {
    std::string row;
    for (size_t c = 0; c < columns; ++c) row += letter_of(p.cells[r * columns + c]);
    rows.push_back(std::move(row));
  }
  return {{"rows", p.rows[1]}, {"columns", p.columns[1]}, {"cells", std::move(rows)}};
}

json element_json(const depict::Element& e) {
  return {{"m", e.m},
          {"n", e.n},
          {"what", depict::name_of(e.what)},
          {"got", number_to_json(e.got)},
          {"low", number_to_json(e.low)},
          {"high", number_to_json(e.high)},
          {"twin", number_to_json(e.twin)},
          {"bound", rounded(e.bound)},
          {"error", rounded(e.error)}};
}

json along_json(const depict::AlongK& a) {
  json points = json::array();
  for (const depict::Prefix& p : a.points) {
    const depict::Element& e = p.element;
    points.push_back({{"end", p.end},
                      {"what", depict::name_of(e.what)},
                      {"got", number_to_json(e.got)},
                      {"low", number_to_json(e.low)},
                      {"high", number_to_json(e.high)},
                      {"error", rounded(e.error)},
                      {"wrong", p.wrong}});
  }
  const auto of = [](const std::optional<int64_t>& k) { return k ? json(*k) : json(); };
  return {{"line", printable_utf8(a.line)},
          {"why", a.why_not},
          {"m", a.m},
          {"n", a.n},
          {"points", std::move(points)},
          {"departs", of(a.departs)},
          {"any_departs", of(a.any_departs)},
          {"cut_short", a.cut_short}};
}

// Excerpts once each: findings of one cause name the same places.
class Excerpts {
 public:
  json party(const depict::ShownParty& p) {
    json places = json::array();
    for (const depict::Excerpt& e : p.excerpts) places.push_back(number_of(e));
    return {{"workgroup", p.party.workgroup},
            {"wave", p.party.wave},
            {"lane", p.party.lane},
            {"pc", fmt::format("{:#x}", p.party.pc)},
            {"instruction", printable_utf8(p.party.instruction)},
            {"source", printable_utf8(p.party.source)},
            {"excerpts", std::move(places)},
            {"why", p.why_not}};
  }
  json all() const { return all_; }

 private:
  size_t number_of(const depict::Excerpt& e) {
    json text = json::array();
    for (const std::string& line : e.text) text.push_back(printable_utf8(line));
    json one = {{"place", printable_utf8(e.place)},
                {"first", e.first},
                {"line", e.line},
                {"text", std::move(text)},
                {"why", e.why_not}};
    const auto same = std::ranges::find(all_, one);
    const auto at = static_cast<size_t>(same - all_.begin());
    if (same == all_.end()) all_.push_back(std::move(one));
    return at;
  }
  json all_ = json::array();
};

void put_findings(const depict::Depiction& d, size_t count, json& out) {
  Excerpts excerpts;
  json findings = json::array();
  for (size_t i = 0; i < count; ++i) {
    const depict::ShownFinding& f = d.findings[i];
    findings.push_back({{"kind", name_of(f.finding.kind)},
                        {"kernel", printable_utf8(f.finding.kernel)},
                        {"detail", printable_utf8(f.finding.detail)},
                        {"buffer", printable_utf8(f.finding.buffer)},
                        {"offset", f.finding.offset},
                        {"bytes", f.finding.bytes},
                        {"born", printable_utf8(f.finding.born)},
                        {"at", excerpts.party(f.at)},
                        {"other", f.other.empty() ? json() : excerpts.party(f.other.front())}});
  }
  out["findings"] = std::move(findings);
  out["findings_left_out"] = d.findings_in_all - static_cast<int64_t>(count);
  out["excerpts"] = excerpts.all();
}

}  // namespace

char letter_of(const depict::Cell& c) {
  const double size = std::abs(c.error);
  switch (c.what) {
    case depict::What::unwritten:
      return '-';
    case depict::What::not_finite:
      return '?';
    case depict::What::right: {
      const int quarters = static_cast<int>(std::min(4.0, std::ceil(4 * size)));
      return static_cast<char>(c.error < 0 && quarters > 0 ? '4' + quarters : '0' + quarters);
    }
    case depict::What::wrong:
      break;
  }
  const int doublings = size < 2 ? 0 : std::min(std::ilogb(size), 23);
  return static_cast<char>((c.error < 0 ? 'a' : 'A') + doublings);
}

json depiction_json(const depict::Depiction& d) {
  json out = {{"line", printable_utf8(d.line)},
              {"why", printable_utf8(d.why_no_output)},
              {"m", d.m},
              {"n", d.n},
              {"k", d.k},
              {"g", d.g},
              {"wrong", d.wrong},
              {"unchecked", d.unchecked},
              {"why_checked", printable_utf8(d.why_checked)},
              {"instantiation", printable_utf8(d.instantiation)},
              {"symbol", printable_utf8(d.symbol)}};
  const bool seen = d.why_no_output.empty();
  constexpr size_t kRowsNamed = 512;
  out["geometry"] = geometry_json(d.geometry);
  out["order"] = d.order.empty() || d.order.size() > kRowsNamed ? json() : json(d.order);
  out["experts"] = d.experts.empty() || d.experts.size() > kRowsNamed ? json() : json(d.experts);
  out["reordered"] = !d.order.empty();
  out["picture"] = seen ? picture_json(d.picture) : json();
  json worst = json::array();
  for (const depict::Element& e : d.worst) worst.push_back(element_json(e));
  out["worst"] = std::move(worst);
  out["along_k"] = seen ? along_json(d.along_k) : json();
  put_findings(d, d.findings.size(), out);
  for (size_t count = d.findings.size(); count > 1 && out.dump().size() > kDepictionBytes;)
    put_findings(d, --count, out);
  return out;
}

}  // namespace w4
