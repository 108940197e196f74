// A capture as a value and as JSON: what a machine gave, small, without anything about its owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "campaign/capture/probe.h"
#include "core/result.h"

namespace w4::capture {

inline constexpr int kSchema = 1;
// Of the rules by which operands are drawn (draw.cpp, order.cpp): a capture of other operands
// cannot be replayed.
inline constexpr int kOperands = 1;

// What one probe gave. The first words bit for bit, the others as digests: a byte a word, which
// finds one that differs, and a hash every 32 words, which no difference passes.
struct ProbeRecord {
  std::string name, instruction, form;
  uint64_t operands = 0;  // Operands::hash()
  uint64_t words = 0;
  std::vector<uint32_t> exact{};
  std::vector<uint8_t> bytes{};    // of words exact.size() and on
  std::vector<uint64_t> blocks{};  // of 32 of them each
  std::string failed{};            // why there are no results; empty: there are
};
uint8_t digest_of(Kind result, uint32_t word);
uint64_t block_of(Kind result, const uint32_t* words32);
// On input: results.size() is a multiple of 32, exact of it too and at most as much.
ProbeRecord record_of(const Probe& p, uint64_t operands, const std::vector<uint32_t>& results,
                      size_t exact);

// What the probes of order say of one instruction (order.h).
struct Model {
  std::string name;  // "ieee"
  uint64_t agrees = 0, of = 0;
  std::string first{};               // that differs; empty: none
  std::vector<std::string> facts{};  // that it would show otherwise
};
struct OrderRecord {
  std::string probe, instruction;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Model> models;
};

struct CaseRecord {
  std::string line;     // of an emulated arch, fp=auto
  std::string verdict;  // "pass"
  std::string outputs;  // hash of all output bytes, 16 hex digits; empty: the case wrote none
};

struct Capture {
  std::string version, build;  // of w4check
  std::string arch, device, driver, date;
  bool silicon = false, quick = false;
  int operands = kOperands;
  std::vector<ProbeRecord> probes;
  std::vector<OrderRecord> order;
  std::vector<CaseRecord> cases;
  std::string cases_left_out;  // why there are none
  bool checksum_fits = true;   // of a file that was read; advisory: values are compared by value
};

// Text of the file, one line a value or a row of values.
std::string to_json(const Capture& c);
// Error: names `file` and what is wrong in it (not JSON: cut off; another schema; a field that is
// missing or is not what it must be).
Result<Capture> parse_capture(std::string_view text, std::string_view file);
Result<Capture> read_capture(const std::string& path);

}  // namespace w4::capture
