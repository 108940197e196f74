#include "results/junit.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "results/text.h"

namespace w4 {
namespace {

// The child element of a testcase; empty: passed.
std::string_view element(const Verdict& v) {
  if (v.green()) return "";
  switch (v.kind()) {
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

std::string junit_xml(std::span<const Record> records) {
  std::map<std::string_view, std::vector<const Record*>> suites;
  for (const Record& r : records) suites[r.suite].push_back(&r);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"w4check\">\n";
  const auto put = std::back_inserter(out);
  for (const auto& [suite, cases] : suites) {
    std::map<std::string_view, int> count;
    double seconds = 0;
    for (const Record* r : cases) ++count[element(r->verdict)], seconds += r->verdict.ran.seconds;
    fmt::format_to(put,
                   "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                   "skipped=\"{}\" time=\"{:.6f}\">\n",
                   markup_escape(suite), cases.size(), count["failure"], count["error"],
                   count["skipped"], seconds);
    for (const Record* r : cases) {
      const Verdict& v = r->verdict;
      fmt::format_to(put, "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.6f}\"",
                     markup_escape(r->kernel), markup_escape(r->device), markup_escape(v.line),
                     v.ran.seconds);
      const std::string_view child = element(v);
      if (child.empty()) {
        out += "/>\n";
        continue;
      }
      const std::string text = to_string(v);
      fmt::format_to(put, ">\n      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n    </testcase>\n",
                     child, name_of(v.kind()), markup_escape(first_line(text)),
                     markup_escape(text));
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace w4
