#include "campaign/audit_selection.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "campaign/commands.h"
#include "campaign/plan.h"
#include "campaign/selection_audit.h"
#include "campaign/selection_table.h"
#include "intake/open_module.h"
#include "kernels/table.h"
#include "results/text.h"

namespace w4 {
namespace {

std::string text_of(const SelectionAudit& audit) {
  std::string out;
  if (!audit.rows.empty()) {
    out += fmt::format("{} layers: archs x quant types x dtypes x G x K x N x act-order\n",
                       audit.layers);
    out += fmt::format("{:<18} {:>8} {:>8}  {}\n", "entry, by priority", "takes", "wins",
                       "the first layer it wins");
    for (const SelectionAudit::Row& r : audit.rows) {
      out += fmt::format("{:<18} {:>8} {:>8}  {}{}\n", r.entry, r.takes, r.wins, r.first,
                         r.inferred ? "  (rules partly inferred)" : "");
    }
  }
  for (const std::string& n : audit.notes) out += n + "\n";
  for (const std::string& w : audit.wrong) out += "wrong: " + w + "\n";
  if (audit.wrong.empty()) out += "nothing wrong\n";
  return printable_utf8(out);
}

}  // namespace

void add_audit_selection(CLI::App& app, AuditCommand& c) {
  app.add_option("--table", c.table,
                 "A selection table of another code base (docs/selection-table.md): only its reach "
                 "and its golden layers are audited")
      ->option_text("FILE.json");
  app.add_option("--module", c.modules,
                 "Only the instantiations of this module's kernels (a shared object); repeatable")
      ->option_text("FILE.so")
      ->allow_extra_args(false);
}

int audit_selection(const AuditCommand& c) {
  SelectionAudit audit;
  if (!c.table.empty()) {
    if (!c.modules.empty()) return usage_error("audit selection: --table or --module, not both");
    const auto text = read_text(c.table);
    if (!text) return usage_error(printable_utf8("--table: " + text.error().text));
    const auto table = parse_selection_table(*text, c.table);
    if (!table) return usage_error(printable_utf8("--table: " + table.error().text));
    audit_reach(*table, selection_layers(), audit);
  } else if (!c.modules.empty()) {
    for (const std::string& path : c.modules) {
      const auto module = open_module(path);
      if (!module) return usage_error(printable_utf8("--module: " + module.error().text));
      audit_instantiations(*module->table, audit);
    }
  } else {
    const std::vector<Layer> layers = selection_layers();
    audit_reach(builtin_selection(), layers, audit);
    audit_launches(builtin_selection(), builtin_module(), layers, audit);
    audit_instantiations(builtin_module(), audit);
  }
  fmt::print("{}", text_of(audit));
  return audit.wrong.empty() ? kGreen : kRed;
}

}  // namespace w4
