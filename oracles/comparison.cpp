#include "oracles/comparison.h"

#include <fmt/format.h>

#include "oracles/classic.h"
#include "oracles/faults.h"
#include "oracles/machine.h"
#include "reference/compare.h"
#include "reference/drift.h"

namespace w4 {
namespace {

// One call's data with its references, and the judges on any output of it.
struct Judges {
  const CleanCase& clean;
  Fill fill;
  Reference right;
  Golden golden;

  Judges(const CleanCase& c, Fill f)
      : clean(c),
        fill(f),
        right(make_reference(c.x, c.numerics, c.setup.arithmetic, is_random(f))),
        golden(make_golden(c.x, right)) {}

  uint32_t rejected(std::span<const uint16_t> y) const {
    uint32_t out = 0, bit = 1;
    for (const Oracle& o : classic_oracles()) {
      if ((!o.integers_only || fill == Fill::integer) && !o.accepts(golden, y)) out |= bit;
      bit <<= 1;
    }
    const bool outside = compare(clean.x, clean.numerics, right.twin, right.bound, y).bad > 0;
    return out | (outside ? bit : 0) | (outside || leans(y) ? bit << 1 : 0);
  }

  // What a run says of many cases together, of one.
  bool leans(std::span<const uint16_t> y) const {
    if (!is_random(fill)) return false;
    const Drift d = drift_of(clean.x, right.twin, right.bound, y);
    const bool to_nearest = clean.setup.arithmetic == Arithmetic::ieee;
    return drift_sigmas(d, allowed_drift(d, to_nearest)) > kDriftSigmas;
  }
};

// nullopt: the fault is none of this call.
Result<std::optional<std::vector<uint16_t>>> output_with(const Fault& f, const Case& c,
                                                         const CleanCase& clean, int chunk,
                                                         Context& context) {
  if (!f.change) {
    if (!applies(f.breach, clean.numerics)) return std::nullopt;
    return simulate(clean.x, clean.numerics, {clean.setup.arithmetic, chunk}, f.breach);
  }
  Arrays x = clean.x;
  if (!f.change(x)) return std::nullopt;
  auto ran = run_machine(c, x, context);
  if (!ran) return fail("{}: {}: {}", to_string(c), f.name, ran.error().text);
  return std::move(ran->out);
}

Result<void> run_case_of(const Case& c, size_t line, bool with_faults, Context& context,
                         OracleRuns& to) {
  const auto clean = clean_case(c, context);
  if (!clean) return fail("{}: {}", to_string(c), clean.error().text);
  const auto ran = run_machine(c, clean->x, context);
  if (!ran) return fail("{}: {}", to_string(c), ran.error().text);
  const Judges judges(*clean, c.fill);
  OracleRun run{.line = line, .act = c.problem.act, .fill = c.fill, .seed = c.seed};
  run.rejected = judges.rejected(ran->out);
  to.clean.push_back(run);
  if (!with_faults) return {};
  for (run.fault = 0; run.fault < faults().size(); ++run.fault) {
    const auto y = output_with(faults()[run.fault], c, *clean, ran->chunk, context);
    if (!y) return std::unexpected(y.error());
    if (!*y) continue;
    run.visible = **y != ran->out;
    run.rejected = judges.rejected(**y);
    to.faulty.push_back(run);
  }
  return {};
}

}  // namespace

OraclePlan full_plan() {
  return {.lines = {"decode m=1 n=64 k=2048 g=64 zp=packed bias=n",
                    "decode m=4 n=64 k=4096 g=128 zp=packed bias=n device=gfx1201",
                    "chunked m=1 n=64 k=4096 g=64 zp=packed bias=n",
                    "chunked m=3 n=64 k=2048 g=128 zp=packed bias=n device=gfx1201",
                    "prefill m=16 n=64 k=512 g=64 zp=packed bias=n",
                    "prefill m=16 n=64 k=2048 g=128 zp=packed bias=n device=gfx1201",
                    "prefill_dense m=16 n=64 k=2048 g=128 zp=packed bias=n",
                    "prefill_dense m=16 n=64 k=512 g=64 zp=packed bias=n device=gfx1201",
                    "prefill_carrier m=16 n=64 k=2048 g=64 zp=packed bias=n",
                    "prefill_carrier m=16 n=64 k=512 g=64 zp=packed bias=n device=gfx1201",
                    "moe m=2 n=64 k=2048 g=64 zp=packed experts=4 topk=2 blockm=1",
                    "moe m=4 n=64 k=2048 g=128 zp=packed experts=4 topk=2 blockm=2 device=gfx1201",
                    "moe_prefill m=8 n=64 k=2048 g=64 zp=packed experts=4 topk=2 blockm=16",
                    "moe_prefill m=8 n=64 k=512 g=128 zp=packed experts=4 topk=2 blockm=16 "
                    "device=gfx1201"},
          .types = {DType::f16, DType::bf16},
          .fills = {Fill::flat, Fill::normal, Fill::integer, Fill::extreme},
          .seeds = {1, 2, 3},
          .honest_seeds = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13}};
}

OraclePlan small_plan() {
  OraclePlan plan = full_plan();
  plan.lines = {"decode m=2 n=32 k=1024 g=64 zp=packed bias=n",
                "prefill m=8 n=32 k=512 g=64 zp=packed bias=n device=gfx1201",
                "moe m=2 n=32 k=512 g=64 zp=packed experts=2 topk=1 blockm=2"};
  plan.seeds = {1};
  plan.honest_seeds = {2, 3, 4};
  return plan;
}

std::vector<std::string_view> oracle_names() {
  std::vector<std::string_view> out;
  for (const Oracle& o : classic_oracles()) out.push_back(o.name);
  out.push_back("interval");
  out.push_back("interval, drift");
  return out;
}

bool looks_at(size_t oracle, Fill fill) {
  const auto classic = classic_oracles();
  return oracle >= classic.size() || !classic[oracle].integers_only || fill == Fill::integer;
}

Result<OracleRuns> run_oracles(const OraclePlan& plan,
                               const std::function<void(std::string_view)>& progress) {
  OracleRuns out{.plan = plan, .faulty = {}, .clean = {}};
  Context context;
  for (size_t line = 0; line < plan.lines.size(); ++line) {
    progress(plan.lines[line]);
    for (const DType act : plan.types) {
      const auto run = [&](uint64_t seed, bool with_faults) -> Result<void> {
        for (const Fill fill : plan.fills) {
          const auto c = parse_case(fmt::format("{} act={} fill={} seed={}", plan.lines[line],
                                                name_of(act), name_of(fill), seed));
          if (!c) return std::unexpected(c.error());
          if (auto done = run_case_of(*c, line, with_faults, context, out); !done) return done;
        }
        return {};
      };
      for (const uint64_t seed : plan.seeds) {
        if (auto done = run(seed, true); !done) return std::unexpected(done.error());
      }
      for (const uint64_t seed : plan.honest_seeds) {
        if (auto done = run(seed, false); !done) return std::unexpected(done.error());
      }
    }
  }
  return out;
}

}  // namespace w4
