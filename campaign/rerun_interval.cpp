#include "campaign/rerun_interval.h"

#include <fmt/format.h>

#include <charconv>

#include "verify/case_interval.h"

namespace w4 {
namespace {

const Worst* worst_of(const Outcome& o) {
  if (const auto* pass = std::get_if<Pass>(&o)) return &pass->worst;
  if (const auto* mismatch = std::get_if<Mismatch>(&o)) return &mismatch->worst;
  return nullptr;
}

const Worst* worst_of(const Verdict& v) {
  for (const Outcome& o : v.outcomes) {
    if (const Worst* w = worst_of(o); w && w->m >= 0) return w;
  }
  return nullptr;
}

bool read(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

}  // namespace

Result<std::optional<Element>> parse_element(std::string_view text) {
  if (text == "worst") return std::nullopt;
  Element e;
  const size_t comma = text.find(',');
  if (comma == text.npos || !read(text.substr(0, comma), e.m) ||
      !read(text.substr(comma + 1), e.n)) {
    return fail("--interval: '{}'; legal: M,N with numbers from 0, or worst", text);
  }
  return e;
}

Result<void> check_element(const Case& c, std::optional<Element> element) {
  const Problem& p = c.problem;
  if (c.law != Law::reference) {
    return fail("--interval: law={} has further calls and data of its own; legal: law={}",
                name_of(c.law), name_of(Law::reference));
  }
  if (!element) return {};
  if (element->n >= p.n) return fail("--interval: column {}; legal: below n={}", element->n, p.n);
  if (p.experts > 0) return {};
  if (element->m >= p.m) return fail("--interval: row {}; legal: below m={}", element->m, p.m);
  return {};
}

Result<std::string> interval_text(const Case& c, const Verdict& v, std::optional<Element> element) {
  const Worst* worst = worst_of(v);
  if (!element) {
    if (!worst) return fail("no output element was compared, so there is no worst one");
    element = {worst->m, worst->n};
  }
  Context context;
  const auto explained = interval_of(c, context, element->m, element->n);
  if (!explained) return std::unexpected(explained.error());
  std::string out = to_string(*explained);
  if (worst && worst->m == element->m && worst->n == element->n) {
    out += fmt::format("  got {:.9g}: {:+.3f} B from y~\n", worst->got, worst->ratio);
  }
  return out;
}

}  // namespace w4
