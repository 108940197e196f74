#include "campaign/probe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "campaign/commands.h"
#include "campaign/interrupt.h"
#include "campaign/own_process.h"
#include "intake/open_module.h"
#include "results/text.h"
#include "verify/probe/probe.h"

namespace w4 {
namespace {

using probe::Probed;
using probe::Status;

struct KernelProbed {
  std::string kernel;
  std::vector<Probed> calls;
  std::vector<std::string> left_out;

  bool good() const {
    return !calls.empty() && std::ranges::all_of(calls, [](const Probed& p) {
      return p.error.empty() && std::ranges::none_of(p.properties, [](const auto& x) {
               return x.status == Status::differs;
             });
    });
  }
};

// Calls that show the same in one row: as declared by rule, or different with the same numbers.
struct Row {
  probe::Property property;
  std::vector<const Probed*> calls;
};
bool same_row(const probe::Property& a, const probe::Property& b) {
  if (a.name != b.name || a.status != b.status) return false;
  if (a.status == Status::ok) return a.rule == b.rule;
  return a.declared == b.declared && a.recovered == b.recovered;
}
std::vector<Row> rows_of(const KernelProbed& k) {
  std::vector<Row> rows;
  for (const Probed& call : k.calls) {
    for (const auto& p : call.properties) {
      auto at = rows.end();  // beside those of its name
      auto same = rows.end();
      for (auto r = rows.begin(); r != rows.end(); ++r) {
        if (r->property.name == p.name) at = r + 1;
        if (same_row(r->property, p)) same = r;
      }
      if (same == rows.end()) same = rows.insert(at, Row{p, {}});
      same->calls.push_back(&call);
    }
  }
  return rows;
}

// "zp=unpacked g=32: clause …" of all calls that one reason leaves out.
std::map<std::string, std::string> left_out_by_reason(const KernelProbed& k) {
  std::map<std::string, std::string> by_reason;
  for (const std::string& one : k.left_out) {
    const size_t colon = one.find(": ");
    std::string& calls = by_reason[one.substr(colon + 2)];
    calls += (calls.empty() ? "" : "; ") + one.substr(0, colon);
  }
  return by_reason;
}

std::string rerun(const Case& c) { return fmt::format("w4check rerun '{}'", to_string(c)); }

void print(FILE* to, const KernelProbed& k, const std::string& device) {
  fmt::print(to, "{} on {}: {} calls probed: {}\n", k.kernel, device, k.calls.size(),
             k.good()          ? "everything as declared"
             : k.calls.empty() ? "none that its clauses allow"
                               : "something differs");
  for (const Row& r : rows_of(k)) {
    const auto& p = r.property;
    fmt::print(to, "  {:<10} {:<24} {:>3} calls  ", name_of(p.status), p.name, r.calls.size());
    if (p.status != Status::differs) {
      fmt::print(to, "{}\n", p.status == Status::ok ? p.rule : p.recovered);
      continue;
    }
    fmt::print(to, "declared:  {}\n{:>49}recovered: {}\n{:>49}first in:  {}\n", p.declared, "",
               p.recovered, "", rerun(r.calls.front()->line));
  }
  std::map<std::string, const Probed*> findings;
  for (const Probed& call : k.calls) {
    if (!call.error.empty()) {
      fmt::print(to, "  fails      {}\n    in: {}\n", call.error, rerun(call.line));
    }
    for (const std::string& f : call.findings) findings.emplace(f, &call);
    if (!findings.empty() && !call.findings.empty()) break;
  }
  for (const auto& [finding, call] : findings) {
    fmt::print(to, "  besides, with buffers of the exact size: {}\n    in: {}\n", finding,
               rerun(call->line));
  }
  for (const auto& [why, calls] : left_out_by_reason(k)) {
    fmt::print(to, "  not called {}: {}\n", calls, why);
  }
}

nlohmann::json json_of(const KernelProbed& k) {
  nlohmann::json calls = nlohmann::json::array();
  for (const Probed& call : k.calls) {
    nlohmann::json properties = nlohmann::json::array();
    for (const auto& p : call.properties) {
      properties.push_back({{"name", p.name},
                            {"declared", printable_utf8(p.declared)},
                            {"recovered", printable_utf8(p.recovered)},
                            {"rule", p.rule},
                            {"status", name_of(p.status)}});
    }
    calls.push_back({{"line", to_string(call.line)},
                     {"properties", std::move(properties)},
                     {"findings", call.findings},
                     {"error", printable_utf8(call.error)}});
  }
  return {{"kernel", k.kernel},
          {"good", k.good()},
          {"calls", std::move(calls)},
          {"not_probed", k.left_out}};
}

KernelProbed probe_kernel(const ProbeCommand& c, const std::string& kernel, Context& context) {
  KernelProbed out;
  out.kernel = kernel;
  Case base;
  base.kernel = kernel;
  base.device = c.device;
  if (c.module != kBuiltIn) base.module = c.module;
  for (const Case& line : probe::calls_of(base, context, out.left_out)) {
    if (interrupted()) break;
    out.calls.push_back(probe::probe(line, context));
  }
  return out;
}

Result<std::vector<std::string>> kernels_of(const ProbeCommand& c, Context& context) {
  const auto module = context.module(c.module == kBuiltIn ? "" : c.module);
  if (!module) return std::unexpected(module.error());
  std::vector<std::string> all;
  for (int32_t i = 0; i < (*module)->kernel_count; ++i)
    all.emplace_back((*module)->kernels[i].name);
  if (c.kernel.empty()) return all;
  if (std::ranges::find(all, c.kernel) != all.end()) return std::vector{c.kernel};
  return fail("--kernel: '{}' is not in module {}; legal: {}", c.kernel, (*module)->name,
              fmt::join(all, ", "));
}

int probe_here(const ProbeCommand& c) {
  JsonAside out(c.json, c.in_process);
  if (!out.error().empty()) return usage_error(out.error());
  Context context;
  if (const auto device = context.device(c.device); !device) {
    return usage_error("--device: " + device.error().text);
  }
  const auto kernels = kernels_of(c, context);
  if (!kernels) return usage_error(printable_utf8(kernels.error().text));
  bool good = true;
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& kernel : *kernels) {
    const KernelProbed k = probe_kernel(c, kernel, context);
    good &= k.good();
    print(out.people(), k, c.device);
    all.push_back(json_of(k));
    if (interrupted()) return kInterrupted;
  }
  if (!out.write(all.dump())) return kHarnessError;
  return good ? kGreen : kRed;
}

}  // namespace

void add_probe(CLI::App& app, ProbeCommand& c) {
  CLI::App* probe = app.add_subcommand(
      "probe",
      "Recover from outputs alone how kernels read their operands, and compare it with what they "
      "declare");
  probe
      ->add_option("--module", c.module,
                   "Module: builtin, a manifest, a shared object (as the key module= takes it)")
      ->option_text("PATH")
      ->required();
  probe->add_option("--kernel", c.kernel, "Kernel of the module (default: all of them)")
      ->option_text("NAME");
  probe->add_option("--device", c.device, "Emulated arch, host, hip or cuda (default: gfx1151)")
      ->option_text("NAME");
  probe
      ->add_option("--json", c.json,
                   "Write what was recovered as JSON to FILE, or - for standard output")
      ->option_text("FILE");
  probe->add_flag("--in-process", c.in_process)->group("");
  probe->footer(
      "docs/probe.md says how it works and what each property means.\n"
      "Exit codes: 0 everything as declared, 1 something differs or could not be recovered, 2 "
      "usage, "
      "3 harness error, 130 interrupted.");
}

int probe_command(const ProbeCommand& c) {
  catch_interrupts();
  if (c.in_process) return as_own_process([&] { return probe_here(c); });
  const bool native =
      (c.module != kBuiltIn && !c.module.ends_with(".json")) || is_native_device(c.device);
  if (!native) return probe_here(c);
  std::vector<std::string> words{"probe", "--in-process", "--module=" + c.module,
                                 "--device=" + c.device};
  if (!c.kernel.empty()) words.push_back("--kernel=" + c.kernel);
  if (!c.json.empty()) words.push_back("--json=" + c.json);
  return in_own_process("probe", std::move(words), 600);
}

}  // namespace w4
