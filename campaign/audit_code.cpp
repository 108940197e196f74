#include "campaign/audit_code.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign/code_audit.h"
#include "campaign/commands.h"
#include "campaign/report/filing.h"
#include "intake/fatbin.h"
#include "intake/mapped_file.h"
#include "results/text.h"

namespace w4 {
namespace {

constexpr size_t kPrinted = 25;  // of what is wrong; --json has all

std::string text_of(const Range& r) {
  return r.least == r.most ? fmt::format("{}", r.most) : fmt::format("{}-{}", r.least, r.most);
}

// What a launch has: the static array, or "16384-65536 dyn" where the launch asks for it.
std::string lds_of(const CodeRow& r) {
  if (r.dynamic_lds.empty()) return text_of(r.lds_bytes);
  const std::string asked = text_of(r.dynamic_lds) + " dyn";
  return r.lds_bytes.most == 0 ? asked : text_of(r.lds_bytes) + "+" + asked;
}

std::string text_of(const CodeAudit& audit) {
  std::string out = fmt::format(
      "{:<16} {:<8} {:>7} {:>7} {:>15} {:>8} {:>7} {:>6} {:>7} {:>10} {:>8} {:>8} {:>11} {:>9}\n",
      "kernel", "arch", "objects", "kernels", "LDS bytes", "VGPRs", "SGPRs", "spills", "scratch",
      "waves/SIMD", "dot2", "wmma", "global b128", "ds b128");
  for (const CodeRow& r : audit.rows) {
    out += fmt::format(
        "{:<16} {:<8} {:>7} {:>7} {:>15} {:>8} {:>7} {:>6} {:>7} {:>10} {:>8} {:>8} {:>11} {:>9}\n",
        r.kernel, r.arch, r.objects, r.kernels, lds_of(r), text_of(r.vgprs), text_of(r.sgprs),
        r.vgpr_spills + r.sgpr_spills, r.scratch_bytes, r.waves_per_simd,
        text_of(r.kinds.at("dot2")), text_of(r.kinds.at("wmma")),
        text_of(r.kinds.at("global_load_b128")), text_of(r.kinds.at("ds_load_b128")));
  }
  out +=
      "from-to is over the kernels of the row; dyn: the launch asks for it; waves/SIMD: what the "
      "VGPRs leave room for, the "
      "least; the last four: how many such instructions stand in a kernel\n";
  for (size_t i = 0; i < std::min(audit.wrong.size(), kPrinted); ++i) {
    out += fmt::format("wrong: {}\n", printable_utf8(audit.wrong[i]));
  }
  if (audit.wrong.size() > kPrinted) {
    out += fmt::format("and {} more; --json keeps all\n", audit.wrong.size() - kPrinted);
  }
  return out;
}

nlohmann::json json_of(const CodeAudit& audit) {
  const auto range = [](const Range& r) {
    return nlohmann::json{{"least", r.least}, {"most", r.most}};
  };
  nlohmann::json rows = nlohmann::json::array();
  for (const CodeRow& r : audit.rows) {
    nlohmann::json kinds;
    for (const auto& [kind, count] : r.kinds) kinds[kind] = range(count);
    rows.push_back({{"kernel", r.kernel},
                    {"arch", r.arch},
                    {"objects", r.objects},
                    {"kernels", r.kernels},
                    {"lds_bytes", range(r.lds_bytes)},
                    {"dynamic_lds_bytes",
                     r.dynamic_lds.empty() ? nlohmann::json(nullptr) : range(r.dynamic_lds)},
                    {"vgprs", range(r.vgprs)},
                    {"sgprs", range(r.sgprs)},
                    {"vgpr_spills", r.vgpr_spills},
                    {"sgpr_spills", r.sgpr_spills},
                    {"scratch_bytes", r.scratch_bytes},
                    {"waves_per_simd", r.waves_per_simd},
                    {"instructions", std::move(kinds)}});
  }
  nlohmann::json wrong = nlohmann::json::array();
  for (const std::string& w : audit.wrong) wrong.push_back(printable_utf8(w));
  return {{"rows", std::move(rows)}, {"wrong", std::move(wrong)}};
}

std::vector<std::string_view> built_archs() {
  std::vector<std::string_view> out;
  for (const char* const* a = kernel_archs(); *a != nullptr; ++a) {
    if (find_gpu(*a) != nullptr) out.emplace_back(*a);
  }
  return out;
}

Result<void> add_file(CodeAuditor& auditor, const std::string& path, const std::string& arch) {
  const auto file = MappedFile::open(path);
  if (!file) return fail("--module: {}", file.error().text);
  const Fatbin found = read_fatbin(file->bytes());
  if (!found.problems.empty()) return fail("--module: '{}': {}", path, found.problems.front());
  if (found.objects.empty()) {
    return fail(
        "--module: '{}' holds no whole AMDGPU code object; legal: a code object, or a shared "
        "object or offload bundle with some in it",
        path);
  }
  for (size_t i = 0; i < found.objects.size(); ++i) {
    const FatObject& o = found.objects[i];
    if (!arch.empty() && !o.arch.empty() && o.arch != arch) continue;
    auditor.add(fmt::format("{} object {}", path, i + 1), o.bytes, nullptr);
  }
  return {};
}

// What was looked into: the name under which the result is filed.
std::string asked(const AuditCommand& c) {
  std::string out =
      c.modules.empty() ? "this w4check" : fmt::format("{}", fmt::join(c.modules, ", "));
  if (!c.kernel.empty()) out += ", only " + c.kernel;
  if (!c.arch.empty()) out += ", only " + c.arch;
  return out;
}

}  // namespace

void add_audit_code(CLI::App& app, AuditCommand& c) {
  app.add_option("--kernel", c.kernel, "Only the kernels of this row (default: all)")
      ->option_text("NAME");
  app.add_option("--arch", c.arch, "Only objects for this arch (default: all)")
      ->option_text("NAME");
  app.add_option("--module", c.modules,
                 "Look into this file instead of this program: a code object, or a shared object "
                 "that holds some; repeatable")
      ->option_text("FILE")
      ->allow_extra_args(false);
  app.add_option("--json", c.json, "File for the whole result as JSON, - is standard output")
      ->option_text("FILE");
  app.add_option(
         "--db", c.db,
         "SQLite store to file the result in for `w4check report`, made where there is none")
      ->option_text("FILE");
}

int audit_code(const AuditCommand& c) {
  std::vector<Expectation> believed;
  std::vector<std::string_view> names;
  for (const Expectation& e : expectations()) {
    names.push_back(e.kernel);
    if (c.kernel.empty() || e.kernel == c.kernel) believed.push_back(e);
  }
  if (believed.empty()) {
    return usage_error(fmt::format("--kernel: '{}' has no code of its own; legal: {}",
                                   printable_utf8(c.kernel), fmt::join(names, ", ")));
  }
  const std::vector<std::string_view> built = built_archs();
  if (!c.arch.empty() && std::ranges::find(built, c.arch) == built.end() && c.modules.empty()) {
    return usage_error(fmt::format("--arch: this build has no code for '{}'; legal: {}",
                                   printable_utf8(c.arch), fmt::join(built, ", ")));
  }
  auto filing = Filing::open(c.db, c.json);
  if (!filing) return usage_error(printable_utf8(filing.error().text));
  FILE* json = nullptr;
  if (!c.json.empty()) {
    json = c.json == "-" ? stdout : std::fopen(c.json.c_str(), "we");
    if (json == nullptr) {
      return usage_error(printable_utf8(
          fmt::format("--json: cannot write '{}': {}", c.json, std::strerror(errno))));
    }
  }
  CodeAuditor auditor(believed);
  if (c.modules.empty()) {
    std::vector<std::string_view> archs;
    for (const std::string_view arch : built) {
      if (c.arch.empty() || arch == c.arch) archs.push_back(arch);
    }
    for (const KernelObject& o : kernel_objects()) {
      if (std::ranges::find(archs, o.arch) == archs.end()) continue;
      if (!c.kernel.empty() && o.kernel != c.kernel) continue;
      auditor.add(fmt::format("{} {} {} g{}", o.arch, o.kernel, o.act, o.group_size),
                  std::as_bytes(std::span(o.begin, o.end)), &o);
    }
    auditor.demand_complete(archs);
  }
  for (const std::string& path : c.modules) {
    if (const auto added = add_file(auditor, path, c.arch); !added) {
      return usage_error(printable_utf8(added.error().text));
    }
  }
  const CodeAudit& audit = auditor.result();
  if (json != stdout) fmt::print("{}", text_of(audit));
  size_t kernels = 0;
  for (const CodeRow& r : audit.rows) kernels += r.kernels;
  if (json != nullptr) fmt::print(json, "{}\n", json_of(audit).dump());
  if (json != nullptr && std::fflush(json) != 0) {
    fmt::print(stderr, "w4check: --json: cannot write: {}\n", std::strerror(errno));
    return kHarnessError;
  }
  if (json != nullptr && json != stdout) std::fclose(json);
  fmt::print(json == stdout ? stderr : stdout, "{} kernels: {}\n", kernels,
             audit.wrong.empty() ? "all as expected" : fmt::format("{} wrong", audit.wrong.size()));
  if (!filing->file("code", asked(c), json_of(audit).dump())) return kHarnessError;
  return audit.wrong.empty() && kernels > 0 ? kGreen : kRed;
}

}  // namespace w4
