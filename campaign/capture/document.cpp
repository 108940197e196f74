#include "campaign/capture/document.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "core/hash.h"
#include "results/text.h"

namespace w4::capture {
namespace {

using json = nlohmann::ordered_json;

constexpr size_t kRow = 16;  // words in one line of the file

// "3f800000 3f800001 …", kRow a string.
json rows_of(const std::vector<uint32_t>& words) {
  json rows = json::array();
  for (size_t i = 0; i < words.size(); i += kRow) {
    std::string row;
    for (size_t j = i; j < std::min(i + kRow, words.size()); ++j)
      row += fmt::format("{}{:08x}", j == i ? "" : " ", words[j]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// "<hash of the block> <a byte a word>".
json digests_of(const ProbeRecord& p) {
  json rows = json::array();
  for (size_t b = 0; b < p.blocks.size(); ++b) {
    std::string row = fmt::format("{:016x} ", p.blocks[b]);
    for (size_t i = 0; i < 32; ++i) row += fmt::format("{:02x}", p.bytes[32 * b + i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

json json_of(const ProbeRecord& p) {
  json out{{"probe", p.name}, {"instruction", p.instruction}, {"form", p.form}};
  if (!p.failed.empty()) {
    out["failed"] = printable_utf8(p.failed);
    return out;
  }
  out["operands"] = fmt::format("{:016x}", p.operands);
  out["values"] = p.words;
  out["exact"] = rows_of(p.exact);
  if (!p.blocks.empty()) out["digests"] = digests_of(p);
  return out;
}

json json_of(const OrderRecord& o) {
  json facts = json::object(), models = json::array(), agree = json::array();
  for (const auto& [name, text] : o.facts) facts[name] = text;
  for (const Model& m : o.models) {
    const bool all = m.agrees == m.of && m.facts.empty();
    if (all) agree.push_back(m.name);
    json one{{"model", m.name}, {"agrees", m.agrees}, {"of", m.of}};
    if (!m.first.empty()) one["first difference"] = m.first;
    if (!m.facts.empty()) one["facts it has otherwise"] = m.facts;
    models.push_back(std::move(one));
  }
  return {{"probe", o.probe},
          {"instruction", o.instruction},
          {"agrees with", std::move(agree)},
          {"facts", std::move(facts)},
          {"models", std::move(models)}};
}

json document(const Capture& c) {
  json probes = json::array(), order = json::array(), cases = json::array();
  for (const ProbeRecord& p : c.probes) probes.push_back(json_of(p));
  for (const OrderRecord& o : c.order) order.push_back(json_of(o));
  for (const CaseRecord& r : c.cases)
    cases.push_back(fmt::format("{} | {} | {}", r.line, r.verdict, r.outputs));
  json out{{"schema", kSchema},
           {"w4check", c.version},
           {"build", c.build},
           {"silicon", c.silicon},
           {"arch", c.arch},
           {"device", printable_utf8(c.device)},
           {"driver", printable_utf8(c.driver)},
           {"date", c.date},
           {"quick", c.quick},
           {"operands", c.operands}};
  out["order"] = std::move(order);
  out["probes"] = std::move(probes);
  if (!c.cases_left_out.empty()) out["cases left out"] = c.cases_left_out;
  out["cases"] = std::move(cases);
  return out;
}

std::string checksum_of(const json& without) {
  return fmt::format("{:016x}", hash_of(without.dump()));
}

// Readers throw what a person can read; parse_capture makes an error of it.
[[noreturn]] void wrong(const std::string& what) { throw std::runtime_error(what); }

template <class T>
T hex(std::string_view text, const std::string& where) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() != 2 * sizeof(T))
    wrong(fmt::format("{}: '{}' is not {} hexadecimal digits", where, text, 2 * sizeof(T)));
  return value;
}

std::vector<uint32_t> words_from(const json& rows, const std::string& where) {
  std::vector<uint32_t> out;
  for (const json& row : rows) {
    std::istringstream in(row.get<std::string>());
    for (std::string word; in >> word;) out.push_back(hex<uint32_t>(word, where));
  }
  return out;
}

void digests_from(const json& rows, const std::string& where, ProbeRecord& p) {
  for (const json& row : rows) {
    const std::string text = row.get<std::string>();
    if (text.size() != 16 + 1 + 64)
      wrong(fmt::format("{}: a digest of {} characters", where, text.size()));
    p.blocks.push_back(hex<uint64_t>(std::string_view(text).substr(0, 16), where));
    for (size_t i = 0; i < 32; ++i)
      p.bytes.push_back(hex<uint8_t>(std::string_view(text).substr(17 + 2 * i, 2), where));
  }
}

ProbeRecord probe_from(const json& j) {
  ProbeRecord p;
  p.name = j.at("probe").get<std::string>();
  p.instruction = j.at("instruction").get<std::string>();
  p.form = j.at("form").get<std::string>();
  p.failed = j.value("failed", "");
  if (!p.failed.empty()) return p;
  const std::string where = fmt::format("probe {}", p.name);
  p.operands = hex<uint64_t>(j.at("operands").get<std::string>(), where);
  p.words = j.at("values").get<uint64_t>();
  p.exact = words_from(j.at("exact"), where);
  if (j.contains("digests")) digests_from(j.at("digests"), where, p);
  if (p.exact.size() % 32 != 0 || p.exact.size() + p.bytes.size() != p.words || p.words > 1u << 20)
    wrong(fmt::format("{}: {} values, {} of them exact and {} as digests", where, p.words,
                      p.exact.size(), p.bytes.size()));
  return p;
}

OrderRecord order_from(const json& j) {
  OrderRecord o;
  o.probe = j.at("probe").get<std::string>();
  o.instruction = j.at("instruction").get<std::string>();
  for (const auto& [name, text] : j.at("facts").items())
    o.facts.emplace_back(name, text.get<std::string>());
  return o;
}

CaseRecord case_from(const json& j) {
  const std::string text = j.get<std::string>();
  const size_t first = text.find(" | "), second = text.find(" | ", first + 3);
  if (first == std::string::npos || second == std::string::npos)
    wrong(fmt::format("case '{}': not 'line | verdict | outputs'", text));
  return {text.substr(0, first), text.substr(first + 3, second - first - 3),
          text.substr(second + 3)};
}

Capture capture_from(json j) {
  Capture c;
  if (const int schema = j.at("schema").get<int>(); schema != kSchema)
    wrong(fmt::format("schema {}; this w4check reads {}", schema, kSchema));
  const std::string checksum = j.value("checksum", "");
  j.erase("checksum");
  c.checksum_fits = checksum == checksum_of(j);
  c.version = j.at("w4check").get<std::string>();
  c.build = j.at("build").get<std::string>();
  c.silicon = j.at("silicon").get<bool>();
  c.arch = j.at("arch").get<std::string>();
  c.device = j.at("device").get<std::string>();
  c.driver = j.at("driver").get<std::string>();
  c.date = j.at("date").get<std::string>();
  c.quick = j.at("quick").get<bool>();
  c.operands = j.at("operands").get<int>();
  for (const json& p : j.at("probes")) c.probes.push_back(probe_from(p));
  for (const json& o : j.at("order")) c.order.push_back(order_from(o));
  for (const json& r : j.at("cases")) c.cases.push_back(case_from(r));
  c.cases_left_out = j.value("cases left out", "");
  return c;
}

}  // namespace

uint8_t digest_of(Kind result, uint32_t word) {
  return static_cast<uint8_t>(mixed(0x77347731, canonical(result, word)) >> 56);
}

uint64_t block_of(Kind result, const uint32_t* words32) {
  uint64_t h = 0;
  for (size_t i = 0; i < 32; ++i) h = mixed(h, canonical(result, words32[i]));
  return h;
}

ProbeRecord record_of(const Probe& p, uint64_t operands, const std::vector<uint32_t>& results,
                      size_t exact) {
  ProbeRecord r{.name = std::string(p.name),
                .instruction = std::string(p.instruction),
                .form = std::string(p.form),
                .operands = operands,
                .words = results.size()};
  r.exact.assign(results.begin(), results.begin() + static_cast<ptrdiff_t>(exact));
  for (size_t i = exact; i < results.size(); ++i)
    r.bytes.push_back(digest_of(p.result, results[i]));
  for (size_t i = exact; i < results.size(); i += 32)
    r.blocks.push_back(block_of(p.result, &results[i]));
  return r;
}

std::string to_json(const Capture& c) {
  json j = document(c);
  const std::string checksum = checksum_of(j);
  j["checksum"] = checksum;
  return j.dump(1) + "\n";
}

Result<Capture> parse_capture(std::string_view text, std::string_view file) {
  json j;
  try {
    j = json::parse(text);
  } catch (const std::exception&) {
    return fail("{}: not a capture: not JSON to its end; it may have been cut off", file);
  }
  try {
    return capture_from(std::move(j));
  } catch (const std::exception& e) {
    return fail("{}: not a capture: {}", file, printable_utf8(e.what()));
  }
}

Result<Capture> read_capture(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("capture: cannot read '{}'", printable_utf8(path));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_capture(text.str(), printable_utf8(path));
}

}  // namespace w4::capture
