#include "campaign/audit.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "campaign/audit_code.h"
#include "campaign/audit_figures.h"
#include "campaign/audit_selection.h"
#include "campaign/commands.h"
#include "results/text.h"

namespace w4 {
namespace {

struct Audit {
  const char* name;
  const char* says;
  void (*add_options)(CLI::App& app, AuditCommand& c);
  int (*run)(const AuditCommand& c);
};

// One row an audit; its functions are declared in audit.h and stand in a file of their own.
const std::vector<Audit>& audits() {
  static const std::vector<Audit> all{
      {"code",
       "The kernels' machine code: LDS arrays, blocks, arguments, spills and instructions are what "
       "the host side takes for granted, and every promised instantiation is there",
       add_audit_code, audit_code},
      {"selection",
       "Selection: every entry of the priority list wins somewhere, can_implement agrees with what "
       "launches, and every call launches an instantiation that exists",
       add_audit_selection, audit_selection},
      {"figures",
       "What kernels ask of the machine, counted while cases run on emulated devices: "
       "instructions, bytes, lines, LDS bank conflicts, barriers, dot2 and WMMA",
       add_audit_figures, audit_figures},
  };
  return all;
}

}  // namespace

std::optional<std::string> wrong_audit(std::string_view word) {
  std::string legal;
  for (const Audit& a : audits()) {
    if (word == a.name) return {};
    legal += fmt::format("{}{}", legal.empty() ? "" : ", ", a.name);
  }
  return fmt::format("there is no audit '{}'; legal: {}", printable_utf8(word), legal);
}

void add_audit(CLI::App& app, AuditCommand& c) {
  CLI::App* audit = app.add_subcommand(
      "audit",
      "Examine the whole table of kernels: its code, its selection, what it asks of a machine");
  audit->require_subcommand(1);
  for (const Audit& a : audits()) {
    CLI::App* one = audit->add_subcommand(a.name, a.says);
    a.add_options(*one, c);
    // Left empty by a script, a value would quietly mean the default.
    for (CLI::Option* o : one->get_options()) {
      if (o->get_items_expected_max() == 0) continue;
      o->check([](const std::string& v) { return v.empty() ? "'' is empty; legal: a value" : ""; });
    }
    one->callback([&c, name = a.name] { c.what = name; });
    one->footer("Exit codes: 0 proved, 1 something is wrong and named, 2 usage.");
  }
}

int audit_command(const AuditCommand& c) {
  for (const Audit& a : audits()) {
    if (c.what == a.name) return a.run(c);
  }
  return usage_error("audit: '" + c.what + "' is not known");
}

}  // namespace w4
