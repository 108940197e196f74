#include "campaign/score/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "results/text.h"

namespace w4::score {
namespace {

std::string percent(int64_t part, int64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string rerun(const Mutant& m) { return fmt::format("w4check rerun '{}'", m.line); }

struct Row {
  int64_t run = 0, killed = 0, equal = 0, within = 0, undecided = 0, cases = 0;
  double seconds = 0;
};

std::map<int, Row> rows_of(const KernelScore& k) {
  std::map<int, Row> rows;
  for (const Mutant& m : k.mutants) {
    if (m.fate == Fate::not_run) continue;
    Row& r = rows[static_cast<int>(m.candidate.mutation.kind)];
    ++r.run;
    r.killed += m.fate == Fate::killed;
    r.undecided += m.fate == Fate::undecided;
    r.equal += m.fate == Fate::survived && m.differing == 0;
    r.within += m.fate == Fate::survived && m.differing != 0;
    if (m.fate == Fate::killed) r.cases += m.cases, r.seconds += m.seconds;
  }
  return rows;
}

void list(const KernelScore& k, std::string& out, const char* title, auto wanted) {
  bool any = false;
  for (const Mutant& m : k.mutants) {
    if (!wanted(m)) continue;
    if (!any) out += fmt::format("  {}\n", title);
    any = true;
    const Mutation& what = m.candidate.mutation;
    out += fmt::format(
        "    {:<16} {:#x}  {}  {}\n",
        std::string(name_of(what.kind)) + (what.variant.empty() ? "" : ":" + what.variant), what.pc,
        m.instruction, m.source);
    if (m.fate == Fate::undecided) out += fmt::format("      {}\n", m.verdict);
    out += fmt::format("      {} of {} cases, {} with other bits: {}\n", m.cases, m.available,
                       m.differing, rerun(m));
  }
}

}  // namespace

int64_t KernelScore::count(Fate f) const { return std::ranges::count(mutants, f, &Mutant::fate); }

int64_t KernelScore::equal() const {
  return std::ranges::count_if(
      mutants, [](const Mutant& m) { return m.fate == Fate::survived && m.differing == 0; });
}

std::string table_head() {
  return fmt::format("{:<16} {:>9} {:>8} {:>6} {:>6} {:>8} {:>7} {:>9} {:>8} {:>8}\n", "kernel",
                     "generated", "reached", "run", "killed", "within", "equal", "undecided",
                     "killed", "not equal");
}

std::string table_row(const KernelScore& k) {
  const int64_t killed = k.count(Fate::killed), equal = k.equal();
  const int64_t within = k.count(Fate::survived) - equal;
  const int64_t undecided = k.count(Fate::undecided);
  return fmt::format("{:<16} {:>9} {:>8} {:>6} {:>6} {:>8} {:>7} {:>9} {:>8} {:>8}\n", k.kernel,
                     k.sample->mutations, k.sample->mutations_run,
                     killed + within + equal + undecided, killed, within, equal, undecided,
                     percent(killed, killed + within + equal), percent(killed, killed + within));
}

std::string text_of(const KernelScore& k) {
  const Sample& s = *k.sample;
  const int64_t run = static_cast<int64_t>(k.mutants.size()) - k.count(Fate::not_run);
  const int64_t killed = k.count(Fate::killed), survived = k.count(Fate::survived);
  std::string out = fmt::format(
      "{}: {} cases ({} of them laws; {} left out as too long) execute {} of {} instructions of {} "
      "kernels\n  mutants: {} generated, {} at instructions that ran, {} run\n"
      "  killed {}, survived {} (within bounds {}, changes nothing {}), undecided {}\n"
      "  {} of the survivors and killed are killed; {} without those that change nothing\n",
      k.kernel, k.stream->cases.size(), k.stream->laws, k.stream->too_long, s.instructions_run,
      s.instructions, k.stream->codes.size(), s.mutations, s.mutations_run, run, killed, survived,
      survived - k.equal(), k.equal(), k.count(Fate::undecided), percent(killed, killed + survived),
      percent(killed, killed + survived - k.equal()));
  out += fmt::format("  {:<16} {:>8} {:>5} {:>7} {:>7} {:>8} {:>10} {:>11} {:>9}\n", "operator",
                     "reached", "run", "killed", "within", "nothing", "undecided", "cases/kill",
                     "s/kill");
  for (const auto& [kind, r] : rows_of(k)) {
    const double kills = std::max<double>(static_cast<double>(r.killed), 1);
    out += fmt::format("  {:<16} {:>8} {:>5} {:>7} {:>7} {:>8} {:>10} {:>11.1f} {:>9.2f}\n",
                       name_of(static_cast<MutationKind>(kind)),
                       s.by_kind[static_cast<size_t>(kind)], r.run, r.killed, r.within, r.equal,
                       r.undecided, static_cast<double>(r.cases) / kills, r.seconds / kills);
  }
  list(k, out, "survivors within bounds:", [](const Mutant& m) {
    return m.fate == Fate::survived && m.differing != 0;
  });
  list(k, out, "survivors that change nothing:", [](const Mutant& m) {
    return m.fate == Fate::survived && m.differing == 0;
  });
  list(k, out, "undecided:", [](const Mutant& m) { return m.fate == Fate::undecided; });
  return out;
}

nlohmann::json json_of(const KernelScore& k) {
  nlohmann::json mutants = nlohmann::json::array();
  for (const Mutant& m : k.mutants) {
    mutants.push_back({{"mutation", to_string(m.candidate.mutation)},
                       {"operator", name_of(m.candidate.mutation.kind)},
                       {"arch", std::get<0>(m.candidate.code)},
                       {"instruction", printable_utf8(m.instruction)},
                       {"source", printable_utf8(m.source)},
                       {"fate", name_of(m.fate)},
                       {"verdict", m.verdict},
                       {"cases", m.cases},
                       {"available", m.available},
                       {"differing", m.differing},
                       {"seconds", m.seconds},
                       {"line", printable_utf8(m.line)}});
  }
  const Sample& s = *k.sample;
  return {{"kernel", k.kernel},
          {"cases", k.stream->cases.size()},
          {"laws", k.stream->laws},
          {"too_long", k.stream->too_long},
          {"instructions", s.instructions},
          {"instructions_run", s.instructions_run},
          {"generated", s.mutations},
          {"reached", s.mutations_run},
          {"killed", k.count(Fate::killed)},
          {"survived", k.count(Fate::survived)},
          {"changes_nothing", k.equal()},
          {"undecided", k.count(Fate::undecided)},
          {"not_run", k.count(Fate::not_run)},
          {"seconds", k.seconds},
          {"mutants", std::move(mutants)}};
}

}  // namespace w4::score
