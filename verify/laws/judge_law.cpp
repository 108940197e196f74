#include "verify/laws/judge_law.h"

#include <algorithm>
#include <array>
#include <deque>
#include <ranges>

#include "kernels/descriptors.h"
#include "reference/compare.h"
#include "verify/judge.h"
#include "verify/laws/laws.h"
#include "verify/laws/relate.h"

namespace w4 {
namespace {

// A call with what it stands on.
struct Ran {
  explicit Ran(Setup s) : setup(std::move(s)) {}
  Setup setup;
  std::optional<Call> call;  // empty: the first one's, launched again
  Trial trial;
};

bool promises(const w4_kernel& kernel, Law law) {
  for (const char* const* name = kernel.laws; name != nullptr && *name != nullptr; ++name) {
    if (name_of(law) == *name) return true;
  }
  return false;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (const auto part : std::views::split(text, ' ')) out.emplace_back(part.begin(), part.end());
  return out;
}

bool may_differ(const Plan& plan, std::string_view word) {
  constexpr std::array<std::string_view, 3> kForms{"symmetric", "packed", "unpacked"};
  if (plan.zp && std::ranges::find(kForms, word) != kForms.end()) return true;
  return word.size() > 1 && plan.letters.contains(word[0]) &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool same_instantiation(const Plan& plan, std::string_view a, std::string_view b) {
  const auto first = words_of(a), second = words_of(b);
  return std::ranges::equal(first, second, [&](std::string_view x, std::string_view y) {
    return x == y || (may_differ(plan, x) && may_differ(plan, y));
  });
}

// Why outputs are not compared bit for bit.
std::string why_inexact(const Plan& plan, Law law, const Ran& first, std::span<Ran* const> more) {
  if (!can_be_exact(law)) return "the law holds within bounds only";
  if (!promises(*first.setup.kernel, law)) {
    return fmt::format("the kernel '{}' does not promise it", first.setup.kernel->name);
  }
  if (!plan.inexact.empty() || plan.any_words) return plan.inexact;
  for (const Ran* r : more) {
    const std::string &a = first.trial.run.instantiation, &b = r->trial.run.instantiation;
    if (!same_instantiation(plan, a, b)) {
      return fmt::format("the instantiations differ: '{}' and '{}'", a, b);
    }
  }
  return {};
}

// The tile that ran, or was asked for, taken over where the kernel has it for the other call too.
void keep_tile(const Given& given, const Run& first, Case& line) {
  line.problem.tile = given.problem().tile;
  for (const std::string_view word : words_of(first.instantiation)) {
    if (line.problem.tile) break;
    if (const auto tile = parse_tile(word)) line.problem.tile = *tile;
  }
  if (line.problem.tile && given.why_not(line)) line.problem.tile.reset();
}

// What else is wrong with a call than that it proves little: its data serve the law.
std::vector<Outcome> wrong_of(std::vector<Outcome> all, const std::string& where) {
  std::erase_if(all, [&](const Outcome& o) {
    return std::holds_alternative<Pass>(o) ||
           (!where.empty() && std::holds_alternative<Mistrusted>(o));
  });
  if (where.empty()) return all;
  for (Outcome& o : all) {
    if (auto* m = std::get_if<Mismatch>(&o)) m->pattern += where;
    if (auto* r = std::get_if<Refused>(&o)) r->message += where;
    if (auto* h = std::get_if<HarnessError>(&o)) h->what += where;
    if (auto* f = std::get_if<Found>(&o)) {
      for (Finding& one : f->findings) one.detail += where;
    }
  }
  return all;
}

std::string text_of(const Side& side) {
  return to_string(side.line) + (side.data.empty() ? "" : ", with " + side.data);
}

Result<void> place_neighbour(const Setup& setup, uint64_t bytes) {
  if (bytes == 0) return {};
  const auto at = setup.device->allocate({.name = "neighbour", .bytes = bytes});
  return at ? Result<void>{} : std::unexpected(at.error());
}

}  // namespace

LawJudgement judge_law(const Setup& setup, Context& context, bool trace) {
  const Law law = setup.line.law;
  LawJudgement out;
  const auto stop = [&](Outcome o) {
    out.outcomes = {std::move(o)};
    return std::move(out);
  };
  const Given given(setup, context);
  if (setup.line.problem.m == 0) {
    return stop(Skipped{SkipReason::not_supported_by_kernel, "the output has no element"});
  }
  Result<Plan> plan = planner_of(law)(given);
  if (!plan) return stop(Skipped{SkipReason::not_supported_by_kernel, plan.error().text});

  std::deque<Ran> calls;  // a Call points to its Setup
  std::vector<Ran*> more;
  const auto call = [&](Side& side, uint64_t neighbour) -> std::optional<Outcome> {
    auto made = make_setup(side.line, context);
    if (!made) return made.error();
    if (!made->broken.empty()) {
      return Skipped{SkipReason::not_supported_by_kernel,
                     fmt::format("the kernel takes no further call '{}': {}", to_string(side.line),
                                 made->message_of(made->broken.front()))};
    }
    made->own_data = !side.data.empty();
    Ran& r = calls.emplace_back(std::move(*made));
    r.call.emplace(r.setup, trace);
    if (auto done = place_neighbour(r.setup, neighbour); !done) {
      return HarnessError{done.error().text};
    }
    r.trial = try_call(r.setup, *r.call, side.x, *side.source);
    return std::nullopt;
  };

  if (auto no = call(plan->first, 0)) return stop(std::move(*no));
  Ran& first = calls.front();
  out.ran = provenance(first.setup, *first.call);
  append(out.outcomes,
         wrong_of(first.trial.outcomes,
                  plan->first.data.empty() ? "" : " (with " + plan->first.data + ")"));
  if (plan->again && first.trial.complete()) {
    Ran& r = calls.emplace_back(first.setup);
    r.trial = try_again(first.setup, *first.call, plan->first.x);
    plan->more.push_back(plan->first);
    more.push_back(&r);
  }
  for (Side& side : plan->more) {
    if (plan->again) break;
    if (plan->keep_tile) keep_tile(given, first.trial.run, side.line);
    if (auto no = call(side, plan->neighbour)) return stop(std::move(*no));
    more.push_back(&calls.back());
  }
  for (size_t i = 0; i < more.size(); ++i) {
    append(out.outcomes,
           wrong_of(more[i]->trial.outcomes,
                    fmt::format(" (in the further call '{}')", text_of(plan->more[i]))));
    for (const LaunchResult& l : more[i]->trial.run.launches) {
      out.ran.wave_instructions += l.wave_instructions;
    }
  }
  const auto complete = [](const Ran& r) { return r.trial.complete(); };
  if (std::ranges::all_of(calls, complete)) {
    std::vector<Done> done;
    done.reserve(more.size());
    for (size_t i = 0; i < more.size(); ++i) {
      done.push_back({&more[i]->setup, &plan->more[i], &more[i]->trial});
    }
    const Related related = relate(*plan, {&first.setup, &plan->first, &first.trial}, done,
                                   why_inexact(*plan, law, first, more));
    if (!related.trouble.empty()) return stop(HarnessError{related.trouble});
    out.ran.relation = related.judged;
    if (related.broken) {
      const Element& e = *related.broken;
      const int64_t n = plan->first.x.wei->n;
      std::string second = more.empty() ? "none" : text_of(plan->more[e.call]);
      if (plan->again) second += ", launched once more into the output it left";
      out.outcomes.push_back(LawBroken{
          std::string(name_of(law)), text_of(plan->first), std::move(second), e.first / n,
          e.first % n,
          fmt::format("{} of {} elements ({}); {}", related.all.size(),
                      related.judged.exact + related.judged.within,
                      describe_pattern(related.all, first.trial.right.twin.m, n), related.detail)});
    }
  }
  if (out.outcomes.empty()) append(out.outcomes, first.trial.outcomes);
  return out;
}

}  // namespace w4
