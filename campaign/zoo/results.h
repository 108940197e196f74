// What a run over the zoo found, as a table for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/zoo/explain_kill.h"
#include "campaign/zoo/hunt.h"
#include "campaign/zoo/try_recipe.h"

namespace w4::zoo {

struct Row {
  std::string family, id;
  Expect expect;
  std::string says, stale;
  std::string equivalent;  // the proof that it changes nothing that can be seen; empty: none
  Hunted hunted;
  std::optional<Explained> explained;
  std::optional<Result<Tried>> tried;  // upstream's tests

  std::string name() const { return family + "/" + id; }
  bool killed() const { return stale.empty() && hunted.killed(); }
};

// The clean kernels: one row of the kernel table each, and the lines of all mutants.
struct CleanRow {
  std::string name;
  Hunted hunted;
  bool green() const;
  int64_t cases() const;
};

// `device`: as HuntOptions has it, here and below.
std::string table_text(const std::vector<Row>& rows, const std::vector<Generator>& generators,
                       std::string_view device = {});
// Counts, kills by oracle with those that no other oracle has, survivors, clean kernels.
std::string summary_text(const std::vector<Row>& rows, const std::vector<CleanRow>& clean,
                         std::string_view device = {});
nlohmann::json to_json(const Row& row, std::string_view device = {});
nlohmann::json to_json(const CleanRow& row);
// The same in one object, with what was asked: what --db files.
nlohmann::json document_of(const std::vector<Row>& rows, const std::vector<CleanRow>& clean,
                           const HuntOptions& options);

// Of a sorted or unsorted list; 0 where it is empty.
double median(std::vector<double> values);

}  // namespace w4::zoo
