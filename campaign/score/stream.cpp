#include "campaign/score/stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/contract.h"
#include "core/law.h"
#include "rdna/coverage.h"
#include "verify/build_id.h"
#include "verify/context.h"
#include "verify/run_case.h"

namespace w4::score {
namespace {

// What chooses the instantiation in every row of the generator.
std::string instantiation_key(const Case& c) {
  const Problem& p = c.problem;
  // Tiles of matrix instructions take any M.
  const int64_t rows = std::min<int64_t>(p.experts > 0 ? p.blockm : p.m, kMaxDecodeM + 1);
  return fmt::format("{} {} {} {} {} {} {}", c.device, rows, p.g, name_of(p.act), name_of(p.zp),
                     p.tile ? to_string(*p.tile) : "", p.silu);
}

}  // namespace

struct Streamer::Runs {
  Context context;
  rdna::Coverage coverage;
};

bool StreamCase::executes(const Place& at) const {
  const auto here = executed.find(at.code);
  return here != executed.end() && std::ranges::binary_search(here->second, at.pc);
}

Streamer::Streamer(const w4_module& table, StreamOptions options)
    : table_(table), options_(std::move(options)), runs_(std::make_unique<Runs>()) {
  runs_->context.witness_outputs();
}
Streamer::~Streamer() = default;

Verdict Streamer::run(Case c, bool waits) {
  if (waits) c.checks.mask |= kWaits;
  runs_->coverage.clear();
  const rdna::CoverageScope counting(runs_->coverage);
  Verdict v = run_case(c, runs_->context);
  v.ran.build_id = build_id();
  return v;
}

Streamer::Became Streamer::add(const Case& c) {
  if (!seen_.insert(to_string(c)).second) return Became::left_out;
  // With the waits that a mutant may drop, unless the kernel has them wrong.
  StreamCase s;
  s.value = c;
  s.waits = (c.checks.mask & kAllChecks) == kAllChecks;
  Verdict v = run(c, s.waits);
  if (s.waits && v.kind() == VerdictKind::finding) s.waits = false, v = run(c, false);
  // A law may leave little of a case's data.
  const bool says_little = c.law != Law::reference && v.kind() == VerdictKind::mistrusted;
  if (v.kind() == VerdictKind::skipped || v.kind() == VerdictKind::refused || says_little)
    return Became::left_out;
  if (!v.green()) {
    stream_.red.push_back(std::move(v));
    return Became::red;
  }
  if (v.ran.wave_instructions > kMostSteps) {
    ++stream_.too_long;
    return Became::too_long;
  }
  s.outputs = v.ran.outputs;
  s.steps = v.ran.wave_instructions;
  for (const rdna::KernelCounts* k : runs_->coverage.kernels()) {
    if (k->launches == 0) continue;
    const std::string& symbol = k->object->kernels()[k->index].symbol;
    const Code code{std::string(k->object->arch()), k->object->text_hash(), symbol};
    auto at = stream_.codes.find(code);
    if (at == stream_.codes.end())
      at = stream_.codes.emplace(code, rdna::Executed(k->object, k->index)).first;
    s.executed[code] = at->second.of(*k);
  }
  if (s.executed.empty()) return Became::left_out;
  stream_.laws += c.law != Law::reference;
  stream_.cases.push_back(std::move(s));
  return Became::taken;
}

Result<void> Streamer::draw() {
  auto drawn = module_cases(table_, options_.draw);
  if (!drawn) return std::unexpected(drawn.error());
  std::vector<Case> taken;
  for (const Case& c : *drawn) {
    if (stopped()) break;
    if (add(c) == Became::taken) taken.push_back(c);
  }
  // Of each law the first case that it applies to, another one for each.
  constexpr size_t kTries = 12;
  size_t next = 0;
  for (const Law law : all_laws()) {
    for (size_t i = 0; law != Law::reference && i < std::min(kTries, taken.size()); ++i) {
      if (stopped()) break;
      Case c = taken[next++ % taken.size()];
      c.law = law;
      if (add(c) != Became::taken) continue;
      stream_.applied.push_back(law);
      break;
    }
  }
  sort();
  return {};
}

void Streamer::grow(const std::vector<Place>& places) {
  constexpr int64_t kPool = 25;  // times what was drawn: drawing is cheap, running is not
  ModuleCases how = options_.draw;
  how.count *= kPool;
  // A kernel that takes few of the calls drawn for it has what draw() found.
  const auto pool = module_cases(table_, how);
  static const std::vector<Case> kNone;
  const std::vector<Case>& more = pool ? *pool : kNone;
  std::map<std::string, std::vector<const Case*>> by_key;
  for (const Case& c : more) by_key[instantiation_key(c)].push_back(&c);
  size_t turn = 0;
  for (const Place& at : places) {
    std::vector<Case> own;
    std::set<std::string> keys;
    for (const StreamCase& c : stream_.cases) {
      if (c.value.law != Law::reference || !c.executes(at)) continue;
      own.push_back(c.value);
      keys.insert(instantiation_key(c.value));
    }
    size_t tries = 2 * kEnough;
    for (const std::string& key : keys) {
      for (const Case* c : by_key[key]) {
        if (stopped() || executing(at) >= kEnough || tries == 0) break;
        --tries;
        add(*c);
      }
    }
    for (size_t i = 0; i < 3 && !own.empty() && !stream_.applied.empty() && !stopped(); ++i) {
      Case c = own[i % own.size()];
      c.law = stream_.applied[turn++ % stream_.applied.size()];
      add(c);
    }
  }
  sort();
}

size_t Streamer::executing(const Place& at) const {
  return static_cast<size_t>(
      std::ranges::count_if(stream_.cases, [&](const StreamCase& c) { return c.executes(at); }));
}

void Streamer::sort() {
  std::ranges::sort(stream_.cases, {},
                    [](const StreamCase& c) { return std::pair(c.steps, to_string(c.value)); });
}

}  // namespace w4::score
