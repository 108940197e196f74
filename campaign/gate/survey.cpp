#include "campaign/gate/survey.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>

#include "campaign/gate/side.h"
#include "campaign/plan.h"
#include "campaign/streams/random_cases.h"
#include "campaign/streams/suite_cases.h"
#include "core/contract.h"
#include "verify/cases/break_clause.h"
#include "verify/cases/row_cases.h"

namespace w4::gate {
namespace {

using diff::Change;
using diff::Reply;
using diff::Route;
using nlohmann::json;
using Clock = std::chrono::steady_clock;
constexpr diff::Side kA = diff::kA, kB = diff::kB;  // base, head
constexpr double kOpening = 120;                    // a manifest's code objects are read
// Preparation is asked too where weights of zeros cost next to nothing.
constexpr int64_t kPreparedWeights = 1 << 20;
constexpr double kEdgeSeconds = 20;

std::string readable(const std::string& route) { return route.empty() ? "takes it" : route; }

// A refusal by another clause is a change, too: as is one of preparation.
std::optional<Change> change_between(const Case& c, const std::array<Reply, 2>& r) {
  std::array<std::string, 2> prepare;
  for (const diff::Side s : {kA, kB}) {
    if (r.at(s).ok()) prepare.at(s) = r.at(s).said.at("prepare").get<std::string>();
    if (!prepare.at(s).empty()) prepare.at(s) = "preparation refuses: " + prepare.at(s);
  }
  if (prepare[kA] != prepare[kB])
    return Change{c.kernel, readable(prepare[kA]), readable(prepare[kB])};
  const Route a = diff::route_of(r[kA]), b = diff::route_of(r[kB]);
  if (a.symbols.empty() && b.symbols.empty() && a.text != b.text)
    return Change{c.kernel, a.text, b.text};
  return diff::change_of(c, a, b);
}

// Of each launch; empty: there is none.
std::vector<uint64_t> arguments_of(const Reply& r) {
  std::vector<uint64_t> out;
  if (!r.ok()) return out;
  for (const json& l : r.said.at("launches")) out.push_back(l.at("args").get<uint64_t>());
  return out;
}

// Launched by a call: the cheapest of them stands for it.
struct Launcher {
  Case call;
  double cost = 0;
  uint64_t object = 0;
};
using Symbol = std::pair<std::string, std::string>;  // device, name

// Of the suites and of the generators in turn; after the suites generators alone.
std::function<std::optional<Case>()> drawing(const std::vector<std::string>& names,
                                             std::vector<DrawnKernel> kernels,
                                             const SurveyOptions& options) {
  std::vector<Case> suites = suite_cases(names, options.seed);
  NumberedChooser choose(options.seed, 0);
  for (size_t i = suites.size(); i > 1; --i)
    std::swap(suites[i - 1], suites[static_cast<size_t>(choose.pick(static_cast<int>(i)))]);
  std::shared_ptr<const Numbered> random =
      random_cases({std::move(kernels), options.seed, options.devices, ""});
  auto list = std::make_shared<std::vector<Case>>(std::move(suites));
  return [list, random, devices = options.devices, drawn = size_t{0}, suite = size_t{0},
          number = int64_t{0}]() mutable {
    if (drawn++ % 2 == 1 || suite == list->size()) return random->at(number++);
    Case c = list->at(suite);
    c.device = devices[suite++ % devices.size()];
    return std::optional(std::move(c));
  };
}

DrawnKernel drawn_kernel(const std::string& name, const json& declared) {
  DrawnKernel k{name, declared.at("experts").get<bool>(), {}};
  for (const json& clause : declared.at("lists").at("clause")) {
    const std::string text = clause.get<std::string>();
    const std::string plain(routed_name(text).clause);
    if (std::ranges::find(breakable_clauses(), plain) != breakable_clauses().end())
      k.breakable.push_back(plain);
  }
  return k;
}

class Surveyor {
 public:
  Surveyor(diff::Pair& pair, const SurveyOptions& options, Survey& out)
      : pair_(pair), options_(options), out_(out) {}

  void all() {
    ask();
    code();
    edges();
    mark();
    out_.complete = !pair_.over() && out_.asked >= options_.most;
  }

 private:
  void ask() {
    std::unordered_set<std::string> seen;
    const auto until = Clock::now() + std::chrono::duration<double>(options_.seconds / 2);
    while (out_.asked < options_.most && !pair_.over() && Clock::now() < until) {
      auto c = out_.more();
      if (!c) break;
      if (!seen.insert(to_string(*c)).second) continue;
      out_.calls.push_back({std::move(*c)});
      if (!ask(out_.calls.back())) break;
    }
  }

  bool ask(Call& call) {
    const Case& c = call.value;
    launched_.emplace_back();
    if (pair_.gave_up(c.kernel)) return true;
    const int64_t weights = weight_rows(c.problem) * std::max<int64_t>(c.problem.k, 0);
    const char* const question = weights <= kPreparedWeights ? "ask" : "route";
    const auto r = pair_.both(question, c);
    if (!r) return false;
    ++out_.asked;
    const PlannedCase planned{"", c, ""};
    for (const diff::Side s : {kA, kB}) {
      const Reply& reply = r->at(s);
      if (!reply.ok()) continue;
      for (const json& l : reply.said.at("launches")) {
        const Symbol at{c.device, l.at("symbol").get<std::string>()};
        const Launcher here{c, planned.cost(), l.at("object").get<uint64_t>()};
        auto [known, fresh] = symbols_.at(s).try_emplace(at, here);
        if (!fresh && here.cost < known->second.cost) known->second = here;
        if (s == kB) launched_.back().push_back(at);
      }
    }
    const bool new_kernel = std::ranges::find(out_.only_head, c.kernel) != out_.only_head.end();
    auto change = new_kernel ? std::nullopt : change_between(c, *r);
    if (!new_kernel && !change) change = other_arguments(question, c, *r);
    if (change) {
      call.why = Why::route;
      call.what = fmt::format("{}: {} -> {}", change->kernel, change->a, change->b);
      auto& known = out_.routes[*change];
      if (known.calls++ == 0) known.first = c;
    }
    return true;
  }

  // The same kernels with other arguments; where both repeat theirs, which rules out bytes that
  // nobody set.
  std::optional<Change> other_arguments(const char* question, const Case& c,
                                        const std::array<Reply, 2>& r) {
    const auto a = arguments_of(r[kA]), b = arguments_of(r[kB]);
    if (a == b || a.empty() || b.empty()) return std::nullopt;
    const auto again = pair_.both(question, c);
    if (!again || arguments_of(again->at(kA)) != a || arguments_of(again->at(kB)) != b)
      return std::nullopt;
    return Change{c.kernel, "arguments", "other arguments"};
  }

  // The machine code of what both launch.
  void code() {
    for (const auto& [at, head] : symbols_[kB]) {
      const auto base = symbols_[kA].find(at);
      if (base == symbols_[kA].end()) continue;
      ++out_.compared;
      if (base->second.object == head.object) continue;
      const auto own = own_code(at, head.call, base->second.call);
      if (!own) return;
      if ((*own)[kA] != (*own)[kB] || (*own)[kA].empty())
        out_.code.push_back({at.first, at.second, head.call.kernel});
    }
  }

  // What each side's code is, as text; empty: it cannot be read. nullopt: no more time.
  std::optional<std::array<std::string, 2>> own_code(const Symbol& at, const Case& head,
                                                     const Case& base) {
    std::array<std::string, 2> out;
    for (const Case& c : {head, base}) {
      const auto r = pair_.both("code", c);
      if (!r) return std::nullopt;
      for (const diff::Side s : {kA, kB}) {
        if (!r->at(s).ok()) continue;
        for (const json& one : r->at(s).said.at("codes")) {
          if (one.at("symbol") == at.second && one.contains("own"))
            out.at(s) = one.at("own").dump();
        }
      }
      if (!out[kA].empty() && !out[kB].empty()) break;
    }
    return out;
  }

  void edges() {
    for (ChangedCode& changed : out_.code) {
      const Symbol at{changed.device, changed.symbol};
      const auto r = pair_.both({{"what", "edges"}, {"line", to_string(symbols_[kB].at(at).call)}},
                                kEdgeSeconds);
      if (!r) return;
      if (!r->at(kA).ok() || !r->at(kB).ok()) continue;
      changed.looked = true;
      changed.edges = r->at(kA).said.at("edges").value(at.second, json()) !=
                      r->at(kB).said.at("edges").value(at.second, json());
    }
  }

  // Which calls launch code that differs.
  void mark() {
    std::map<Symbol, const ChangedCode*> changed;
    for (const ChangedCode& c : out_.code) changed[{c.device, c.symbol}] = &c;
    for (size_t i = 0; i < out_.calls.size(); ++i) {
      Call& call = out_.calls[i];
      const bool only_head =
          std::ranges::find(out_.only_head, call.value.kernel) != out_.only_head.end();
      if (only_head) call.why = Why::route, call.what = call.value.kernel;
      if (call.why == Why::route) continue;
      for (const Symbol& at : launched_[i]) {
        const auto known = changed.find(at);
        if (known == changed.end()) continue;
        const Why why = known->second->edges ? Why::edges : Why::code;
        if (why < call.why) call.why = why, call.what = at.first + " " + at.second;
      }
    }
  }

  diff::Pair& pair_;
  const SurveyOptions& options_;
  Survey& out_;
  std::array<std::map<Symbol, Launcher>, 2> symbols_;
  std::vector<std::vector<Symbol>> launched_;  // by head, for each of out_.calls
};

}  // namespace

Result<Survey> declare(diff::Pair& pair, const SurveyOptions& options) {
  const auto r = pair.both({{"what", "declare"}}, kOpening);
  if (!r) return fail("--budget: it was over before both sides had said what they are");
  std::array<std::set<std::string>, 2> names;
  for (const diff::Side s : {kA, kB}) {
    const Reply& said = r->at(s);
    if (!said.ok()) return fail("{}: {}", kOption.at(s), said.trouble);
    for (const auto& [name, kernel] : said.said.at("kernels").items()) names.at(s).insert(name);
  }
  const std::regex wanted(options.kernel);
  Survey out;
  std::vector<DrawnKernel> drawn;
  for (const std::string& name : names[kB]) {
    if (!std::regex_search(name, wanted)) continue;
    out.kernels.push_back(name);
    if (!names[kA].contains(name)) out.only_head.push_back(name);
    drawn.push_back(drawn_kernel(name, r->at(kB).said.at("kernels").at(name)));
  }
  for (const std::string& name : names[kA]) {
    if (!names[kB].contains(name) && std::regex_search(name, wanted)) out.only_base.push_back(name);
  }
  if (out.kernels.empty()) {
    return fail("--kernel: head has no kernel with a match of '{}'; legal: {}", options.kernel,
                fmt::join(names[kB], ", "));
  }
  out.more = drawing(out.kernels, std::move(drawn), options);
  return out;
}

void look(diff::Pair& pair, const SurveyOptions& options, Survey& s) {
  Surveyor(pair, options, s).all();
}

}  // namespace w4::gate
