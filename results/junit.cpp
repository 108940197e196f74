#include "results/junit.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <vector>

#include "results/text.h"

namespace w4 {
namespace {

// The child element of a testcase; empty: passed.
std::string_view element(VerdictKind kind, bool green) {
  if (green) return "";
  switch (kind) {
    case VerdictKind::harness_error:
    case VerdictKind::crash:
    case VerdictKind::timeout:
    case VerdictKind::unsupported:
      return "error";
    case VerdictKind::skipped:
      return "skipped";
    default:
      return "failure";
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

void JunitCounts::add(VerdictKind kind, bool green, int64_t cases, double took) {
  const std::string_view child = element(kind, green);
  tests += cases;
  seconds += took;
  if (child == "error") errors += cases;
  if (child == "failure") failures += cases;
  if (child == "skipped") skipped += cases;
}

std::string junit_head() {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"w4check\">\n";
}

std::string junit_suite(std::string_view name, const JunitCounts& counts) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\" time=\"{:.6f}\">\n",
      markup_escape(name), counts.tests, counts.failures, counts.errors, counts.skipped,
      counts.seconds);
}

std::string junit_case(const Record& record) {
  const Verdict& v = record.verdict;
  std::string out = fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.6f}\"",
                                markup_escape(record.kernel), markup_escape(record.device),
                                markup_escape(v.line), v.ran.seconds);
  const std::string_view child = element(v.kind(), v.green());
  if (child.empty()) return out + "/>\n";
  const std::string text = to_string(v);
  out +=
      fmt::format(">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n", child,
                  name_of(v.kind()), markup_escape(first_line(text)), markup_escape(text));
  return out;
}

std::string junit_suite_end() { return "  </testsuite>\n"; }
std::string junit_tail() { return "</testsuites>\n"; }

std::string junit_xml(std::span<const Record> records) {
  std::map<std::string_view, std::vector<const Record*>> suites;
  for (const Record& r : records) suites[r.suite].push_back(&r);
  std::string out = junit_head();
  for (const auto& [suite, cases] : suites) {
    JunitCounts counts;
    for (const Record* r : cases) {
      counts.add(r->verdict.kind(), r->verdict.green(), 1, r->verdict.ran.seconds);
    }
    out += junit_suite(suite, counts);
    for (const Record* r : cases) out += junit_case(*r);
    out += junit_suite_end();
  }
  return out + junit_tail();
}

}  // namespace w4
