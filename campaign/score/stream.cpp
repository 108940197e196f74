#include "campaign/score/stream.h"

#include <algorithm>

#include "core/law.h"
#include "rdna/coverage.h"
#include "verify/build_id.h"
#include "verify/context.h"
#include "verify/run_case.h"

namespace w4::score {
namespace {

class Maker {
 public:
  explicit Maker(Stream& out) : out_(out) { context_.witness_outputs(); }

  enum class Became : uint8_t { taken, red, too_long, not_applicable };
  Became add(const Case& c) {
    // With the waits that a mutant may drop, unless the kernel has them wrong.
    StreamCase s;
    s.value = c;
    s.waits = (c.checks.mask & kAllChecks) == kAllChecks;
    Verdict v = run(c, s.waits);
    if (s.waits && v.kind() == VerdictKind::finding) s.waits = false, v = run(c, false);
    if (v.kind() == VerdictKind::skipped || v.kind() == VerdictKind::refused)
      return Became::not_applicable;
    if (!v.green()) {
      out_.red.push_back(std::move(v));
      return Became::red;
    }
    if (v.ran.wave_instructions > kMostSteps) return Became::too_long;
    s.outputs = v.ran.outputs;
    s.steps = v.ran.wave_instructions;
    for (const rdna::KernelCounts* k : coverage_.kernels()) {
      if (k->launches == 0) continue;
      const std::string& symbol = k->object->kernels()[k->index].symbol;
      const Code code{std::string(k->object->arch()), k->object->text_hash(), symbol};
      auto at = out_.codes.find(code);
      if (at == out_.codes.end())
        at = out_.codes.emplace(code, rdna::Executed(k->object, k->index)).first;
      s.executed[code] = at->second.of(*k);
    }
    if (s.executed.empty()) return Became::not_applicable;
    out_.cases.push_back(std::move(s));
    return Became::taken;
  }

 private:
  Verdict run(Case c, bool waits) {
    if (waits) c.checks.mask |= kWaits;
    coverage_.clear();
    const rdna::CoverageScope counting(coverage_);
    Verdict v = run_case(c, context_);
    v.ran.build_id = build_id();
    return v;
  }

  Stream& out_;
  Context context_;
  rdna::Coverage coverage_;
};

}  // namespace

bool StreamCase::executes(const Code& code, uint64_t pc) const {
  const auto at = executed.find(code);
  return at != executed.end() && std::ranges::binary_search(at->second, pc);
}

Result<Stream> make_stream(const w4_module& table, const StreamOptions& options) {
  auto drawn = module_cases(table, options.draw);
  if (!drawn) return std::unexpected(drawn.error());
  Stream out;
  Maker maker(out);
  std::vector<Case> taken;
  for (const Case& c : *drawn) {
    if (options.stop() || !out.red.empty()) break;
    const Maker::Became became = maker.add(c);
    out.too_long += became == Maker::Became::too_long;
    if (became == Maker::Became::taken) taken.push_back(c);
  }
  out.reference = static_cast<int64_t>(taken.size());
  // Of each law the first case that it applies to, another one for each.
  constexpr size_t kTries = 12;
  size_t next = 0;
  for (const Law law : all_laws()) {
    if (law == Law::reference || !options.laws) continue;
    bool done = false;
    for (size_t i = 0; i < std::min(kTries, taken.size()) && !done; ++i) {
      if (options.stop() || !out.red.empty()) break;
      Case c = taken[next++ % taken.size()];
      c.law = law;
      done = maker.add(c) == Maker::Became::taken;
    }
    out.laws += done;
    out.not_applicable += !done;
  }
  std::ranges::sort(out.cases, {},
                    [](const StreamCase& c) { return std::pair(c.steps, to_string(c.value)); });
  return out;
}

}  // namespace w4::score
