#include "props/law_props.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "kernels/table.h"
#include "verify/cases/law_cases.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

bool promises(std::string_view row, Law law) {
  for (const w4_kernel& k :
       std::span(builtin_module().kernels, static_cast<size_t>(builtin_module().kernel_count))) {
    if (row != k.name) continue;
    for (const char* const* name = k.laws; name != nullptr && *name != nullptr; ++name) {
      if (name_of(law) == *name) return true;
    }
  }
  return false;
}

// Reasons that differ in a number or a line only are one reason.
std::string reason_of(std::string_view text) {
  std::string out(text.substr(0, text.find_first_of(":'")));
  std::erase_if(out, [](char c) { return c >= '0' && c <= '9'; });
  return out;
}

}  // namespace

void LawProperty::check(const LawCheck& what) const {
  const std::string row(GetParam()), law(name_of(what.law));
  Context context;
  std::map<std::string, int> counts;
  int cases = 0, exact = 0, judged = 0;
  const bool held = check_property((row + " law=" + law).c_str(), what.cases, [&] {
    Case c = *legal_case(row);
    const Case legal = c;
    RapidChooser choose;
    bend_for(what.law, c, choose);
    const bool bent = c != legal;
    c.law = what.law;
    const Verdict v = run_case(c, context);
    ++cases;
    if (const auto* s = std::get_if<Skipped>(&v.primary())) {
      ++counts["skipped: " + reason_of(s->detail)];
      return;
    }
    if (v.kind() == VerdictKind::pass || v.kind() == VerdictKind::mistrusted) {
      if (!v.ran.relation) RC_FAIL("the law was not judged: " + v.line);
      ++judged;
      const bool bits = v.ran.relation->exact > 0;
      exact += bits ? 1 : 0;
      ++counts[bits ? "bit for bit" : "within: " + reason_of(v.ran.relation->why)];
      return;
    }
    // What a bend may do to a generated case; the floors bound how often.
    const auto* refused = std::get_if<Refused>(&v.primary());
    if (bent && refused != nullptr && v.green()) {
      ++counts["bent against clause " + refused->clause];
      return;
    }
    RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
  });
  EXPECT_TRUE(held);
  std::cout << "  " << law << " " << row << ":";
  for (const auto& [text, count] : counts) std::cout << "  " << text << " x" << count;
  std::cout << "\n";
  if (!held) return;  // shrinking has shifted the counts
  const bool bits = can_be_exact(what.law);
  EXPECT_TRUE(!bits || promises(row, what.law)) << row << " does not promise " << law;
  const auto own =
      std::ranges::find(what.floor_of, row, &std::pair<std::string_view, double>::first);
  const double floor = own == what.floor_of.end() ? what.floor : own->second;
  EXPECT_GE(bits ? exact : judged, floor * cases)
      << law << " of " << row << " was judged too seldom" << (bits ? " bit for bit" : "");
}

}  // namespace w4
