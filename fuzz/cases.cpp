#include "fuzz/cases.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <optional>

#include "core/gpu.h"
#include "fuzz/counters.h"
#include "fuzz/last_case.h"
#include "fuzz/options.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/run_case.h"

namespace w4::fuzz {
namespace {

struct Session {
  Context context;
  // Of cases only: it keeps what was launched, and targets of damaged code launch something else
  // each time.
  std::optional<Observer> observer;
  std::string module;
  std::deque<std::string> named;  // devices, where their names live
  std::vector<std::string_view> devices;
  std::vector<std::string_view> rows{generated_rows().begin(), generated_rows().end()};
  int64_t cases = 0;
  std::optional<Case> last;
};

Session& session() {
  static Session s;
  return s;
}

Result<void> use_devices(Session& s, const std::vector<std::string>& devices) {
  std::vector<std::string_view> legal;
  for (const GpuModel& gpu : gpu_models()) legal.push_back(gpu.arch);
  for (const std::string& name : devices) {
    if (find_gpu(name) == nullptr)
      return fail("--device is '{}'; legal: {}", name, fmt::join(legal, ", "));
    s.devices.push_back(s.named.emplace_back(name));
  }
  return {};
}

Result<void> use_module(Session& s, const std::string& path) {
  const auto module = s.context.module(path);
  if (!module) return fail("--module is '{}': {}", path, module.error().text);
  std::erase_if(s.rows, [&](std::string_view row) { return !find_kernel(**module, row); });
  if (s.rows.empty()) {
    return fail("--module is '{}': it has none of the kernels that cases are made of: {}", path,
                fmt::join(generated_rows(), ", "));
  }
  s.module = path;
  return {};
}

bool has_row(const Session& s, std::string_view row) {
  return std::ranges::find(s.rows, row) != s.rows.end();
}

void check_row(const Session& s, std::string_view row) {
  if (has_row(s, row)) return;
  std::fprintf(stderr, "%s\n",
               fmt::format("w4fuzz: --module is '{}': it has no kernel '{}'; it has: {}", s.module,
                           row, fmt::join(s.rows, ", "))
                   .c_str());
  std::_Exit(kUsage);  // the engine calls exit() in a target a finding
}

// Of what was refused or skipped nobody knows whether it is a call at all.
bool is_a_call(const Verdict& v) {
  return v.kind() != VerdictKind::refused && v.kind() != VerdictKind::skipped;
}

// What data that suit a law may lead to: the case has no such law, or shows little by it.
bool proves_little(const Verdict& v) {
  const auto* skipped = std::get_if<Skipped>(&v.primary());
  return v.kind() == VerdictKind::mistrusted ||
         (skipped != nullptr && skipped->reason == SkipReason::not_supported_by_kernel);
}

}  // namespace

Result<void> use(const std::string& module, const std::vector<std::string>& devices) {
  Session& s = session();
  if (auto done = use_devices(s, devices); !done) return done;
  return module.empty() ? Result<void>{} : use_module(s, module);
}

std::string_view chosen_row(Bytes input, std::span<const std::string_view> rows) {
  constexpr size_t kRowByte = 2;
  std::vector<std::string_view> there(rows.begin(), rows.end());
  std::erase_if(there, [](std::string_view row) { return !has_row(session(), row); });
  if (there.empty()) return rows.front();
  const size_t byte = input.size() > kRowByte ? input[kRowByte] : 0u;
  return there[byte % there.size()];
}

CaseInput small_cases(std::string_view row) {
  check_row(session(), row);
  CaseInput how{.row = row, .law_one_in = 0};
  how.small.devices = session().devices;
  return how;
}

Verdict judged(Case c) {
  Session& s = session();
  if (!s.module.empty()) c.module = s.module;
  ++s.cases;
  if (!s.observer) s.observer.emplace();
  s.observer->start();
  s.last.reset();
  const LastCase running(c);
  Verdict v = run_case(c, s.context);
  for (const Behaviour& b : s.observer->of(c, v)) count(b);
  if (is_a_call(v)) s.last = c;
  return v;
}

void fail_with(const Verdict& v) {
  const Spent so_far = spent();
  std::fprintf(stderr, "%s\ncase %lld, %.2f s of processor time\n", to_string(v).c_str(),
               static_cast<long long>(so_far.cases), so_far.seconds);
  std::abort();
}

void must_pass(Case c) {
  const Verdict v = judged(c);
  const bool has_law = c.law != Law::reference;
  if (v.kind() != VerdictKind::pass && !(has_law && proves_little(v))) fail_with(v);
  if (const std::string words = law_class(c, v); !words.empty()) count_class(words);
}

std::string law_class(const Case& c, const Verdict& v) {
  if (!v.ran.relation) return {};
  return fmt::format("{} {} {}", c.kernel, name_of(c.law),
                     v.ran.relation->exact > 0 ? "bit for bit" : "within");
}

void must_be_refused(Case c, std::span<const std::string> broken) {
  const Verdict v = judged(std::move(c));
  const auto* refused = std::get_if<Refused>(&v.primary());
  const auto* skipped = std::get_if<Skipped>(&v.primary());
  if (skipped != nullptr && skipped->reason == SkipReason::too_large) return;
  const bool by_name =
      refused != nullptr && v.green() && std::ranges::find(broken, refused->clause) != broken.end();
  if (by_name) return count_class(v.line.substr(0, v.line.find(' ')) + " " + refused->clause);
  std::fprintf(stderr, "%s\n", fmt::format("broken: {}", fmt::join(broken, " ")).c_str());
  fail_with(v);
}

void witness_outputs() { session().context.witness_outputs(); }

const std::optional<Case>& last_case() { return session().last; }

Spent spent() { return {session().cases, static_cast<double>(std::clock()) / CLOCKS_PER_SEC}; }

}  // namespace w4::fuzz
