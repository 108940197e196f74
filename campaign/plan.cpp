#include "campaign/plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unordered_set>

#include "campaign/kernel_cases.h"
#include "campaign/open_tried.h"
#include "campaign/suites/suite.h"
#include "intake/open_module.h"
#include "kernels/table.h"
#include "results/text.h"

namespace w4 {
namespace {

constexpr std::streamsize kMaxFile = std::streamsize{64} << 20;
constexpr const char* kDrawn = "module";  // suite of cases drawn for a module

Result<void> append_suite(const std::string& name, uint64_t seed, std::vector<PlannedCase>& out) {
  const Suite* suite = find_suite(name);
  if (suite == nullptr) {
    std::vector<std::string_view> names;
    for (const Suite& s : suites()) names.push_back(s.name);
    return fail("--suite: there is no suite '{}'; legal: {}", name, fmt::join(names, ", "));
  }
  for (Case& c : suite->cases(seed)) out.push_back({name, std::move(c), {}});
  return {};
}

Result<void> append_file(const std::string& path, std::vector<PlannedCase>& out) {
  const Result<std::string> text = read_text(path);
  if (!text) return fail("--cases: {}", text.error().text);
  const std::string name = path == "-" ? "standard input" : path;
  Result<std::vector<Case>> cases = parse_cases(*text, name);
  if (!cases) return fail("--cases: {}", cases.error().text);
  for (Case& c : *cases) {
    if (auto ok = check_runnable(c); !ok) {
      return fail("--cases: {}: '{}': {}", name, to_string(c), ok.error().text);
    }
    out.push_back({name, std::move(c), {}});
  }
  return {};
}

Result<void> append_line(const std::string& line, std::vector<PlannedCase>& out) {
  Result<Case> c = parse_case(line);
  if (!c) return fail("--case: '{}': {}", line, c.error().text);
  if (auto ok = check_runnable(*c); !ok) return fail("--case: '{}': {}", line, ok.error().text);
  out.push_back({"line", std::move(*c), {}});
  return {};
}

Result<void> append_module(const PlanOptions& options, std::vector<PlannedCase>& out) {
  constexpr int64_t kMost = 1'000'000;
  if (options.count < 1 || options.count > kMost) {
    return fail("--count: {}; legal: 1 to {}", options.count, kMost);
  }
  const auto opened = open_tried(options.module);
  if (!opened) return fail("--module: {}", opened.error().text);
  auto cases = module_cases(*opened->table, {options.module, options.kernel, options.count,
                                             options.seed.value_or(1), options.devices});
  if (!cases) return fail("--module '{}': {}", options.module, cases.error().text);
  for (Case& c : *cases) out.push_back({kDrawn, std::move(c), {}});
  return {};
}

}  // namespace

double PlannedCase::cost() const {
  const Problem& p = value.problem;
  const auto positive = [](int64_t v) { return static_cast<double>(std::max<int64_t>(v, 0)); };
  // Preparing and dequantising weights costs about as much as two rows; 1e5: a case of no size.
  return 1e5 + positive(p.n) * positive(p.k) * (2 + positive(p.m));
}

bool PlannedCase::shares_weights(const PlannedCase& other) const {
  const Problem &a = value.problem, &b = other.value.problem;
  return a.n == b.n && a.k == b.k && a.g == b.g && a.act == b.act && a.zp == b.zp &&
         a.src == b.src && value.fill == other.value.fill && value.seed == other.value.seed &&
         value.only == other.value.only;
}

Result<void> check_key_value(std::string_view option, std::string_view key,
                             const std::string& value) {
  const auto help = std::ranges::find(case_keys(), key, &KeyHelp::key);
  const bool one_word = !value.empty() && value.find_first_of(" \t\n") == std::string::npos;
  if (one_word && parse_case(fmt::format("decode {}={}", key, value))) return {};
  return fail("{}: '{}' is not a value it takes; legal: {}", option, value, help->legal);
}

Result<void> check_runnable(const Case& c) {
  for (const auto& [key, path] : {std::pair{"module", c.module}, std::pair{"prep", c.prep}}) {
    std::error_code ec;
    if (path.empty() || path == kBuiltIn || std::filesystem::is_regular_file(path, ec)) continue;
    return fail("{}='{}': there is no such file", key, path);
  }
  if (!c.module.empty() && c.module != kBuiltIn) return {};
  const w4_module& builtin = builtin_module();
  std::vector<std::string_view> names;
  for (int32_t i = 0; i < builtin.kernel_count; ++i) names.emplace_back(builtin.kernels[i].name);
  if (std::ranges::find(names, c.kernel) != names.end()) return {};
  return fail("there is no kernel '{}'; built in: {}", c.kernel, fmt::join(names, ", "));
}

Result<Case> read_typed_line(std::string_view command, const std::string& line) {
  constexpr size_t kLongest = 4096;  // as in a file of cases
  if (line.size() > kLongest) {
    return fail("{}: the line has {} characters; legal: at most {}", command, line.size(),
                kLongest);
  }
  Result<Case> c = parse_case(line);
  const Result<void> runs = c ? check_runnable(*c) : Result<void>{};
  if (c && runs) return c;
  const Error& e = c ? runs.error() : c.error();
  return fail("{}", printable_utf8(fmt::format("{}: {}", command, e.text)));
}

Result<std::string> read_text(const std::string& path) {
  std::string text;
  const auto slurp = [&text](std::istream& in) {
    std::string block(1 << 16, '\0');
    while (in && text.size() <= static_cast<size_t>(kMaxFile)) {
      in.read(block.data(), static_cast<std::streamsize>(block.size()));
      text.append(block, 0, static_cast<size_t>(in.gcount()));
    }
  };
  if (path == "-") {
    slurp(std::cin);
  } else {
    std::error_code ec;
    const auto status = std::filesystem::status(path, ec);
    if (status.type() == std::filesystem::file_type::not_found)
      return fail("'{}': no such file", path);
    if (status.type() == std::filesystem::file_type::directory) {
      return fail("'{}' is a directory; legal: a file", path);
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail("'{}': {}", path, std::strerror(errno));
    slurp(in);
    if (in.bad()) return fail("'{}': {}", path, std::strerror(errno));
  }
  if (text.size() > static_cast<size_t>(kMaxFile)) {
    return fail("'{}' has more than {} MiB; legal: at most that", path, kMaxFile >> 20);
  }
  return text;
}

Result<std::vector<PlannedCase>> make_plan(const PlanOptions& options) {
  for (const std::string& device : options.devices) {
    if (auto ok = check_key_value("--device", "device", device); !ok)
      return std::unexpected(ok.error());
  }
  if (!options.fp.empty()) {
    if (auto ok = check_key_value("--fp", "fp", options.fp); !ok)
      return std::unexpected(ok.error());
  }
  std::optional<Checks> checks;
  if (!options.checks.empty()) {
    const Result<Checks> read = parse_checks(options.checks);
    if (!read) return fail("--{}", read.error().text);
    checks = *read;
  }
  std::vector<PlannedCase> base;
  for (const std::string& suite : options.suites) {
    if (auto ok = append_suite(suite, options.seed.value_or(1), base); !ok) {
      return std::unexpected(ok.error());
    }
  }
  for (const std::string& file : options.files) {
    if (auto ok = append_file(file, base); !ok) return std::unexpected(ok.error());
  }
  for (const std::string& line : options.lines) {
    if (auto ok = append_line(line, base); !ok) return std::unexpected(ok.error());
  }
  if (!options.module.empty()) {
    if (auto ok = append_module(options, base); !ok) return std::unexpected(ok.error());
  } else if (!options.kernel.empty()) {
    return fail("--kernel: '{}'; legal: only with --module", options.kernel);
  }
  std::vector<PlannedCase> plan;
  std::unordered_set<std::string> seen;
  const size_t turns = std::max<size_t>(options.devices.size(), 1);
  for (size_t turn = 0; turn < turns; ++turn) {
    for (PlannedCase p : base) {
      if (!options.devices.empty()) p.value.device = options.devices[turn];
      if (!options.fp.empty()) p.value.fp = options.fp;
      if (checks) p.value.checks = *checks;
      // What was drawn has the seeds that show something.
      if (options.seed && p.suite != kDrawn) p.value.seed = *options.seed;
      p.line = to_string(p.value);
      if (seen.insert(p.line).second) plan.push_back(std::move(p));
    }
  }
  if (plan.empty()) return fail("there are no cases to run");
  return plan;
}

}  // namespace w4
