#include "campaign/long_run/sources.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "campaign/open_tried.h"
#include "campaign/streams/random_cases.h"
#include "campaign/streams/suite_cases.h"
#include "kernels/table.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

Result<DrawPlan> draw_plan(const CampaignPlan& plan) {
  const w4_module* table = &builtin_module();
  Result<OpenModule> opened = fail("");
  if (!plan.module.empty()) {
    opened = open_tried(plan.module);
    if (!opened) return fail("--module: {}", opened.error().text);
    table = opened->table;
  }
  auto kernels = drawn_kernels(*table, plan.kernels);
  if (!kernels) return fail("--kernel: {}", kernels.error().text);
  return DrawPlan{std::move(*kernels), plan.seed, plan.devices, plan.module};
}

// Of generated_rows(): what suites and inputs are made for.
Result<std::vector<std::string>> known_rows(const DrawPlan& draw, const std::string& source) {
  std::vector<std::string> out;
  for (const DrawnKernel& k : draw.kernels) {
    if (std::ranges::find(generated_rows(), k.name) != generated_rows().end())
      out.push_back(k.name);
  }
  if (out.empty()) {
    return fail("--suite: '{}' has cases of the kernels {} only, and none of them is wanted here",
                source, fmt::join(generated_rows(), ", "));
  }
  return out;
}

}  // namespace

std::vector<std::optional<int64_t>> shares(int64_t cases,
                                           const std::vector<std::optional<int64_t>>& counts) {
  if (cases == 0) return counts;
  std::vector<std::optional<int64_t>> out(counts.size(), 0);
  std::vector<size_t> live;
  for (size_t i = 0; i < counts.size(); ++i) live.push_back(i);
  while (cases > 0) {
    std::erase_if(live, [&](size_t i) { return counts[i] && *out[i] >= *counts[i]; });
    if (live.empty()) break;
    const auto each = static_cast<int64_t>(live.size());
    int64_t rounds = cases / each;
    for (const size_t i : live) {
      if (counts[i]) rounds = std::min(rounds, *counts[i] - *out[i]);
    }
    for (const size_t i : live) {
      const int64_t some = rounds > 0 ? rounds : cases > 0 ? 1 : 0;
      *out[i] += some, cases -= some;
    }
  }
  return out;
}

Result<Sources> Sources::open(const CampaignPlan& plan, const std::string& folder) {
  auto draw = draw_plan(plan);
  if (!draw) return std::unexpected(draw.error());
  Sources out;
  out.shard_ = plan.shard, out.shards_ = plan.shards;
  std::vector<std::optional<int64_t>> counts;
  for (const std::string& name : plan.sources) {
    Cursor c{.name = name};
    if (name == "random") c.cases = random_cases(*draw);
    if (name == "laws") c.cases = law_cases(*draw);
    if (name == "sweep" || name == "guided") {
      auto rows = known_rows(*draw, name);
      if (!rows) return std::unexpected(rows.error());
      if (name == "sweep") {
        c.cases = sweep(*rows, plan.seed, plan.devices, plan.module);
      } else {
        out.guided_.emplace(
            GuidedPlan{std::move(*rows), plan.seed, plan.devices, plan.module, folder});
        if (auto opened = out.guided_->open(); !opened) return std::unexpected(opened.error());
      }
    }
    counts.push_back(c.cases ? c.cases->count() : std::nullopt);
    out.cursors_.push_back(std::move(c));
  }
  const auto ends = shares(plan.cases, counts);
  for (size_t i = 0; i < ends.size(); ++i) {
    Cursor& c = out.cursors_[i];
    c.end = ends[i];
    c.next = c.low = out.own(0);
  }
  return out;
}

int64_t Sources::own(int64_t number) const {
  const int64_t past = (number - (shard_ - 1)) % shards_;
  return past == 0 ? number : number + (past < 0 ? -past : shards_ - past);
}

Sources::Cursor* Sources::find(const std::string& name) {
  const auto at = std::ranges::find(cursors_, name, &Cursor::name);
  return at == cursors_.end() ? nullptr : &*at;
}

void Sources::skip_done(Cursor& c) const {
  while (c.done.contains(c.next) || c.elsewhere.erase(c.next) > 0) c.next += shards_;
}

void Sources::go_on(const std::string& source, int64_t next, const std::vector<int64_t>& done) {
  Cursor* c = find(source);
  if (c == nullptr) return;
  c->next = c->low = own(next);
  c->done.insert(done.begin(), done.end());
  while (c->done.erase(c->low) > 0) c->low += shards_;
  c->next = std::max(c->next, c->low);
  skip_done(*c);
}

void Sources::again(NextCase c) {
  if (Cursor* cursor = find(c.source); cursor != nullptr && c.number >= cursor->next) {
    cursor->elsewhere.insert(c.number);
    skip_done(*cursor);
  }
  again_.push_back(std::move(c));
}

Sources::Cursor* Sources::slowest() {
  Cursor* out = nullptr;
  for (Cursor& c : cursors_) {
    if (c.name == "targets" || c.over()) continue;
    if (out == nullptr || c.next < out->next) out = &c;
  }
  return out;
}

std::optional<NextCase> Sources::make(Cursor& c) {
  NextCase out{c.name, c.next, {}, {}};
  if (c.cases) {
    auto made = c.cases->at(c.next);
    if (!made) return std::nullopt;
    out.value = std::move(*made);
  } else {
    out.guided = guided_->make(c.next);
    out.value = out.guided->value;
  }
  return out;
}

std::optional<NextCase> Sources::next() {
  if (!again_.empty()) {
    NextCase out = std::move(again_.front());
    again_.pop_front();
    return out;
  }
  while (Cursor* c = slowest()) {
    auto out = make(*c);
    c->next += shards_;
    skip_done(*c);
    if (out) return out;
    c->end = 0;
  }
  return std::nullopt;
}

std::optional<int64_t> Sources::next_slice() {
  Cursor* c = find("targets");
  if (c == nullptr || c->over()) return std::nullopt;
  const int64_t number = c->next;
  c->next += shards_;
  skip_done(*c);
  return number;
}

int64_t Sources::finish(const std::string& source, int64_t number) {
  Cursor* c = find(source);
  if (c == nullptr) return 0;
  c->done.insert(number);
  while (c->done.erase(c->low) > 0) c->low += shards_;
  return c->low;
}

Result<void> Sources::keep(const GuidedCase& c) {
  return guided_ ? guided_->keep(c) : Result<void>{};
}

}  // namespace w4
