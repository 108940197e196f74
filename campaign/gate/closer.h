// Reds as failures: equal ones folded into one, the new ones made smaller and explained while there
// is time.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "campaign/gate/crew.h"
#include "campaign/gate/judge.h"
#include "core/result.h"

namespace w4::gate {

// Kernel, kind of failure and hypothesis of explain; where none is named the pattern instead. Two
// with the same smallest case are one, too.
struct Group {
  std::string kernel, kind, pattern{}, hypothesis{};
  std::vector<const Red*> reds{};  // in the order in which they were found; the first stands for it
  const Entry* listed = nullptr;   // the ledger has it: the line of a red, or an equal failure's
  bool is_new = false;             // of base
  bool explained = false;          // explain had its say
  std::string says{};              // its sentence, or why there is none
  Case smallest{};                 // the first one's, where nothing smaller was found
  std::string shrunk{};            // "shrunk in 120 cases"; empty: not tried

  bool fails() const { return is_new && listed == nullptr; }
};

// Of what is settled. Those of the ledger apart from the others.
std::vector<Group> fold(const std::deque<Red>& reds);

// Shrinks and explains those that fail, and explains listed ones of the same kernel and kind, until
// `end`; folds what turns out to be equal. Errors are the harness's own.
Result<void> look_closer(std::vector<Group>& groups, Crew& crew, const Side& head,
                         Clock::time_point end);

}  // namespace w4::gate
