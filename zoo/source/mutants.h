// Generated defects of one source file as legal edits (zoo/edit.h), with names that stay while the
// definition around them does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace w4::source {

struct SourceMutant {
  std::string id;      // "decode_group_arm_arm_drop_1", [a-z0-9_]+
  std::string family;  // of its operator
  std::string says;
  int line = 0;      // of the change in the source
  std::string edit;  // text of the .edit
};

// `file`: as the edit names it. Places outside every definition that zoo/scope.h finds, and those
// where no text around them is found exactly once, give none; `left_out` counts these.
std::vector<SourceMutant> mutants_of(const std::string& file, std::string_view source,
                                     int* left_out = nullptr);

}  // namespace w4::source
