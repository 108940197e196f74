#include "campaign/zoo/explain_kill.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "campaign/zoo/one_question.h"
#include "core/case.h"
#include "results/text.h"
#include "verify/explain/explain.h"

namespace w4::zoo {
namespace {

using nlohmann::json;
constexpr double kExplainSeconds = 60;

}  // namespace

std::string explain_answer(const std::string& line) {
  const auto c = parse_case(line);
  if (!c) return json{{"error", printable_utf8(c.error().text)}}.dump();
  Context context;
  const explain::Explanation e = explain::explain(*c, context, {.seconds = kExplainSeconds});
  json names = json::array();
  for (const explain::Named& n : e.named) {
    names.push_back(n.name);
    for (const std::string& also : n.also) names.push_back(also);
  }
  return json{{"kind", name_of(e.verdict.kind())},
              {"certainty", explain::name_of(e.certainty)},
              {"says", printable_utf8(e.says)},
              {"names", std::move(names)}}
      .dump();
}

std::string_view name_of(Diagnosis d) {
  switch (d) {
    case Diagnosis::right:
      return "right";
    case Diagnosis::stated:
      return "stated";
    case Diagnosis::unknown:
      return "unknown";
    case Diagnosis::wrong:
      return "wrong";
  }
  return "unknown";
}

Result<Explained> explain_kill(const Expect& expect, const Killed& killed, double seconds) {
  const auto said = one_question("--explain", killed.line, seconds);
  // Explain is asked in a process of its own, which such a line ends.
  if (!said && killed.kill.oracle == Oracle::process)
    return Explained{Diagnosis::stated, killed.text};
  if (!said) return std::unexpected(said.error());
  if (said->contains("error")) return fail("{}", said->value("error", ""));
  const auto names = said->value("names", std::vector<std::string>{});
  Explained out;
  out.said = names.empty() ? said->value("says", "") : fmt::format("{}", fmt::join(names, " "));
  const bool right = std::ranges::any_of(names, [&](const std::string& n) {
    return std::ranges::find(expect.explain, n) != expect.explain.end();
  });
  if (right) {
    out.diagnosis = Diagnosis::right;
  } else if (!names.empty()) {
    out.diagnosis = Diagnosis::wrong;
  } else {
    const auto kind = verdict_kind_from(said->value("kind", ""));
    const bool of_outputs = kind == VerdictKind::mismatch || kind == VerdictKind::law_broken;
    const std::string sure = said->value("certainty", "");
    const bool says_it =
        (kind && !of_outputs) || sure == explain::name_of(explain::Certainty::stated);
    out.diagnosis = says_it ? Diagnosis::stated : Diagnosis::unknown;
  }
  return out;
}

}  // namespace w4::zoo
